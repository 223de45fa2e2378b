"""Counts the figures of each player from the events of a game. Pure.

A hand counts for the player who held the seat from its deal to its end; if the seat had two
players, it counts for nobody. An abandoned hand does not count, and neither does one that ended in
a chombo, because it is played again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from game.engine.events import (
    AwayChanged,
    ChiCalled,
    DaiminkanCalled,
    Event,
    GameStarted,
    HandDrawn,
    HandStarted,
    PonCalled,
    RiichiDeclared,
    Won,
)
from game.engine.rules import RuleSet
from game.results.hand_figures import HandFigures
from game.results.play_figures import PlayFigures

_SEATS: Final = range(4)
_NOT_COUNTED: Final = frozenset({"abandoned", "chombo"})

Step = tuple[Sequence[str], Sequence[Event]]
"""The players by seat, '' for a bot, and the events while they had these seats."""


class Counts(msgspec.Struct):
    """The counts of one player. The fields are named as in `game.models.GamePlayer`."""

    hands: int = 0
    wins: int = 0
    tsumo_wins: int = 0
    win_points: int = 0
    deal_ins: int = 0
    deal_in_points: int = 0
    riichi: int = 0
    calls: int = 0
    draws: int = 0
    tenpai_draws: int = 0

    def add(self, other: Counts) -> None:
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class GameCounts(msgspec.Struct):
    """The counts of a whole game."""

    players: dict[str, Counts]
    """The counts of each player's hands, at any seat, by player."""
    present: tuple[str, ...] = ("", "", "", "")
    """By seat, the player who was present when the last hand ended; '' where a bot or a stand-in
    played."""
    figures: dict[str, PlayFigures] = msgspec.field(default_factory=dict)
    """The figures of the same hands by player, without the results of the game."""


class _Hand:
    """The counts of the hand in progress."""

    def __init__(self, players: Sequence[str], started: HandStarted, number: int) -> None:
        self.players = list(players)
        """The players who have held their seats since the deal; '' where the player changed."""
        self.honba = started.honba
        self.figures = HandFigures(started, number)
        self.counts = tuple(Counts(hands=1) for _ in _SEATS)
        self.opened: set[int] = set()
        self.is_over = False
        self.is_counted = True
        self.has_deal_in = False


def count_game(steps: Iterable[Step]) -> GameCounts:
    """Count the game of these steps, which are in order."""
    rules = RuleSet()
    away = [False] * 4
    found = GameCounts({})
    is_present_known = False
    hand: _Hand | None = None
    dealt = 0
    for players, events in steps:
        if hand is not None and not hand.is_over:
            for seat in _SEATS:
                if players[seat] != hand.players[seat]:
                    hand.players[seat] = ""
        for event in events:
            match event:
                case GameStarted():
                    rules = event.rules
                case HandStarted():
                    if hand is not None:
                        _finish(hand, found, event)
                    hand = _Hand(players, event, dealt)
                    dealt += 1
                case AwayChanged():
                    away[event.actor] = event.away
                case _ if hand is not None:
                    _count(hand, event, rules)
            if isinstance(event, (Won, HandDrawn)):
                found.present, is_present_known = _present(players, away), True
        if not is_present_known:
            found.present = _present(players, away)
    if hand is not None:
        _finish(hand, found, None)
    return found


def _present(players: Sequence[str], away: Sequence[bool]) -> tuple[str, ...]:
    return tuple(["" if is_away else player for player, is_away in zip(players, away, strict=True)])


def _finish(hand: _Hand, found: GameCounts, following: HandStarted | None) -> None:
    if not hand.is_over or not hand.is_counted:
        return
    hand.figures.finish(following)
    seats = zip(hand.players, hand.counts, hand.figures.seats, strict=True)
    for player, counts, figures in seats:
        if player:
            found.players.setdefault(player, Counts()).add(counts)
            figures.add_counts(counts)
            found.figures.setdefault(player, PlayFigures()).add(figures)


def _count(hand: _Hand, event: Event, rules: RuleSet) -> None:
    counts = hand.counts
    hand.figures.add(event)
    match event:
        case RiichiDeclared(actor=actor):
            counts[actor].riichi += 1
        case ChiCalled(actor=actor) | PonCalled(actor=actor) | DaiminkanCalled(actor=actor):
            counts[actor].calls += actor not in hand.opened
            hand.opened.add(actor)
        case Won():
            _count_win(hand, event, rules)
            hand.is_over = True
        case HandDrawn(reason=reason, tenpais=tenpais):
            hand.is_over = True
            hand.is_counted = reason not in _NOT_COUNTED
            if reason in {"exhaustive", "nagashi_mangan"}:
                for count, is_tenpai in zip(counts, tenpais, strict=True):
                    count.draws += 1
                    count.tenpai_draws += is_tenpai
        case _:
            pass


def _count_win(hand: _Hand, won: Won, rules: RuleSet) -> None:
    """Count a win. Dealing in to two winners at once is one deal-in, of the points of both."""
    winner, loser = hand.counts[won.actor], hand.counts[won.target]
    winner.wins += 1
    winner.win_points += won.points
    if won.actor == won.target:
        winner.tsumo_wins += 1
        return
    loser.deal_ins += not hand.has_deal_in
    loser.deal_in_points += _discarder_points(won, rules)
    hand.has_deal_in = True


def _discarder_points(won: Won, rules: RuleSet) -> int:
    """Return the part of the hand's points that the discarder paid, without honba. Under pao
    another seat pays the rest."""
    paid = -won.deltas[won.target]
    honba = -sum(min(0, delta) for delta in won.deltas) - won.points
    is_paid_by_liable = won.liable >= 0 and rules.pao_honba == "pao_player"
    payer = won.liable if is_paid_by_liable else won.target
    return paid - honba if payer == won.target else paid
