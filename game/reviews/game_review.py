"""The review of a game: figures for each discard of each seat.

Owns the choice of the figures, the labels and the measures of loss and accuracy. Pure. Works on
what the seat could see at that moment, never on hidden tiles.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from game.analysis.danger import Threat, deal_in_odds, threats
from game.analysis.deal_in_rates import counted_rates, riichi_seats
from game.analysis.discard_speed import (
    MAX_CURVE_SHANTEN,
    Curves,
    Speed,
    curves_after,
    fastest,
    least_shanten,
    speed_after,
)
from game.analysis.visible_tiles import VisibleTiles, count_visible
from game.bots import sensible
from game.bots.discards import RatedDiscard, rate_discards
from game.engine.actions import Action, DeclareAnkan, DeclareKakan, DeclareRiichi, Discard, Win
from game.engine.events import (
    Answered,
    Discarded,
    Event,
    GameEnded,
    GameStarted,
    HandStarted,
    RiichiDeclared,
)
from game.engine.evolve import evolve
from game.engine.legal import legal
from game.engine.perspective import view
from game.engine.state import RIVER_TAKEN, RIVER_TILE, Phase, Riichi, Table
from game.engine.tiles import count_kinds, kind_of, tile_to_text

VERSION: Final = 1
"""Of the figures. Stored reviews of an older version are computed again when somebody asks."""
DEAREST: Final = 10
_FOLDING_SHANTEN: Final = 2
"""From this shanten on, a discard against a riichi counts for the accuracy of defence."""
_SAFE_MARGIN: Final = 0.01
"""A discard is as safe as the safest if its deal-in rate is higher by at most this."""


class Danger(msgspec.Struct, frozen=True):
    """The deal-in rate of a discard against one seat."""

    seat: int
    rate: float
    """From 0 to 1."""
    cases: int
    """The counted discards behind the rate; 0 for the estimate of the bot's model."""


class DiscardFigures(msgspec.Struct, frozen=True):
    """The figures of one possible discard."""

    tile: str
    shanten: int
    useful: dict[str, int]
    """Unseen copies by kind."""
    unseen: int
    dangers: list[Danger]
    danger: float
    """The rate against any of the seats, from 0 to 1."""
    value: int
    """Points that the bot expects of the hand after the discard."""
    cost: int
    """Points that the bot expects to lose by the discard."""
    score: float
    labels: list[str]
    """Of 'fastest', 'safest', 'worth_most'."""
    curves: Curves | None = None


class BotChoice(msgspec.Struct, frozen=True):
    """What the strongest bot would do."""

    action: str
    """'discard', 'riichi', 'kan', 'win' or 'abort'."""
    tile: str
    """Of a discard or riichi; else ''."""
    why: str
    """The term in which its discard is ahead of the one that was made: 'danger', 'speed', 'value'
    or 'shape' (the usefulness of the tile beyond the present shape); 'same' if it is not ahead.
    For other actions 'action'."""


class Decision(msgspec.Struct, frozen=True):
    """A discard of one seat."""

    at: int
    """The position before it: the index of the last event that a replay shows."""
    hand: int
    """The number of the hand in the game, from 0."""
    seat: int
    turn: int
    """The seat's discards in the hand, with this one."""
    chosen: str
    riichi: bool
    """The discard declared riichi."""
    bot: BotChoice
    loss: int
    """By how many points the bot rates the discard below its best one."""
    riichi_against: list[int]
    open_against: list[int]
    efficient: bool | None
    """Whether the discard counts as efficient; None if it does not count for this accuracy."""
    safe: bool | None
    """The same for defence."""
    concealed: list[str]
    """The tiles of the hand before the discard."""
    discards: list[DiscardFigures]
    """The best in the eyes of the bot first."""


class Accuracy(msgspec.Struct, frozen=True):
    """How many discards of a seat counted, and how many of them were right by the measure."""

    efficient: int = 0
    efficient_of: int = 0
    safe: int = 0
    safe_of: int = 0


class GameReview(msgspec.Struct, frozen=True):
    """The review of a game."""

    version: int
    decisions: list[Decision]
    dearest: list[list[int]]
    """By seat: places in `decisions`, the dearest first, at most `DEAREST`; only losses."""
    accuracy: list[Accuracy]
    """By seat."""


class NotFinished(ValueError):
    """The events do not contain the end of a game."""


class HandEvents(msgspec.Struct, frozen=True):
    """The events of one hand, with what is needed to review it alone."""

    number: int
    at: int
    """The index of its first event among those that a replay shows."""
    start: GameStarted
    events: list[Event]


def split_hands(events: Iterable[Event]) -> list[HandEvents]:
    """Return the hands of a game that ended. Raises NotFinished."""
    start: GameStarted | None = None
    hands: list[HandEvents] = []
    at, is_over = 0, False
    for event in events:
        match event:
            case GameStarted():
                start = event
            case HandStarted():
                if start is None:
                    raise NotFinished("a hand before the start of the game")
                hands.append(HandEvents(len(hands), at, start, []))
            case GameEnded():
                is_over = True
            case _:
                pass
        if hands:
            hands[-1].events.append(event)
        at += not isinstance(event, Answered)
    if not is_over:
        raise NotFinished("no end of the game")
    return hands


def review_game(events: Iterable[Event], *, with_curves: bool = True) -> GameReview:
    """Return the review of a finished game. Raises NotFinished."""
    return join_hands(review_hand(hand, with_curves=with_curves) for hand in split_hands(events))


def join_hands(hands: Iterable[Iterable[Decision]]) -> GameReview:
    """Return the review of a game from the decisions of its hands, in their order."""
    decisions = [decision for hand in hands for decision in hand]
    return GameReview(
        VERSION,
        decisions,
        [_dearest(decisions, seat) for seat in range(4)],
        [_accuracy(decisions, seat) for seat in range(4)],
    )


def _dearest(decisions: Sequence[Decision], seat: int) -> list[int]:
    found = [
        place
        for place, decision in enumerate(decisions)
        if decision.seat == seat and decision.loss > 0
    ]
    return sorted(found, key=lambda place: (-decisions[place].loss, place))[:DEAREST]


def _accuracy(decisions: Iterable[Decision], seat: int) -> Accuracy:
    own = [decision for decision in decisions if decision.seat == seat]
    efficient = [one.efficient for one in own if one.efficient is not None]
    safe = [one.safe for one in own if one.safe is not None]
    return Accuracy(sum(efficient), len(efficient), sum(safe), len(safe))


def review_hand(hand: HandEvents, *, with_curves: bool = True) -> list[Decision]:
    """Return the decisions of one hand."""
    return [
        _decision(hand.number, at, table, discard, is_riichi, with_curves)
        for at, table, discard, is_riichi in _discards(hand)
    ]


def _discards(hand: HandEvents) -> Iterator[tuple[int, Table, Discarded, bool]]:
    """Yield each discard that was a choice: the position before it, the whole table there, the
    discard, and whether it declared riichi."""
    table = evolve(Table(), hand.start)
    at = hand.at - 1
    before: tuple[int, Table] | None = None
    for event in hand.events:
        if isinstance(event, RiichiDeclared):
            before = at, table
        elif isinstance(event, Discarded):
            place, then = before or (at, table)
            if then.phase == Phase.TURN and then.hands[event.actor].riichi == Riichi.NONE:
                yield place, then, event, before is not None
            before = None
        table = evolve(table, event)
        at += not isinstance(event, Answered)


def _decision(
    hand: int, at: int, table: Table, discard: Discarded, is_riichi: bool, with_curves: bool
) -> Decision:
    seat = discard.actor
    actions = legal(table, seat)
    own = view(table, seat)
    visible = count_visible(own, seat)
    tiles = sorted({action.pai for action in actions if isinstance(action, Discard)})
    against = threats(visible)
    rated = rate_discards(visible, visible.tiles, visible.hand.melds, tiles, against)
    speeds = {tile: speed_after(visible, kind_of(tile)) for tile in tiles}
    dangers = _dangers(visible, against, tiles)
    curves = _curves(visible, speeds) if with_curves else {}
    labels = _labels(speeds, dangers, curves)
    chosen = next(one for one in rated if one.tile == discard.pai)
    riichi = riichi_seats(own, seat)
    return Decision(
        at=at,
        hand=hand,
        seat=seat,
        turn=len(own.hands[seat].river) + 1,
        chosen=tile_to_text(discard.pai),
        riichi=is_riichi,
        bot=_bot_choice(own, seat, actions, chosen, rated, speeds),
        loss=round(rated[0].score - chosen.score),
        riichi_against=list(riichi),
        open_against=[one.seat for one in against if _is_open(own, one.seat)],
        efficient=_is_efficient(against, labels[discard.pai]),
        safe=_is_safe(bool(riichi), speeds, dangers, discard.pai),
        concealed=[tile_to_text(tile) for tile in visible.tiles],
        discards=[
            DiscardFigures(
                tile=tile_to_text(one.tile),
                shanten=speeds[one.tile].shanten,
                useful={
                    tile_to_text(2 * kind): left for kind, left in speeds[one.tile].useful.items()
                },
                unseen=speeds[one.tile].unseen,
                dangers=dangers[one.tile],
                danger=round(_any_of(dangers[one.tile]), 4),
                value=round(one.value),
                cost=round(one.cost),
                score=round(one.score, 1),
                labels=labels[one.tile],
                curves=curves.get(one.tile),
            )
            for one in rated
        ],
    )


def _curves(visible: VisibleTiles, speeds: dict[int, Speed]) -> dict[int, Curves]:
    """Return the curves of the discards that keep the least shanten."""
    least = least_shanten(speeds.values())
    if least > MAX_CURVE_SHANTEN:
        return {}
    return {
        tile: curves_after(visible, tile)
        for tile, speed in speeds.items()
        if speed.shanten == least
    }


def _dangers(
    visible: VisibleTiles, against: Sequence[Threat], tiles: Sequence[int]
) -> dict[int, list[Danger]]:
    """Return for each discard its rates against the seats in riichi and those with open melds.

    Against the only riichi they are counted; all else is the estimate of the bot's model.
    """
    table, seat = visible.table, visible.seat
    riichi = riichi_seats(table, seat)
    found: dict[int, list[Danger]] = {tile: [] for tile in tiles}
    for threat in against:
        if threat.seat in riichi and len(riichi) == 1:
            kinds = sorted({kind_of(tile) for tile in tiles})
            rates = counted_rates(table, seat, threat.seat, kinds, seen_outside(table))
            for tile in tiles:
                rate = rates[kind_of(tile)]
                found[tile].append(Danger(threat.seat, round(rate.share, 4), rate.discards))
        elif threat.seat in riichi or _is_open(table, threat.seat):
            odds = deal_in_odds(visible, threat)
            for tile in tiles:
                rate_now = threat.tenpai * odds[kind_of(tile)]
                found[tile].append(Danger(threat.seat, round(rate_now, 4), 0))
    return found


def seen_outside(table: Table) -> list[int]:
    """Count by kind the tiles in rivers, melds and indicators."""
    seen = list(table.dora)
    for hand in table.hands:
        seen += [tile for meld in hand.melds for tile in meld.tiles]
        seen += [entry & RIVER_TILE for entry in hand.river if not entry & RIVER_TAKEN]
    return count_kinds(seen)


def _is_open(table: Table, seat: int) -> bool:
    hand = table.hands[seat]
    return hand.riichi == Riichi.NONE and any(meld.target != seat for meld in hand.melds)


def _any_of(dangers: Iterable[Danger]) -> float:
    """Return the rate against any of the seats, as if they were independent."""
    passes = 1.0
    for danger in dangers:
        passes *= 1.0 - danger.rate
    return 1.0 - passes


def _labels(
    speeds: dict[int, Speed], dangers: dict[int, list[Danger]], curves: dict[int, Curves]
) -> dict[int, list[str]]:
    labels: dict[int, list[str]] = {tile: [] for tile in speeds}
    for tile in fastest(speeds):
        labels[tile].append("fastest")
    if any(dangers.values()):
        rates = {tile: round(_any_of(found), 4) for tile, found in dangers.items()}
        for tile, rate in rates.items():
            if rate == min(rates.values()):
                labels[tile].append("safest")
    if curves and (most := max(one.points for one in curves.values())) > 0:
        for tile, one in curves.items():
            if one.points == most:
                labels[tile].append("worth_most")
    return labels


def _is_efficient(against: Sequence[Threat], labels: Sequence[str]) -> bool | None:
    if any(threat.is_serious for threat in against):
        return None
    return "fastest" in labels


def _is_safe(
    has_riichi: bool, speeds: dict[int, Speed], dangers: dict[int, list[Danger]], chosen: int
) -> bool | None:
    if not has_riichi or least_shanten(speeds.values()) < _FOLDING_SHANTEN:
        return None
    least = min(map(_any_of, dangers.values()))
    return _any_of(dangers[chosen]) <= least + _SAFE_MARGIN


def _bot_choice(
    own: Table,
    seat: int,
    actions: tuple[Action, ...],
    chosen: RatedDiscard,
    rated: Sequence[RatedDiscard],
    speeds: dict[int, Speed],
) -> BotChoice:
    action = sensible.choose(own, seat, actions, random.Random(0))
    match action:
        case Discard(pai=pai):
            why = _why(next(one for one in rated if one.tile == pai), chosen, speeds)
            return BotChoice("discard", tile_to_text(pai), why)
        case DeclareRiichi(pai=pai):
            why = _why(next(one for one in rated if one.tile == pai), chosen, speeds)
            return BotChoice("riichi", tile_to_text(pai), why)
        case DeclareAnkan() | DeclareKakan():
            return BotChoice("kan", "", "action")
        case Win():
            return BotChoice("win", "", "action")
        case _:
            return BotChoice("abort", "", "action")


def _why(best: RatedDiscard, chosen: RatedDiscard, speeds: dict[int, Speed]) -> str:
    if best.tile == chosen.tile or best.score == chosen.score:
        return "same"
    saved, gained = chosen.cost - best.cost, best.value - chosen.value
    if max(saved, gained) < 1:
        return "shape"
    if saved >= gained:
        return "danger"
    ours, theirs = speeds[best.tile], speeds[chosen.tile]
    is_faster = (ours.shanten, -ours.unseen) < (theirs.shanten, -theirs.unseen)
    return "speed" if is_faster else "value"
