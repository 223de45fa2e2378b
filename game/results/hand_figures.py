"""Counts the figures of each seat in one hand from its events. Pure.

The definitions are those of `docs/figures.md` and of the page `/figures/`:

- The **turn** of a discard is its number among the discards of its player. The turn of a win is
  that of the tile: the turn of the discard, or the next turn of the player who drew it.
- A win is a **riichi**, an **open** or a **damaten** win. A hand is open after chi, pon or an open
  kan; a closed win without riichi is damaten.
- A **good wait** has at least six tiles of at least two kinds that are not in the player's hand.
- A riichi is **chasing** if another player had declared before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from game.engine.events import (
    AnkanDeclared,
    Answered,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    Drawn,
    Event,
    HandDrawn,
    HandStarted,
    KakanDeclared,
    NorthSetAside,
    PonCalled,
    RiichiDeclared,
    Won,
)
from game.engine.hand import waits
from game.engine.rules import RuleSet
from game.engine.tiles import kind_of
from game.results.play_figures import BestHand, PlayFigures, better_hand

GOOD_WAIT_TILES: Final = 6
_UNCOUNTED_DRAWS: Final = frozenset({"abandoned", "chombo"})


class HandFigures:
    """Counts the figures of the seats in the hand in progress."""

    def __init__(self, started: HandStarted, number: int, rules: RuleSet) -> None:
        seats = len(started.tehais)
        self.seats = tuple(PlayFigures(hands=1) for _ in range(seats))
        self.is_over = False
        self.is_counted = False
        """Whether the hand is over, and was neither abandoned nor ended by a chombo."""
        self._rules = rules
        self._started = started
        self._number = number
        self._tiles = [list(row) for row in started.tehais]
        self._melded: list[list[int]] = [[] for _ in range(seats)]
        self._discards = [0] * seats
        self._open = [False] * seats
        self._riichi = [False] * seats
        self._declared: int | None = None
        """The seat whose next discard declares riichi."""
        self._open_north = False
        """Whether a north was set aside, and its replacement tile is not drawn yet. A win is then
        on that north."""
        self._step = 0
        self._has_deal_in = False

    def add(self, event: Event) -> None:
        """Count an event of the hand. Call it for all events, in their order."""
        if not isinstance(event, Answered):
            self._step += 1
        match event:
            case Drawn(actor=actor, pai=pai):
                self._open_north = False
                self._tiles[actor].append(pai)
            case Discarded(actor=actor, pai=pai):
                self._discards[actor] += 1
                self._remove_tiles(actor, (pai,))
                if self._declared == actor:
                    self._declared = None
                    self.seats[actor].riichi_good_waits += self._has_good_wait(actor)
            case RiichiDeclared(actor=actor):
                self._count_riichi(actor)
            case ChiCalled() | PonCalled() | DaiminkanCalled():
                self.seats[event.actor].calls += not self._open[event.actor]
                self._open[event.actor] = True
                self._remove_tiles(event.actor, event.consumed)
                self._melded[event.actor] += (event.pai, *event.consumed)
            case AnkanDeclared(actor=actor, consumed=consumed):
                self._remove_tiles(actor, consumed)
                self._melded[actor] += consumed
            case KakanDeclared(actor=actor, pai=pai):
                self._remove_tiles(actor, (pai,))
                self._melded[actor].append(pai)
            case NorthSetAside(actor=actor, pai=pai):
                self._open_north = True
                self._remove_tiles(actor, (pai,))
            case Won():
                self._count_win(event)
                self.is_over = self.is_counted = True
                self._set_balance(event.scores)
            case HandDrawn():
                if event.reason in {"exhaustive", "nagashi_mangan"}:
                    self._count_draw(event)
                self.is_over, self.is_counted = True, event.reason not in _UNCOUNTED_DRAWS
                self._set_balance(event.scores)
            case _:
                pass

    def finish(self, following: HandStarted | None) -> None:
        """Count the hand for its dealer. `following` is the game's next hand, which shows whether
        the dealer repeats; None after the last hand."""
        dealer = self._started.oya
        self.seats[dealer].dealer_hands = 1
        self.seats[dealer].dealer_repeats = int(following is not None and following.oya == dealer)

    def _remove_tiles(self, seat: int, tiles: Sequence[int]) -> None:
        for tile in tiles:
            if tile in self._tiles[seat]:
                self._tiles[seat].remove(tile)

    def _count_riichi(self, actor: int) -> None:
        figures = self.seats[actor]
        figures.riichi += 1
        figures.riichi_turns += self._discards[actor] + 1
        figures.riichi_chasing += any(self._riichi)
        self._riichi[actor] = True
        self._declared = actor

    def _has_good_wait(self, seat: int) -> bool:
        """Return whether the closed hand has a good wait. Kinds of which the player holds all four
        tiles are ignored."""
        tiles = tuple(sorted(self._tiles[seat]))
        held = [kind_of(tile) for tile in (*tiles, *self._melded[seat])]
        mask = waits(tiles, ())
        left = [4 - held.count(kind) for kind in range(34) if mask >> kind & 1]
        left = [count for count in left if count > 0]
        return len(left) >= 2 and sum(left) >= GOOD_WAIT_TILES

    def _set_balance(self, scores: Sequence[int]) -> None:
        for seat, figures in enumerate(self.seats):
            if self._riichi[seat]:
                figures.riichi_balance = scores[seat] - self._started.scores[seat]

    def _count_draw(self, drawn: HandDrawn) -> None:
        for seat, figures in enumerate(self.seats):
            figures.draws += 1
            figures.tenpai_draws += drawn.tenpais[seat]
            figures.riichi_draws += self._riichi[seat]

    def _count_win(self, won: Won) -> None:
        figures, is_tsumo = self.seats[won.actor], won.actor == won.target
        figures.wins += 1
        figures.tsumo_wins += is_tsumo
        figures.win_points += won.points
        is_robbed = self._open_north or any(name == "chankan" for name, _ in won.yaku)
        turn = self._discards[won.target] + (is_tsumo or is_robbed)
        names = {name for name, han in won.yaku if han}
        if self._riichi[won.actor]:
            figures.riichi_wins += 1
            figures.riichi_tsumo_wins += is_tsumo
            figures.riichi_win_points += won.points
            figures.riichi_win_turns += turn
            figures.riichi_ippatsu += "ippatsu" in names
            figures.riichi_ura += "ura" in names
        elif self._open[won.actor]:
            figures.open_wins += 1
            figures.open_win_points += won.points
            figures.open_win_turns += turn
        else:
            figures.damaten_wins += 1
            figures.damaten_win_points += won.points
            figures.damaten_win_turns += turn
        counted = figures.yakuman if won.yakuman else figures.yaku
        for name in names:
            counted[name] = counted.get(name, 0) + 1
        if won.limit == "kazoe_yakuman":
            figures.yakuman[won.limit] = figures.yakuman.get(won.limit, 0) + 1
        figures.best = better_hand(figures.best, self._best_hand_of(won))
        if not is_tsumo:
            self._count_deal_in(won)

    def _best_hand_of(self, won: Won) -> BestHand:
        return BestHand(
            won.points,
            won.fan,
            won.fu,
            won.limit,
            won.yaku,
            won.yakuman,
            self._number,
            self._step,
            won.actor,
        )

    def _count_deal_in(self, won: Won) -> None:
        """Count a ron as a deal-in of the discarder. Dealing in to two winners at once counts once,
        with the points of both."""
        loser = self.seats[won.target]
        loser.deal_in_points += _discarder_points(won, self._rules)
        if not self._has_deal_in:
            self._has_deal_in = True
            loser.deal_ins += 1
            loser.riichi_deal_ins += self._riichi[won.target]
            loser.open_deal_ins += self._open[won.target]
            loser.closed_deal_ins += not (self._riichi[won.target] or self._open[won.target])
        loser.paid_wins += 1
        loser.paid_to_riichi += self._riichi[won.actor]
        loser.paid_to_open += self._open[won.actor]
        loser.paid_to_damaten += not (self._riichi[won.actor] or self._open[won.actor])
        loser.paid_to_dealer += won.actor == self._started.oya


def _discarder_points(won: Won, rules: RuleSet) -> int:
    """Return the part of the hand's points that the discarder paid, without honba. Under pao
    another seat pays the rest."""
    paid = -won.deltas[won.target]
    honba = -sum(min(0, delta) for delta in won.deltas) - won.points
    is_paid_by_liable = won.liable >= 0 and rules.pao_honba == "pao_player"
    payer = won.liable if is_paid_by_liable else won.target
    return paid - honba if payer == won.target else paid
