"""Reads mjai: one JSON object per line, or all objects in one array.

Servers that write mjai differ in spelling, in the events that they write and in their rules. The
length of the game and the timing of kan dora are inferred from the game itself. The results of
riichi.dev subtract the riichi sticks paid in the same hand once more. They are corrected to the
usual deltas.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from game.engine.events import RiichiAccepted
from game.engine.presets import preset
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import SEATS_OF, STICK_POINTS
from game.records.cut_json import TRUNCATED, read_whole_values
from game.records.mjai_hands import (
    CUT_TYPE,
    DAMAGE_TYPE,
    MjaiLine,
    Scores,
    damaged_line,
    normalize_event,
    read_mjai_hand,
)
from game.records.own import MARK_KEY, read_own_mark, with_own_rules
from game.records.recorded import (
    ALL_EVENT_TYPES,
    BadHand,
    OwnMark,
    RecordedGame,
    RecordedHand,
    RecordError,
    UnsupportedRecord,
    read_numbers_by_seat,
    read_player_names,
)
from game.records.yaku_names import MJAI_COARSE

OpenKan = Literal["before_replacement", "at_discard", "after_discard_passes"]
_OPEN_KANS: Final = ("daiminkan", "kakan")
_KANS: Final = ("ankan", *_OPEN_KANS)
_ENDS: Final = ("hora", "ryukyoku", "error", "end_kyoku")


class KanDoraTiming(NamedTuple):
    """Whether kans reveal dora at all, and when open and added kans do."""

    has_kan_dora: bool
    open_kan: OpenKan


def kan_dora_timing(played: Sequence[Sequence[MjaiLine]]) -> KanDoraTiming:
    """Infer the rules of kan dora from these hands. Without kans, return Tenhou's rules."""
    sequences = [
        _events_after_kan(lines, at)
        for lines in played
        for at in _kan_indexes(lines)
        if not _is_dora_due(lines[:at])
    ]
    after_kan = [sequence[:3] for sequence in sequences]
    closed = [sequence for sequence in after_kan if sequence[0] == "ankan"]
    opened = [sequence for sequence in sequences if sequence[0] in _OPEN_KANS]
    if not any("dora" in sequence for sequence in sequences):
        is_due = any(sequence[1:2] == ("tsumo",) for sequence in closed) or any(
            "dahai" in sequence for sequence in opened
        )
        return KanDoraTiming(not is_due, "at_discard")
    is_told_late = ("ankan", "tsumo", "dora") in after_kan
    follows = [sequence[1:] for sequence in opened]
    if any(
        sequence[:1] == ("dora",)
        or (sequence[:2] == ("tsumo", "dora") and (is_told_late or sequence[2:3] == ("hora",)))
        for sequence in follows
    ):
        return KanDoraTiming(True, "before_replacement")
    thrown_first = [sequence for sequence in follows if sequence[:3] == ("tsumo", "dahai", "dora")]
    if thrown_first and not any(sequence[3:4] == ("hora",) for sequence in thrown_first):
        return KanDoraTiming(True, "after_discard_passes")
    return KanDoraTiming(True, "at_discard")


def _is_dora_due(lines: Sequence[MjaiLine]) -> bool:
    """Return whether a kan's indicator is still to be revealed, so that the next indicator may
    belong to that kan."""
    kinds = [line.type for line in lines]
    return kinds.count("dora") < sum(kind in _KANS for kind in kinds)


def _kan_indexes(lines: Sequence[MjaiLine]) -> list[int]:
    return [at for at, line in enumerate(lines) if line.type in _KANS]


def _events_after_kan(lines: Sequence[MjaiLine], kan: int) -> tuple[str, ...]:
    """Return the event types from the kan at index `kan` up to the next kan or the end, without
    paid riichi sticks."""
    kinds = [lines[kan].type]
    for line in lines[kan + 1 :]:
        if line.type != "reach_accepted":
            kinds.append(line.type)
        if line.type in (*_KANS, *_ENDS) or len(kinds) > 5:
            break
    return tuple(kinds)


def order_for_engine(lines: Sequence[MjaiLine], rules: RuleSet) -> list[MjaiLine]:
    """Move each indicator of a hand to the place where the engine reveals it under these rules."""
    ordered = list(lines)
    for at in _kan_indexes(lines):
        is_at_once = lines[at].type == "ankan" or rules.open_kan_dora == "before_replacement"
        kinds = [line.type for line in ordered[at + 1 : at + 4]]
        if is_at_once and kinds[:2] == ["tsumo", "dora"]:
            _swap_with_next(ordered, at + 1)
        elif rules.open_kan_dora == "at_discard" and kinds == ["tsumo", "dahai", "dora"]:
            _swap_with_next(ordered, at + 2)
    for at, line in enumerate(lines):
        kinds = [line.type for line in ordered[at + 1 : at + 3]]
        if line.type == "kita" and kinds == ["tsumo", "dora"]:  # due for a kan before the north
            _swap_with_next(ordered, at + 1)
    return ordered


def _swap_with_next(lines: list[MjaiLine], at: int) -> None:
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


_RED_FIVES: Final = ("5mr", "5pr", "5sr")
_TONPU: Final = 4
START_TYPES: Final = frozenset({"start_game", "hello", "none"})
"""The types of events before the first hand."""


def is_mjai(text: str) -> bool:
    """Return whether the text looks like mjai."""
    is_json = text.lstrip()[:1] in ("{", "[")
    return '"type"' in text[:200] or (is_json and '"start_kyoku"' in text)


def read_mjai(text: str) -> RecordedGame:
    """Return the game in this text. Raises `RecordError` for a damaged record, `UnsupportedRecord`
    for a game that the engine does not play."""
    return game_from_lines(_read_lines(text), text)


def game_from_lines(lines: Sequence[MjaiLine], text: str, base: RuleSet = TENHOU) -> RecordedGame:
    """Return the game of these events. `text` is the whole record. `base` has the rules that cannot
    be inferred from the events."""
    begin = [at for at, line in enumerate(lines) if line.type == "start_kyoku"]
    if not begin:
        raise RecordError("the record contains no hand: no start_kyoku")
    start: dict[str, Any] = {}
    for line in lines[: begin[0]]:
        if line.type not in START_TYPES:
            what = line.fields.get(DAMAGE_TYPE, f"{line.type!r} before the first hand")
            raise RecordError(f"line {line.number}: {what}")
        start |= line.fields
    played = _correct_stick_deltas(
        [list(lines[at:end]) for at, end in zip(begin, [*begin[1:], None], strict=True)]
    )
    players = _count_players(played)
    if players != base.players:
        base = preset("tenhou-3")
    mark = read_own_mark(start.get(MARK_KEY), text)
    rules, *others = [mark.rules] if mark else _possible_lengths(_infer_rules(played, base), start)
    if rules.players != players:
        raise RecordError(f"the record is of {players} players, its mark of {rules.players}")
    scores = Scores(rules.start_points, players)
    hands = tuple(
        [
            _read_hand(number, lines, rules, scores, mark, is_last=lines is played[-1])
            for number, lines in enumerate(played)
        ]
    )
    if lines[-1].type == CUT_TYPE and isinstance(hands[-1], RecordedHand):
        fault = f"the file ends within line {lines[-1].number}"
        hands = (*hands, BadHand(len(hands), fault, is_cut_off=True))
    event_types = ALL_EVENT_TYPES
    if not any(line.type == "reach_accepted" for line in lines):
        event_types -= {RiichiAccepted}
    game = RecordedGame(
        "mjai", "line", rules, hands, event_types=event_types, coarse_yaku=MJAI_COARSE
    )
    unknown = {"scores": scores.had_gaps, "kan_dora": not rules.kan_dora and not mark}
    game = replace(
        game,
        other_rules=tuple(others),
        names=read_player_names(start.get("names"), players),
        unknown=frozenset(name for name, is_unknown in unknown.items() if is_unknown),
    )
    return with_own_rules(_with_end(game, lines), mark)


def _read_lines(text: str) -> list[MjaiLine]:
    """Return all events. An unreadable line becomes a damaged event."""
    if not text.lstrip().startswith("["):
        rows = [row for row in enumerate(text.rstrip().split("\n"), start=1) if row[1].strip()]
        return [_read_line(*row, is_last=row is rows[-1]) for row in rows]
    try:
        events = msgspec.json.decode(text, type=list[Any])
    except msgspec.DecodeError as error:
        events, is_whole = read_whole_values(text, text.index("[") + 1)
        if is_whole or not events or str(error) != TRUNCATED:
            raise RecordError(f"the JSON is damaged: {error}") from None
        events.append({"type": CUT_TYPE})
    return [normalize_event(number, event) for number, event in enumerate(events, start=1)]


def _read_line(number: int, row: str, *, is_last: bool) -> MjaiLine:
    try:
        return normalize_event(number, msgspec.json.decode(row))
    except msgspec.DecodeError as error:
        if is_last and str(error) == TRUNCATED:
            return MjaiLine(number, CUT_TYPE, {})
        return damaged_line(number, str(error))


def _count_players(played: Sequence[Sequence[MjaiLine]]) -> int:
    """Return the number of players, 3 or 4. A game has three if its first deal has three hands or
    an empty fourth, or if a north is set aside. Raises `UnsupportedRecord` for other numbers."""
    has_north = any(line.type == "kita" for lines in played for line in lines)
    rows = played[0][0].fields.get("tehais")
    if not isinstance(rows, list):  # `read_mjai_hand` says that the line is damaged
        return 3 if has_north else 4
    if any("?" in row for row in rows if isinstance(row, list)):
        raise UnsupportedRecord("tiles are hidden: the log of one seat, not of the table")
    if len(rows) not in SEATS_OF:
        raise UnsupportedRecord(f"this is not riichi: {len(rows)} seats")
    return 3 if len(rows) == 3 or rows[3] == [] or has_north else 4


def _infer_rules(played: Sequence[Sequence[MjaiLine]], base: RuleSet) -> RuleSet:
    """Infer the rules that affect single hands, such as red fives and kan dora."""
    has_reds = any(_has_red(list(line.fields.values())) for lines in played for line in lines)
    timing = kan_dora_timing(played)
    return replace(
        base,
        red_fives=base.red_fives if has_reds else (0, 0, 0),
        kan_dora=timing.has_kan_dora,
        kan_ura=timing.has_kan_dora,
        open_kan_dora=timing.open_kan,
        pending_dora_at_robbery=base.pending_dora_at_robbery
        and timing.open_kan != "before_replacement",
    )


def _has_red(value: Any) -> bool:
    """Return whether a red five is among these values or nested lists of values."""
    if isinstance(value, list):
        return any(map(_has_red, value))
    return isinstance(value, str) and value in _RED_FIVES


def _possible_lengths(rules: RuleSet, start: dict[str, Any]) -> tuple[RuleSet, ...]:
    """Return the rules once for each possible length of the game, the likeliest first. Some servers
    record the length, some play no extra round, and some let a leading dealer stop below the goal
    in the very last hand."""
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


def _read_hand(
    number: int,
    lines: Sequence[MjaiLine],
    rules: RuleSet,
    scores: Scores,
    mark: OwnMark | None,
    *,
    is_last: bool,
) -> RecordedHand | BadHand:
    ordered = lines if mark else order_for_engine(lines, rules)
    return read_mjai_hand(number, ordered, rules, scores, is_last=is_last)


def _with_end(game: RecordedGame, lines: Sequence[MjaiLine]) -> RecordedGame:
    ends = [line for line in lines if line.type == "end_game"]
    if not ends:
        return game
    scores = ends[-1].fields.get("scores")
    if scores is None:
        return replace(game, is_over=True)
    try:
        return replace(
            game, is_over=True, final_scores=read_numbers_by_seat(scores, game.rules.players)
        )
    except (TypeError, ValueError):
        text = f"line {ends[-1].number}: these are not final scores: {scores}"
        raise RecordError(text) from None


_RESULTS = ("hora", "ryukyoku")


def _correct_stick_deltas(played: Sequence[list[MjaiLine]]) -> list[list[MjaiLine]]:
    """Return the hands with deltas that do not include riichi sticks paid in the same hand.

    Some servers subtract these sticks again in the result. Hands are corrected only if this
    explains the deltas of every hand in which a stick was paid.
    """
    sums = [_delta_sums(lines) for lines in played]
    known = [found for found in sums if found is not None]
    if not known or any(total != with_sticks for total, with_sticks in known):
        return list(played)
    return [
        lines if found is None else _with_sticks_in_deltas(lines)
        for lines, found in zip(played, sums, strict=True)
    ]


def _delta_sums(lines: Sequence[MjaiLine]) -> tuple[int, int] | None:
    """Return the sum of the deltas that a hand records, and the sum that it would have if sticks
    were subtracted again. None for a hand without a paid stick, or with invalid deltas."""
    results = [line for line in lines if line.type in _RESULTS]
    all_deltas = [line.fields.get("deltas") for line in results]
    paid = _stick_payers(lines)
    if not results or not paid or not all(map(_is_by_seat, all_deltas)):
        return None
    kyotaku = lines[0].fields.get("kyotaku", 0)
    if not isinstance(kyotaku, int):
        return None
    collected = 0 if results[0].type == "ryukyoku" else STICK_POINTS * (kyotaku + len(paid))
    total = sum(sum(deltas) for deltas in all_deltas if deltas)
    return total, collected - STICK_POINTS * len(paid)


def _is_by_seat(deltas: Any) -> bool:
    return (
        isinstance(deltas, list)
        and len(deltas) in SEATS_OF
        and all(isinstance(delta, int) for delta in deltas)
    )


def _stick_payers(lines: Sequence[MjaiLine]) -> list[Any]:
    return [line.fields.get("actor") for line in lines if line.type == "reach_accepted"]


def _with_sticks_in_deltas(lines: list[MjaiLine]) -> list[MjaiLine]:
    """Return the events with the hand's sticks added back to the seats that paid them, in the one
    result whose deltas subtract them."""
    paid = _stick_payers(lines)
    kyotaku = lines[0].fields.get("kyotaku", 0)
    places = [at for at, line in enumerate(lines) if line.type in _RESULTS]
    first = lines[places[0]].fields["deltas"]
    is_in_first = len(places) == 1 or sum(first) == STICK_POINTS * kyotaku
    at = places[0] if is_in_first else places[-1]
    deltas = [
        delta + STICK_POINTS * paid.count(seat)
        for seat, delta in enumerate(lines[at].fields["deltas"])
    ]
    changed = lines[at]._replace(fields=lines[at].fields | {"deltas": deltas})
    return [*lines[:at], changed, *lines[at + 1 :]]
