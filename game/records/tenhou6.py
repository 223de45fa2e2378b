"""Reads the JSON of tenhou.net/6: one array of 17 fields for each hand.

Each seat's draws and discards are separate lists; `tenhou6_order` puts them in order. The record
contains the indicators that were open at the end, but not when each was revealed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec.structs import replace

from game.engine.events import Drawn
from game.engine.presets import preset
from game.engine.rules import RuleSet
from game.engine.state import DEALS_PER_ROUND
from game.records.cut_json import TRUNCATED, read_first_value, read_whole_values
from game.records.own import read_own_mark, with_own_rules
from game.records.recorded import (
    MOVE_TYPES,
    BadHand,
    CutOff,
    RecordedEvent,
    RecordedGame,
    RecordedHand,
    RecordError,
    Versions,
    read_numbers_by_seat,
    read_player_names,
)
from game.records.recorded_wall import RecordedWall
from game.records.tenhou6_order import order_moves, tile_from_number
from game.records.tenhou6_results import Unfinished, read_results
from game.records.tenhou_versions import USUAL_REDS, tenhou_versions
from game.records.yaku_names import NUKIDORA_AS_DORA

_FIELDS: Final = 17
_FIELDS_OF_SEAT: Final = 3
"""Lists for each seat. A hand of three players has the empty lists of a fourth."""
_NORTH_SET_ASIDE: Final = '"f44"'
_THREE_PLAYERS: Final = ("三", "3-Player")
_TENHOU_ROOMS: Final = re.compile(r"三?[般上特鳳若銀琥孔技雀].*[東南]")
_SOUL_ROOMS: Final = ("の間", "戦", "Room", "Friendly", "Tournament", "Tounament")
_SOUL_PRIVATE: Final = ("友人戦", "大会", "Friendly", "Tournament", "Tounament")
_SOUL_PRESETS: Final = {4: "mahjong-soul", 3: "mahjong-soul-3"}
_SOUTH_SIGNS: Final = ("南", "South")
"""What names the length of a game in the name of its room; some writers leave it out."""
_LOG_KEY: Final = re.compile(r'"log"\s*:')
_TILE_DIGITS: Final = re.compile(r"\d\d")
_RED_FIVE_NUMBERS: Final = ("51", "52", "53")
_SOUL_REF: Final = re.compile(r"\d{6}-[0-9a-f]{8}-")
_RedFives = Annotated[int, msgspec.Meta(ge=0, le=4)]


class _Rule(msgspec.Struct):
    disp: str = ""
    aka: _RedFives | None = None
    aka51: _RedFives | None = None
    aka52: _RedFives | None = None
    aka53: _RedFives | None = None


class _File(msgspec.Struct):
    log: list[Any]
    rule: _Rule = msgspec.field(default_factory=_Rule)
    ref: str = ""
    lobby: Any = 0
    sc: list[float] | None = None
    name: Any = None
    mark: Any = msgspec.field(default=None, name="house")


def is_tenhou6(text: str) -> bool:
    """Return whether the text looks like the JSON of tenhou.net/6: an object with a log."""
    return text.lstrip().startswith("{") and bool(_LOG_KEY.search(text))


def read_tenhou6(text: str) -> RecordedGame:
    """Return the game in this text. Raises `RecordError` for a damaged record, `UnsupportedRecord`
    for a game that the engine does not play."""
    file, is_cut_off = _read_file(text)
    if not file.log:
        raise RecordError("the record contains no hand: the log is empty")
    mark = read_own_mark(file.mark, text)
    has_three = any(sign in file.rule.disp for sign in _THREE_PLAYERS) or _NORTH_SET_ASIDE in text
    versions = () if mark else _possible_versions(file, 3 if has_three else 4)
    rules = mark.rules if mark else versions[0][1]
    hands = [
        _try_read_hand(
            number, fields, rules, is_last=number == len(file.log) - 1 and not is_cut_off
        )
        for number, fields in enumerate(file.log)
    ]
    if is_cut_off:
        hands.append(BadHand(len(hands), "the JSON ends too early", is_cut_off=True))
    game = RecordedGame(
        "tenhou6",
        "move",
        rules,
        tuple(hands),
        event_types=MOVE_TYPES,
        may_omit_sticks=True,
        coarse_yaku=NUKIDORA_AS_DORA,
        names=read_player_names(file.name, rules.players),
    )
    game = replace(game, versions=versions, own_rules=_own_rules_reason(file))
    stops = isinstance(hands[-1], BadHand) and hands[-1].is_cut_off
    if file.sc and not stops:
        game = _with_end(game, file.sc)
    return with_own_rules(game, mark)


def _read_file(text: str) -> tuple[_File, bool]:
    """Return the file, and whether its text breaks off within a hand. Raises `RecordError` if the
    file is damaged or has no complete hand."""
    try:
        return msgspec.json.decode(text, type=_File), False
    except msgspec.DecodeError as error:
        begin = re.search(r'"log"\s*:\s*\[', text)
        if str(error) == TRUNCATED and begin:
            log, _ = read_whole_values(text, begin.end())
            named = {
                name: read_first_value(text, name) for name in ("rule", "name", "ref", "lobby")
            }
            given = {name: value for name, value in named.items() if value is not None}
            if log:
                return msgspec.convert({"log": log, **given}, _File), True
        raise RecordError(f"the JSON is damaged: {error}") from None


def _possible_versions(file: _File, players: int) -> Versions:
    """Return the rules that the game may have used: those of the room named in the file, or
    Tenhou's."""
    room = file.rule.disp
    is_east = "南" not in room and ("東" in room or "East" in room)
    length: Literal["east", "east_south"] = "east" if is_east else "east_south"
    red_fives = _count_red_fives(file, players)
    if _is_soul(file):
        soul = replace(preset(_SOUL_PRESETS[players]), length=length, red_fives=red_fives)
        name = f"{soul.name} version {soul.version}"
        if is_east or any(sign in room for sign in _SOUTH_SIGNS):
            return ((name, soul),)
        return ((name, soul), (f"{name}, East", replace(soul, length="east")))
    kuitan = not _TENHOU_ROOMS.match(room) or "喰" in room
    return tenhou_versions(players, length=length, red_fives=red_fives, kuitan=kuitan)


def _is_soul(file: _File) -> bool:
    """Return whether the file is a game of Mahjong Soul."""
    return bool(_SOUL_REF.match(file.ref)) or any(sign in file.rule.disp for sign in _SOUL_ROOMS)


def _own_rules_reason(file: _File) -> str:
    """Explain why the game may have used rules that the file does not contain; empty if it has
    not."""
    if _is_soul(file):
        is_private = any(sign in file.rule.disp for sign in _SOUL_PRIVATE)
        return f"a private table, {file.rule.disp}" if is_private else ""
    if file.lobby not in (0, "", "0", None):
        return f"a private table, lobby {file.lobby}"
    if not _TENHOU_ROOMS.match(file.rule.disp):
        return "an edited file, it names no room that is known"
    return ""


def _count_red_fives(file: _File, players: int) -> tuple[int, int, int]:
    """Return the number of red fives of each suit. If no red five appears in the file, return none:
    red fives that nobody saw make no difference. Some files are marked as red but have four plain
    fives."""
    if not any(_has_red_five(fields) for fields in file.log):
        return 0, 0, 0
    rule = file.rule
    if rule.aka51 is None and rule.aka is None:
        return USUAL_REDS[players]
    every = rule.aka or 0
    counts = (rule.aka51 or every, rule.aka52 or every, rule.aka53 or every)
    man, pin, sou = [
        count * (usual > 0) for count, usual in zip(counts, USUAL_REDS[players], strict=True)
    ]
    return man, pin, sou


def _has_red_five(fields: Any) -> bool:
    """Return whether a red five is among the tiles in these fields."""
    lists = fields[2:-1] if isinstance(fields, list) else []
    entries = [entry for row in lists if isinstance(row, list) for entry in row]
    return any(
        red in (_TILE_DIGITS.findall(entry) if isinstance(entry, str) else (str(entry),))
        for entry in entries
        for red in _RED_FIVE_NUMBERS
    )


def _with_end(game: RecordedGame, sc: Sequence[float]) -> RecordedGame:
    """Return the game with its final scores and points, which the record lists in pairs."""
    if len(sc) < 8:
        raise RecordError(f"the final scores cannot be read: sc={list(sc)}")
    players = game.rules.players
    try:
        scores = read_numbers_by_seat([round(score) for score in sc[0:8:2]], players)
    except (ValueError, OverflowError) as error:
        raise RecordError(f"the final scores cannot be read: {error}") from None
    points = tuple([float(point) for point in sc[1 : 2 * players : 2]])
    return replace(game, is_over=True, final_scores=scores, final_points=points)


def _try_read_hand(
    number: int, fields: Any, rules: RuleSet, *, is_last: bool
) -> RecordedHand | BadHand:
    try:
        return _read_hand(number, fields, rules)
    except CutOff as error:
        return BadHand(number, str(error), is_cut_off=is_last)
    except (ValueError, IndexError, TypeError) as error:
        return BadHand(number, str(error))


def _read_hand(number: int, fields: Any, rules: RuleSet) -> RecordedHand:
    if isinstance(fields, list) and (len(fields) == _FIELDS - 1 or fields[-1:] in ([[]], [None])):
        raise CutOff("the hand has no result")
    if not isinstance(fields, list) or len(fields) != _FIELDS:
        raise ValueError(f"a hand has {_FIELDS} fields")
    (kyoku, honba, kyotaku), scores, markers, ura_markers, *seats, result = fields
    if any(seats[_FIELDS_OF_SEAT * rules.players :]):
        raise ValueError("there is a fourth player, and three play")
    seats = seats[: _FIELDS_OF_SEAT * rules.players]
    draws, discards = seats[1::_FIELDS_OF_SEAT], seats[2::_FIELDS_OF_SEAT]
    recorded_wall = RecordedWall(rules, kyoku % DEALS_PER_ROUND)
    with _add_place_to_errors("the indicators"):
        indicators, ura = _read_tiles(markers), _read_tiles(ura_markers)
        if not indicators:
            raise ValueError("there are none")
        for marker in indicators:
            recorded_wall.place_indicator(marker)
        recorded_wall.place_ura(ura)
    tehais = []
    for seat, row in enumerate(seats[::_FIELDS_OF_SEAT]):
        with _add_place_to_errors(f"the deal of seat {seat}"):
            tehais.append(tuple(sorted(_read_tiles(row))))
            recorded_wall.deal(seat, tehais[-1])
    moves = order_moves(kyoku % DEALS_PER_ROUND, tehais, draws, discards)
    for at, move in enumerate(moves):
        if isinstance(move, Drawn):
            with _add_place_to_errors(f"move {at}, the draw of seat {move.actor}"):
                recorded_wall.draw(move.pai, rinshan=move.rinshan)
    read_result = partial(read_results, result, ura, indicators, rules.players)
    events, broken_off = _add_result(moves, read_result)
    return RecordedHand(
        number=number,
        kyoku=kyoku,
        honba=honba,
        kyotaku=kyotaku,
        scores=read_numbers_by_seat(scores, rules.players),
        dora_marker=indicators[0],
        tehais=tuple(tehais),
        wall=recorded_wall.wall(),
        events=events,
        places=tuple(range(len(events))),
        indicators=indicators,
        knows_ura=bool(ura),
        broken_off=broken_off,
    )


def _add_result(
    moves: Sequence[RecordedEvent], read_result: Callable[[], tuple[RecordedEvent, ...]]
) -> tuple[tuple[RecordedEvent, ...], str]:
    """Return the moves with the result of the hand, and the reason if the record breaks off
    instead."""
    with _add_place_to_errors("the result"):
        try:
            return (*moves, *read_result()), ""
        except Unfinished as reason:
            return tuple(moves), str(reason)


def _read_tiles(row: Sequence[Any]) -> tuple[int, ...]:
    return tuple([tile_from_number(tile) for tile in row])


@contextmanager
def _add_place_to_errors(place: str) -> Iterator[None]:
    """Prefix the place to the message of errors raised inside the block."""
    try:
        yield
    except (ValueError, IndexError, TypeError) as error:
        raise ValueError(f"{place}: {error}") from None
