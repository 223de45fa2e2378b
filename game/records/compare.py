"""Compares a hand as the engine has played it with the record.

Owns the definition of a difference. A value that the record does not contain (`None`) is not
compared. The engine has computed its values without using those of the record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

import msgspec

from game.engine.events import (
    AnkanDeclared,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    DoraRevealed,
    Drawn,
    Event,
    HandDrawn,
    HandStarted,
    KakanDeclared,
    NorthSetAside,
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
    Won,
)
from game.engine.progress import Deal
from game.engine.state import DEALS_PER_ROUND, STICK_POINTS, Table
from game.engine.tiles import TILE_TO_TEXT
from game.records.recorded import (
    RecordedDraw,
    RecordedEvent,
    RecordedGame,
    RecordedHand,
    RecordedWin,
)


def tiles_text(tiles: Iterable[int]) -> str:
    """Return the tiles in mjai's notation; a dash for none."""
    return " ".join([TILE_TO_TEXT.get(tile, str(tile)) for tile in tiles]) or "-"


def event_text(event: RecordedEvent | Event | None) -> str:
    """Return the event in words; None means the end of the record."""
    match event:
        case None:
            return "the record ends"
        case Drawn(actor=seat, pai=pai, rinshan=rinshan):
            return f"seat {seat} draws {tiles_text([pai])}{' after a kan' if rinshan else ''}"
        case Discarded(actor=seat, pai=pai, tsumogiri=tsumogiri):
            return f"seat {seat} discards {tiles_text([pai])}{', just drawn' if tsumogiri else ''}"
        case RiichiDeclared(actor=seat):
            return f"seat {seat} declares riichi"
        case RiichiAccepted(actor=seat):
            return f"seat {seat} pays the stick"
        case DoraRevealed(dora_marker=marker):
            return f"the indicator {tiles_text([marker])} is turned"
        case ChiCalled() | PonCalled() | DaiminkanCalled():
            name = str(event.__struct_config__.tag)
            tiles = f"{tiles_text([event.pai])} with {tiles_text(event.consumed)}"
            return f"seat {event.actor} calls {name} from seat {event.target}: {tiles}"
        case AnkanDeclared(actor=seat, consumed=consumed):
            return f"seat {seat} declares ankan: {tiles_text(consumed)}"
        case KakanDeclared(actor=seat, pai=pai, consumed=consumed):
            return f"seat {seat} declares kakan: {tiles_text([pai])} to {tiles_text(consumed)}"
        case NorthSetAside(actor=seat):
            return f"seat {seat} sets a north aside"
        case RecordedWin(actor=seat, target=target) | Won(actor=seat, target=target):
            return f"seat {seat} wins {'by tsumo' if seat == target else f'from seat {target}'}"
        case RecordedDraw(reason=reason) | HandDrawn(reason=reason):
            return f"the hand is drawn: {reason or 'no reason recorded'}"
        case _:
            return str(event.__struct_config__.tag)


THE_ENGINE_FAILED: Final = "the engine failed"
END_OF_GAME: Final = "end of the game"
WHOLE_HAND: Final = -1
"""`Difference.event` of a difference that belongs to the whole hand."""


class Difference(msgspec.Struct, frozen=True):
    """A difference between the engine and the record."""

    hand: int
    """Number of the hand in the file, from 0; -1 for the game as a whole."""
    event: int
    """Number of the event in the hand, from 0; -1 for the hand as a whole."""
    place: str
    """The place in the file, such as "line 12"; empty for the hand as a whole."""
    what: str
    ours: str
    theirs: str
    at: int = 0
    """The place in `Replay.events` of the event of the engine."""


class Mismatch(NamedTuple):
    """A value that differs between engine and record."""

    what: str
    ours: str
    theirs: str


_PUBLIC_FIELDS: Final = (
    "actor",
    "target",
    "pai",
    "consumed",
    "rinshan",
    "tsumogiri",
    "dora_marker",
)
"""The fields of events that records contain."""


def is_same_event(ours: Event, theirs: RecordedEvent) -> bool:
    """Return whether the engine's event equals the recorded one."""
    return type(ours) is type(theirs) and all(
        getattr(ours, name, None) == getattr(theirs, name, None) for name in _PUBLIC_FIELDS
    )


def start_differences(started: HandStarted, hand: RecordedHand) -> Iterator[Mismatch]:
    """Yield the mismatches of a deal. The dealer is compared in `deal_differences`."""
    yield from _compare_value("indicator", (started.dora_marker,), (hand.dora_marker,), tiles_text)
    for seat, theirs in enumerate(hand.tehais):
        yield from _compare_value(f"deal of seat {seat}", started.tehais[seat], theirs, tiles_text)


def omits_sticks(ours: Won, theirs: RecordedWin, kyotaku: int) -> bool:
    """Return whether the payments differ only by the riichi sticks, because the record omits
    them."""
    deltas = list(ours.deltas)
    deltas[ours.actor] -= STICK_POINTS * kyotaku
    return kyotaku > 0 and tuple(deltas) == theirs.deltas


def deal_differences(table: Table, deal: Deal | None, hand: RecordedHand) -> Iterator[Mismatch]:
    """Yield the mismatches of the next hand and its scores. `table` is the table after the last
    hand."""
    if deal is None:
        yield Mismatch(END_OF_GAME, "the game is over", f"hand {_deal_text(hand.kyoku)}")
        return
    yield from _compare_value("hand dealt", deal.kyoku, hand.kyoku, _deal_text)
    yield from _compare_value("dealer", deal.kyoku % DEALS_PER_ROUND, hand.kyoku % DEALS_PER_ROUND)
    yield from _compare_value("honba", deal.honba, hand.honba)
    yield from _compare_value("riichi sticks", table.kyotaku, hand.kyotaku)
    yield from _compare_value("scores", table.scores, hand.scores)


def result_differences(
    table: Table,
    ours: Sequence[Won | HandDrawn],
    theirs: Sequence[RecordedWin | RecordedDraw],
    kyotaku: int,
    coarse: dict[str, str],
) -> Iterator[tuple[int, Mismatch]]:
    """Yield pairs of the index of a result and a mismatch in it. `table` is the table before the
    next deal, `kyotaku` the sticks on it before the results. `coarse` maps a yaku id to the general
    name that the record uses for all its variants."""
    if len(ours) != len(theirs):
        yield 0, Mismatch("results", _results_text(ours), _results_text(theirs))
        return
    for number, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        match our, their:
            case Won(), RecordedWin():
                found = _win_differences(table, our, their, coarse)
            case HandDrawn(), RecordedDraw():
                found = _draw_differences(our, their)
            case _:
                found = iter([Mismatch("result", event_text(our), event_text(their))])
        found = chain(
            found,
            _compare_value("honba", table.honba, their.honba),
            _compare_value("riichi sticks", 0 if number else kyotaku, their.kyotaku),
        )
        yield from ((number, mismatch) for mismatch in found)


def _win_differences(
    table: Table, ours: Won, theirs: RecordedWin, coarse: dict[str, str]
) -> Iterator[Mismatch]:
    is_yakuman = ours.yakuman > 0
    limit = "yakuman" if ours.limit == "kazoe_yakuman" else ours.limit
    melds = tuple(sorted(meld.tiles for meld in table.hands[ours.actor].melds))
    yield from _compare_value("winner", ours.actor, theirs.actor)
    yield from _compare_value("from", ours.target, theirs.target)
    yield from _compare_value("winning tile", (ours.pai,), _as_tuple(theirs.pai), tiles_text)
    yield from _compare_value("winning hand", ours.tehai, theirs.tehai, tiles_text)
    yield from _compare_value("melds of the winner", melds, theirs.melds, _melds_text)
    yield from _compare_value("norths set aside", table.hands[ours.actor].norths, theirs.norths)
    yield from _compare_value("indicators", table.dora, theirs.dora, tiles_text)
    yield from _compare_value("ura indicators", ours.uradora_markers, theirs.ura, tiles_text)
    yield from _compare_value("yakuman", is_yakuman, theirs.yakuman)
    if theirs.yaku is not None:
        # No format contains how often a yakuman counts. The points show it.
        own = [(name, 1) for name, _ in ours.yaku] if is_yakuman else ours.yaku
        yield from _compare_value(
            "yaku", _yaku_by_name(own, coarse), _yaku_by_name(theirs.yaku, coarse), _yaku_text
        )
    if not is_yakuman:
        yield from _compare_value("han", ours.fan, theirs.fan)
        yield from _compare_value("fu", ours.fu, theirs.fu)
    yield from _compare_value("limit", limit, theirs.limit)
    yield from _compare_value("points", ours.points, theirs.points)
    yield from _compare_value("liable seat", ours.liable, theirs.liable)
    yield from _compare_value("payments", ours.deltas, theirs.deltas)
    yield from _compare_value("scores", ours.scores, theirs.scores)


def _draw_differences(ours: HandDrawn, theirs: RecordedDraw) -> Iterator[Mismatch]:
    yield from _compare_value("draw", ours.reason, theirs.reason or None)
    yield from _compare_value("foul", ours.foul, theirs.foul)
    yield from _compare_value("offenders", ours.offenders, theirs.offenders)
    yield from _compare_value("tenpai", ours.tenpais, theirs.tenpais)
    for seat, row in enumerate(theirs.tehais or ()):
        yield from _compare_value(f"hand shown by seat {seat}", ours.tehais[seat], row, tiles_text)
    yield from _compare_value("payments", ours.deltas, theirs.deltas)
    yield from _compare_value("scores", ours.scores, theirs.scores)


def end_differences(table: Table, game: RecordedGame) -> Iterator[Mismatch]:
    """Yield the mismatches of the final scores and the ranking. `table` is the table after the
    game."""
    yield from _compare_value("final scores", table.scores, game.final_scores)
    if game.final_points is not None:
        points = tuple(float(points) for _, points in table.placement)
        yield from _compare_value("final points", points, game.final_points)
    if (scores := game.final_scores) is not None:
        ranking = sorted(table.seats, key=lambda seat: -scores[seat])
        ours = sorted(table.seats, key=lambda seat: (table.placement[seat][0], ranking.index(seat)))
        yield from _compare_value("ranking", tuple(ours), tuple(ranking))


def _as_tuple(tile: int | None) -> tuple[int, ...] | None:
    return None if tile is None else (tile,)


def _compare_value(
    what: str, ours: Any, theirs: Any, text_of: Callable[[Any], str] | None = None
) -> Iterator[Mismatch]:
    """Yield a mismatch if the record contains the value and it differs."""
    if theirs is not None and ours != theirs:
        text_of = text_of or _value_text
        yield Mismatch(what, text_of(ours), text_of(theirs))


def _value_text(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join([_value_text(part) for part in value])
    return str(value)


def _deal_text(kyoku: int) -> str:
    return f"{'ESWN'[kyoku // DEALS_PER_ROUND % 4]}{kyoku % DEALS_PER_ROUND + 1}"


def _yaku_by_name(
    yaku: Iterable[tuple[str, int]], coarse: dict[str, str]
) -> tuple[tuple[str, int], ...]:
    """Return the yaku under the more general names of the record. Han of the same name are added
    up."""
    sums: Counter[str] = Counter()
    for name, han in yaku:
        sums[coarse.get(name, name)] += han
    return tuple(sorted(sums.items()))


def _yaku_text(yaku: Sequence[tuple[str, int]]) -> str:
    return ", ".join([f"{name} {han}" for name, han in yaku]) or "none"


def _melds_text(melds: Sequence[Sequence[int]]) -> str:
    return " | ".join([tiles_text(meld) for meld in melds]) or "none"


def _results_text(results: Iterable[Won | HandDrawn | RecordedWin | RecordedDraw]) -> str:
    return "; ".join([event_text(result) for result in results]) or "the hand goes on"
