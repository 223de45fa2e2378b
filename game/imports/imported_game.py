"""Reads the game in an untrusted record, or returns why it is refused. Owns the limits of records.

`read_game` may take seconds and much memory for a hostile record. `reading_process` runs it in a
process with limits.
"""

from __future__ import annotations

import re
import zlib
from typing import Final

import msgspec
from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.events import Event, GameEnded, GameStarted
from game.records.compare import THE_ENGINE_FAILED, Difference
from game.records.reading import RecordTooLarge, read_text, refuse_other_files, unpack_text
from game.records.recorded import (
    BadHand,
    OtherFile,
    RecordedGame,
    RecordedHand,
    RecordError,
    UnsupportedRecord,
)
from game.records.validate import FileReport, engine_events, validate_game

MAX_BYTES: Final = 2 * 2**20
"""Of a record, both packed and unpacked."""
MAX_HANDS: Final = 100
"""A game of four rounds with many repeated hands has fewer."""
MAX_NAME: Final = 40
"""In characters."""
_MAX_TEXT: Final = 200
_JOINERS: Final = "\u200c\u200d"
"""Characters that join the parts of an emoji, or letters of some scripts."""
_MAX_DIFFERENCES: Final = 200
_LAST_KYOKU: Final = 15
_MAX_COUNTERS: Final = 1_000
_MAX_POINTS: Final = 10_000_000
_XML_ENTITY: Final = re.compile(r"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_LONE_ADDRESS: Final = re.compile(rb"\s*https?://\S*\s*", re.IGNORECASE)


class ImportedDifference(msgspec.Struct, frozen=True):
    """A difference between the record and its rules."""

    at: int
    """The place of the event in `ImportedGame.events`."""
    what: str
    """What differs, as in `game.records.compare.Difference`."""
    ours: str
    theirs: str


class ImportedGame(msgspec.Struct, frozen=True):
    """A game from a record, as replayed by the engine."""

    format: str
    """"mjlog", "tenhou6", "mjai" or "majiang"."""
    names: BySeat[str]
    """By seat; empty where the record has none."""
    hands: int
    is_over: bool
    """The record contains the end of the game, or the rules end it with the last hand."""
    has_own_rules: bool
    """The differences show that the game was played by rules that the record does not contain."""
    differences: tuple[ImportedDifference, ...]
    events: tuple[Event, ...]
    cut_hand: int = 0
    """The number of the hand, from 1, within which the record ends and which is left out; 0 for
    none."""
    unknown: tuple[str, ...] = ()
    """What the record leaves out, as in `FileReport.unknown`."""


class RefusedRecord(msgspec.Struct, frozen=True, tag=True):
    """The reason why a record is not imported."""

    code: str
    """The key of a translated text (`game.imports.texts`)."""
    detail: str = ""
    """Where the record is damaged and how, in English."""


class AcceptedRecord(msgspec.Struct, frozen=True, tag=True):
    """A record that is imported."""

    game: bytes
    """From `encode_game`."""
    names: BySeat[str]
    format: str
    is_over: bool


_game_decoder: Final = msgspec.msgpack.Decoder(ImportedGame)


def encode_game(game: ImportedGame) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(game), 9)


def decode_game(data: bytes | memoryview) -> ImportedGame:
    """Decode the output of `encode_game`. Raises ``ValueError`` or ``zlib.error`` for other
    bytes."""
    return _game_decoder.decode(zlib.decompress(data))


def read_record(raw: bytes) -> AcceptedRecord | RefusedRecord:
    """Return the game in these bytes, encoded for storage, or the reason for its refusal."""
    game = read_game(raw)
    if isinstance(game, RefusedRecord):
        return game
    try:
        data = encode_game(game)
        decode_game(data)  # checks the types of all values, which come from the record
    except (ValueError, OverflowError) as error:
        return _refuse_with_reason("damaged", error)
    return AcceptedRecord(data, game.names, game.format, game.is_over)


def read_game(raw: bytes) -> ImportedGame | RefusedRecord:
    """Return the game in these bytes, replayed in the engine, or the reason for its refusal."""
    if not raw.strip():
        return RefusedRecord("empty")
    if _LONE_ADDRESS.fullmatch(raw) and b"#json=" not in raw:
        return RefusedRecord("address")
    try:
        text = unpack_text(raw, max_bytes=MAX_BYTES)
        refuse_other_files(text)
        if _XML_ENTITY.search(text):
            return RefusedRecord("entities")
        game = read_text(text)
    except RecordTooLarge:
        return RefusedRecord("too_large")
    except OtherFile as reason:
        return _refuse_with_reason(reason.code, reason)
    except UnsupportedRecord as reason:
        return _refuse_with_reason("unsupported", reason)
    except RecordError as error:
        return _refuse_with_reason("damaged", error)
    return _replay_game(game)


def _replay_game(game: RecordedGame) -> ImportedGame | RefusedRecord:
    if len(game.hands) > MAX_HANDS:
        return RefusedRecord("too_long")
    for hand in game.hands:
        if isinstance(hand, BadHand) and hand.is_cut_off and hand is not game.hands[0]:
            continue
        if isinstance(hand, BadHand):
            return _refuse_with_reason("damaged", f"hand {hand.number + 1}, {hand.fault}")
        if fault := _impossible_number_in(hand):
            return _refuse_with_reason("damaged", f"hand {hand.number + 1}: {fault}")
    report = validate_game("", game)
    if report.unsupported:
        return _refuse_with_reason("unsupported", report.unsupported)
    found = [*report.differences, *report.own_rule_differences]
    for difference in found:
        if difference.what == THE_ENGINE_FAILED:
            return _refuse_with_reason(
                "damaged", f"hand {difference.hand + 1}: it cannot be played"
            )
    return _imported_game(game, report, found)


def _imported_game(game: RecordedGame, report: FileReport, found: list[Difference]) -> ImportedGame:
    given = [*map(_clean_name, game.names)]
    names = (*given, *[""] * (game.rules.players - len(given)))
    events = [
        replace(event, names=names) if isinstance(event, GameStarted) else event
        for event in engine_events(game, report)
    ]
    whole = [hand for hand in game.hands if isinstance(hand, RecordedHand)]
    found.sort(key=lambda difference: difference.at)
    return ImportedGame(
        format=game.format,
        names=names,
        hands=len(whole),
        is_over=game.is_over or any(isinstance(event, GameEnded) for event in events),
        has_own_rules=bool(report.own_rules),
        differences=tuple(
            [_imported_difference(difference) for difference in found[:_MAX_DIFFERENCES]]
        ),
        events=tuple(events),
        cut_hand=len(game.hands) if len(whole) < len(game.hands) else 0,
        unknown=tuple(sorted(report.unknown)),
    )


def _imported_difference(found: Difference) -> ImportedDifference:
    return ImportedDifference(
        found.at,
        found.what,
        _without_control_characters(found.ours),
        _without_control_characters(found.theirs),
    )


def _impossible_number_in(hand: RecordedHand) -> str:
    """Describe the first impossible number (such as honba or points) of the hand; '' if there is
    none."""
    if not _is_count(hand.kyoku, _LAST_KYOKU):
        return f"there is no round {hand.kyoku!r}"
    if not _is_count(hand.honba, _MAX_COUNTERS):
        return f"{hand.honba!r} honba"
    if hand.kyotaku is not None and not _is_count(hand.kyotaku, _MAX_COUNTERS):
        return f"{hand.kyotaku!r} riichi sticks"
    scores = hand.scores or ()
    if not all(_is_count(score + _MAX_POINTS, 2 * _MAX_POINTS) for score in scores):
        return "scores out of range"
    return ""


def _is_count(value: object, at_most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= at_most


def _refuse_with_reason(code: str, why: object) -> RefusedRecord:
    return RefusedRecord(code, _without_control_characters(str(why)))


def _clean_name(name: str) -> str:
    """Return the name without control characters and marks that change the writing direction."""
    return _without_control_characters(name)[:MAX_NAME].strip(f" {_JOINERS}")


def _without_control_characters(text: str) -> str:
    return "".join(
        sign if sign.isprintable() or sign in _JOINERS else " " for sign in text[:_MAX_TEXT]
    )
