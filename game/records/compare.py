"""Sets what the engine made of a hand beside what the record says of it.

What a record does not say (`None`) is not compared. Everything compared was computed by the
engine before the record's own word was looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
    Won,
)
from game.engine.progress import Deal
from game.engine.state import SEATS, Table
from game.records.recorded import (
    RecordedDraw,
    RecordedGame,
    RecordedHand,
    RecordedWin,
    Told,
)
from game.records.words import tile_words, words_of

END_OF_GAME: Final = "end of the game"
WHOLE_HAND: Final = -1
"""The event of a difference that is none of the story's."""


_STICK: Final = 1_000


class Difference(msgspec.Struct, frozen=True):
    """Where engine and record disagree."""

    hand: int
    """Its number in the file, from 0; -1 for the game as a whole."""
    event: int
    """Its number in the hand's story, from 0; -1 for the hand as a whole."""
    place: str
    """Where in the file, as "line 12"; empty for the hand as a whole."""
    what: str
    ours: str
    theirs: str


class Said(NamedTuple):
    """Something on which both have a word, and it is not the same."""

    what: str
    ours: str
    theirs: str


def _taken(event: ChiCalled | PonCalled | DaiminkanCalled) -> tuple[Any, ...]:
    return event.actor, event.target, event.pai, tuple(sorted(event.consumed))


_SHOWN: Final[dict[type, Callable[[Any], object]]] = {
    Drawn: lambda event: (event.actor, event.pai, event.rinshan),
    Discarded: lambda event: (event.actor, event.pai, event.tsumogiri),
    RiichiDeclared: lambda event: event.actor,
    RiichiAccepted: lambda event: event.actor,
    DoraRevealed: lambda event: event.dora_marker,
    ChiCalled: _taken,
    PonCalled: _taken,
    DaiminkanCalled: _taken,
    AnkanDeclared: lambda event: (event.actor, tuple(sorted(event.consumed))),
    KakanDeclared: lambda event: (event.actor, event.pai, tuple(sorted(event.consumed))),
}
"""What of an event everybody at the table sees."""


def is_same(ours: Event, theirs: Told) -> bool:
    """Whether an event of the engine is the one that the record tells of."""
    if type(ours) is not type(theirs):
        return False
    shown = _SHOWN[type(ours)]
    return shown(ours) == shown(theirs)


def start_differences(started: HandStarted, hand: RecordedHand) -> Iterator[Said]:
    """The deal, but for who deals: that is `deal_differences`."""
    yield from _unequal("indicator", (started.dora_marker,), (hand.dora_marker,), tile_words)
    for seat in SEATS:
        theirs = hand.tehais[seat]
        if theirs is not None:
            yield from _unequal(f"deal of seat {seat}", started.tehais[seat], theirs, tile_words)


def omits_sticks(ours: Won, theirs: RecordedWin, kyotaku: int) -> bool:
    """Whether the payments agree but for the riichi sticks, which the record leaves out."""
    deltas = list(ours.deltas)
    deltas[ours.actor] -= _STICK * kyotaku
    return kyotaku > 0 and tuple(deltas) == theirs.deltas


def deal_differences(table: Table, deal: Deal | None, hand: RecordedHand) -> Iterator[Said]:
    """What hand comes next, and with what points: `table` is as the last hand left it."""
    if deal is None:
        yield Said(END_OF_GAME, "the game is over", f"hand {_deal_words(hand.kyoku)}")
        return
    yield from _unequal("hand dealt", deal.kyoku, hand.kyoku, _deal_words)
    yield from _unequal("dealer", deal.kyoku % 4, hand.kyoku % 4)
    yield from _unequal("honba", deal.honba, hand.honba)
    yield from _unequal("riichi sticks", table.kyotaku, hand.kyotaku)
    yield from _unequal("scores", table.scores, hand.scores)


def result_differences(
    table: Table,
    ours: Sequence[Won | HandDrawn],
    theirs: Sequence[RecordedWin | RecordedDraw],
    kyotaku: int,
    coarse: dict[str, str],
) -> Iterator[tuple[int, Said]]:
    """How the hand ended: by the number of the result. `table` is as the hand left it but
    for the deal of the next; `kyotaku` are the sticks that lay there before the results."""
    if len(ours) != len(theirs):
        yield 0, Said("results", _all_words(ours), _all_words(theirs))
        return
    for number, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        match our, their:
            case Won(), RecordedWin():
                found = _win_differences(table, our, their, coarse)
                sticks = kyotaku if number == 0 else 0
            case HandDrawn(), RecordedDraw():
                found = _draw_differences(our, their)
                sticks = kyotaku
            case _:
                found = iter([Said("result", words_of(our), words_of(their))])
                sticks = kyotaku
        yield from ((number, said) for said in found)
        yield from ((number, said) for said in _at_stake(table, their, sticks))


def _at_stake(table: Table, theirs: RecordedWin | RecordedDraw, kyotaku: int) -> Iterator[Said]:
    if theirs.honba is not None:
        yield from _unequal("honba", table.honba, theirs.honba)
    if theirs.kyotaku is not None:
        yield from _unequal("riichi sticks", kyotaku, theirs.kyotaku)


def _win_differences(
    table: Table, ours: Won, theirs: RecordedWin, coarse: dict[str, str]
) -> Iterator[Said]:
    is_yakuman = ours.yakuman > 0
    limit = "yakuman" if ours.limit == "kazoe_yakuman" else ours.limit
    melds = tuple(sorted(meld.tiles for meld in table.hands[ours.actor].melds))
    yield from _both("winner", ours.actor, theirs.actor)
    yield from _both("from", ours.target, theirs.target)
    yield from _both("winning tile", (ours.pai,), _one(theirs.pai), tile_words)
    yield from _both("winning hand", ours.tehai, theirs.tehai, tile_words)
    yield from _both("melds of the winner", melds, theirs.melds, _meld_words)
    yield from _both("indicators", table.dora, theirs.dora, tile_words)
    yield from _both("ura indicators", ours.uradora_markers, theirs.ura, tile_words)
    yield from _both("yakuman", is_yakuman, theirs.yakuman)
    if theirs.yaku is not None:
        # No format tells how often a yakuman counts; the points do.
        own = [(name, 1) for name, _ in ours.yaku] if is_yakuman else ours.yaku
        yield from _both("yaku", _named(own, coarse), _named(theirs.yaku, coarse), _yaku_words)
    if not is_yakuman:
        yield from _both("han", ours.fan, theirs.fan)
        yield from _both("fu", ours.fu, theirs.fu)
    yield from _both("limit", limit, theirs.limit)
    yield from _both("points", ours.points, theirs.points)
    yield from _both("liable seat", ours.liable, theirs.liable)
    yield from _both("payments", ours.deltas, theirs.deltas)
    yield from _both("scores", ours.scores, theirs.scores)


def _draw_differences(ours: HandDrawn, theirs: RecordedDraw) -> Iterator[Said]:
    if theirs.reason:
        yield from _both("draw", ours.reason, theirs.reason)
    yield from _both("foul", ours.foul, theirs.foul)
    yield from _both("offenders", ours.offenders, theirs.offenders)
    yield from _both("tenpai", ours.tenpais, theirs.tenpais)
    for seat, row in enumerate(theirs.tehais or ()):
        yield from _both(f"hand shown by seat {seat}", ours.tehais[seat], row, tile_words)
    yield from _both("payments", ours.deltas, theirs.deltas)
    yield from _both("scores", ours.scores, theirs.scores)


def end_differences(table: Table, game: RecordedGame) -> Iterator[Said]:
    """The final scores and the ranking; `table` is the ended game."""
    yield from _both("final scores", table.scores, game.final_scores)
    if game.final_points is not None:
        points = tuple(float(points) for _, points in table.placement)
        yield from _both("final points", points, game.final_points)
    if game.final_scores is not None:
        ranking = sorted(SEATS, key=lambda seat: -_of(game.final_scores, seat))
        ours = sorted(SEATS, key=lambda seat: (table.placement[seat][0], ranking.index(seat)))
        yield from _both("ranking", tuple(ours), tuple(ranking))


def _of(scores: Sequence[int] | None, seat: int) -> int:
    return scores[seat] if scores else 0


def _one(tile: int | None) -> tuple[int, ...] | None:
    return None if tile is None else (tile,)


def _both(
    what: str, ours: Any, theirs: Any, say: Callable[[Any], str] | None = None
) -> Iterator[Said]:
    if theirs is not None:
        yield from _unequal(what, ours, theirs, say)


def _unequal(
    what: str, ours: Any, theirs: Any, say: Callable[[Any], str] | None = None
) -> Iterator[Said]:
    if ours != theirs:
        say = say or _plain
        yield Said(what, say(ours), say(theirs))


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join([_plain(part) for part in value])
    return str(value)


def _deal_words(kyoku: int) -> str:
    return f"{'ESWN'[kyoku // 4 % 4]}{kyoku % 4 + 1}"


def _named(yaku: Iterable[tuple[str, int]], coarse: dict[str, str]) -> tuple[tuple[str, int], ...]:
    """The yaku by name, under the more general names of the record, han added up."""
    sums: Counter[str] = Counter()
    for name, han in yaku:
        sums[coarse.get(name, name)] += han
    return tuple(sorted(sums.items()))


def _yaku_words(yaku: Sequence[tuple[str, int]]) -> str:
    return ", ".join([f"{name} {han}" for name, han in yaku]) or "none"


def _meld_words(melds: Sequence[Sequence[int]]) -> str:
    return " | ".join([tile_words(meld) for meld in melds]) or "none"


def _all_words(results: Iterable[Won | HandDrawn | RecordedWin | RecordedDraw]) -> str:
    return "; ".join([words_of(result) for result in results]) or "the hand goes on"
