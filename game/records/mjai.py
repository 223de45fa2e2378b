"""Reads mjai: one JSON object per line, or all objects in one array.

Servers that write mjai differ in spelling, in the events that they write and in their rules. The
length of the game and the timing of kan dora are inferred from the game itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from game.engine.events import RiichiAccepted
from game.engine.rules import TENHOU, RuleSet
from game.records.mjai_dora import in_engine_order, timing_of
from game.records.mjai_hands import DAMAGE, MjaiLine, Scores, damaged_line, hand_of, plain
from game.records.own import MARK_KEY, read_own_mark, with_own_rules
from game.records.recorded import (
    EVERYTHING,
    BadHand,
    OwnMark,
    RecordedGame,
    RecordedHand,
    RecordError,
    ThreePlayers,
    UnsupportedRecord,
    by_seat,
    names_of,
)
from game.records.yaku_names import MJAI_COARSE

_REDS: Final = ('"5mr"', '"5pr"', '"5sr"')
_NORTH_SET_ASIDE: Final = ("kita", "nukidora")
_TONPU: Final = 4
STARTING: Final = frozenset({"start_game", "hello", "none"})
"""The types of events before the first hand."""


def is_mjai(text: str) -> bool:
    """Return whether the text looks like mjai."""
    is_json = text.lstrip()[:1] in ("{", "[")
    return '"type"' in text[:200] or (is_json and '"start_kyoku"' in text)


def read(text: str) -> RecordedGame:
    """Return the game in this text. Raises `RecordError` or `UnsupportedRecord`."""
    lines = _lines(text)
    begin = [at for at, line in enumerate(lines) if line.type == "start_kyoku"]
    if not begin:
        raise RecordError("the record contains no hand: no start_kyoku")
    start: dict[str, Any] = {}
    for line in lines[: begin[0]]:
        if line.type not in STARTING:
            what = line.fields.get(DAMAGE, f"{line.type!r} before the first hand")
            raise RecordError(f"line {line.number}: {what}")
        start |= line.fields
    played = [lines[at:end] for at, end in zip(begin, [*begin[1:], None], strict=True)]
    if any(line.type in _NORTH_SET_ASIDE for line in lines):
        raise ThreePlayers
    _refuse_what_is_not_riichi(played[0][0])
    mark = read_own_mark(start.get(MARK_KEY), text)
    rules, *others = [mark.rules] if mark else _lengths(_rules(played, text), start)
    scores = Scores(rules.start_points)
    hands = tuple(
        [_hand(number, lines, rules, scores, mark) for number, lines in enumerate(played)]
    )
    event_types = EVERYTHING
    if not any(line.type == "reach_accepted" for line in lines):
        event_types -= {RiichiAccepted}
    game = RecordedGame(
        "mjai", "line", rules, hands, event_types=event_types, coarse_yaku=MJAI_COARSE
    )
    game = replace(game, other_rules=tuple(others), names=names_of(start.get("names")))
    return with_own_rules(_with_end(game, lines), mark)


def _lines(text: str) -> list[MjaiLine]:
    """Return all events. A line that cannot be read becomes a damaged event."""
    if not text.lstrip().startswith("["):
        rows = enumerate(text.split("\n"), start=1)
        return [_line(number, row) for number, row in rows if row.strip()]
    try:
        events = msgspec.json.decode(text, type=list[Any])
    except msgspec.DecodeError as error:
        raise RecordError(f"the JSON is damaged: {error}") from None
    return [plain(number, event) for number, event in enumerate(events, start=1)]


def _line(number: int, row: str) -> MjaiLine:
    try:
        return plain(number, msgspec.json.decode(row))
    except msgspec.DecodeError as error:
        return damaged_line(number, str(error))


def _refuse_what_is_not_riichi(start: MjaiLine) -> None:
    tehais = start.fields.get("tehais")
    if not isinstance(tehais, list):
        return
    if len(tehais) == 3:
        raise ThreePlayers
    if len(tehais) != 4:
        raise UnsupportedRecord(f"not four-player riichi: {len(tehais)} seats")
    if any("?" in row for row in tehais if isinstance(row, list)):
        raise UnsupportedRecord("tiles are hidden: the log of one seat, not of the table")


def _rules(played: Sequence[Sequence[MjaiLine]], text: str) -> RuleSet:
    """Return the rules that affect single hands."""
    has_reds = any(red in text for red in _REDS)
    timing = timing_of(played)
    return replace(
        TENHOU,
        red_fives=(1, 1, 1) if has_reds else (0, 0, 0),
        kan_dora=timing.has_kan_dora,
        kan_ura=timing.has_kan_dora,
        open_kan_dora=timing.open_kan,
    )


def _lengths(rules: RuleSet, start: dict[str, Any]) -> tuple[RuleSet, ...]:
    """Return the rules with each length that the game may have had, the likeliest first. Some
    servers record the length, some play no extra round, and some let a leading dealer stop below
    the goal in the very last hand."""
    lengths: tuple[Literal["east", "east_south"], ...] = ("east_south", "east")
    if "kyoku_first" in start:
        lengths = ("east",) if start["kyoku_first"] == _TONPU else ("east_south",)
    return tuple(
        [
            replace(
                rules,
                length=length,
                extra_round=has_extra_round,
                dealer_stops_below_goal=stops_below_goal,
            )
            for stops_below_goal in (False, True)
            for has_extra_round in (True, False)
            for length in lengths
        ]
    )


def _hand(
    number: int, lines: Sequence[MjaiLine], rules: RuleSet, scores: Scores, mark: OwnMark | None
) -> RecordedHand | BadHand:
    ordered = lines if mark else in_engine_order(lines, rules)
    return hand_of(number, ordered, rules, scores)


def _with_end(game: RecordedGame, lines: Sequence[MjaiLine]) -> RecordedGame:
    ends = [line for line in lines if line.type == "end_game"]
    if not ends:
        return game
    scores = ends[-1].fields.get("scores")
    if scores is None:
        return replace(game, is_over=True)
    try:
        return replace(game, is_over=True, final_scores=by_seat(scores))
    except (TypeError, ValueError):
        text = f"line {ends[-1].number}: these are not final scores: {scores}"
        raise RecordError(text) from None
