"""Records from unknown sources are read or refused with a reason, and differences are marked at
their events."""

from __future__ import annotations

import ast
import gzip
import json
import random
import re
import urllib.parse
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from game import records
from game.engine.events import (
    AnkanDeclared,
    DaiminkanCalled,
    GameStarted,
    HandDrawn,
    HandEnded,
    HandStarted,
    KakanDeclared,
    NorthSetAside,
    PonCalled,
    RiichiDeclared,
    Won,
)
from game.engine.evolve import evolve
from game.engine.presets import preset
from game.engine.rules import RuleSet
from game.engine.state import Table
from game.imports.imported_game import (
    MAX_BYTES,
    MAX_HANDS,
    AcceptedRecord,
    ImportedGame,
    RefusedRecord,
    decode_game,
    read_game,
    read_record,
)
from game.imports.texts import DIFFERENCES, FAULTS, REFUSALS, fault_of, value_text
from game.records.compare import event_text
from game.records.reading import read_recorded_game
from game.records.recorded import RecordedHand
from tests.records import writing
from tests.records.own_games import Hands, random_game

FIXTURES = Path(__file__).parent.parent / "records" / "fixtures"
MJLOG = (FIXTURES / "own.mjlog").read_bytes()
TENHOU6 = (FIXTURES / "own.json").read_bytes()
MJAI = (FIXTURES / "own.mjson").read_bytes()


def read_imported(raw: bytes) -> ImportedGame:
    game = read_game(raw)
    assert isinstance(game, ImportedGame), game
    return game


def read_refused(raw: bytes) -> RefusedRecord:
    outcome = read_record(raw)
    assert isinstance(outcome, RefusedRecord)
    assert outcome.code in REFUSALS
    return outcome


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (MJLOG, "mjlog"),
        (gzip.compress(MJLOG, mtime=0), "mjlog"),
        (gzip.compress(MJLOG[:99], mtime=0) + gzip.compress(MJLOG[99:], mtime=0), "mjlog"),
        (TENHOU6, "tenhou6"),
        (b"https://tenhou.net/6/#json=" + urllib.parse.quote(TENHOU6).encode(), "tenhou6"),
        (b" http://tenhou.net/6/#json=" + TENHOU6.strip() + b"&ts=3\n", "tenhou6"),
        (b"\xef\xbb\xbf" + MJAI, "mjai"),
        (MJAI.replace(b"\n", b"\r\n"), "mjai"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_form_of_a_record_is_read(raw: bytes, kind: str) -> None:
    game = read_imported(raw)
    assert (game.format, game.differences) == (kind, ())
    assert sum(isinstance(event, HandStarted) for event in game.events) == game.hands > 0


@pytest.mark.parametrize("raw", [MJLOG, TENHOU6, MJAI], ids=["mjlog", "tenhou6", "mjai"])
def test_events_can_be_stored_and_replayed_to_the_end(raw: bytes) -> None:
    accepted = read_record(raw)
    assert isinstance(accepted, AcceptedRecord)
    game = decode_game(accepted.game)
    assert game == read_imported(raw)
    table = Table()
    for event in game.events:
        table = evolve(table, event)
    assert table.placement
    assert game.is_over


@pytest.mark.parametrize("write", [writing.mjlog, writing.tenhou6, writing.mjai])
def test_game_of_three_players_is_read(write: Callable[[Hands, RuleSet], str]) -> None:
    rules = preset("tenhou-3")
    game = read_imported(write(random_game(1, rules), rules).encode())
    assert game.differences == ()
    assert len(game.names) == 3
    assert any(isinstance(event, NorthSetAside) for event in game.events)


def test_names_are_those_of_the_record_without_control_characters() -> None:
    record = json.loads(TENHOU6)
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    record["name"] = ["A\u0000\u202eB", "x" * 99, f"<b>{family}", "\u3042 \n"]
    game = read_imported(json.dumps(record).encode())
    assert game.names == ("A  B", "x" * 40, f"<b>{family}", "\u3042")
    start = game.events[0]
    assert isinstance(start, GameStarted)
    assert start.names == game.names


@pytest.mark.parametrize("names", [None, 5, ["a"], [1, 2, 3, 4], {"a": []}])
def test_values_that_are_no_names_become_empty_names(names: Any) -> None:
    record = json.loads(TENHOU6) | {"name": names}
    assert read_imported(json.dumps(record).encode()).names == ("", "", "", "")


def test_difference_is_marked_at_its_event() -> None:
    lines = [json.loads(line) for line in MJAI.splitlines()]
    wins = [line for line in lines if line["type"] == "hora"]
    wins[1]["deltas"] = [value + 100 for value in wins[1]["deltas"]]
    game = read_imported("\n".join(map(json.dumps, lines)).encode())
    first = game.differences[0]
    won = [at for at, event in enumerate(game.events) if isinstance(event, Won)]
    assert (first.what, first.at) == ("payments", won[1])
    assert {difference.what for difference in game.differences} <= DIFFERENCES.keys()
    assert sum(isinstance(event, HandStarted) for event in game.events) == game.hands


def test_hand_that_breaks_a_rule_ends_and_the_next_follows() -> None:
    lines = [json.loads(line) for line in MJAI.splitlines()]
    starts = [at for at, line in enumerate(lines) if line["type"] == "start_kyoku"]
    discards = [at for at, line in enumerate(lines) if line["type"] == "dahai"]
    changed = next(at for at in discards if at > starts[1] + 9)
    lines[changed]["pai"] = "C" if lines[changed]["pai"] != "C" else "F"
    lines[changed]["tsumogiri"] = False
    game = read_imported("\n".join(map(json.dumps, lines)).encode())
    dealt = [at for at, event in enumerate(game.events) if isinstance(event, HandStarted)]
    assert len(dealt) == game.hands == len(starts)
    assert dealt[1] < game.differences[0].at < dealt[2]


def test_hand_continues_as_recorded_after_a_broken_rule() -> None:
    lines = [json.loads(line) for line in MJAI.splitlines()]
    riichi = next(at for at, line in enumerate(lines) if line["type"] == "reach")
    start = max(at for at in range(riichi) if lines[at]["type"] == "start_kyoku")
    number = sum(line["type"] == "start_kyoku" for line in lines[: start + 1])
    lines[start]["scores"] = [500, 500, 500, 500]
    game = read_imported("\n".join(map(json.dumps, lines)).encode())
    dealt = [at for at, event in enumerate(game.events) if isinstance(event, HandStarted)]
    hand = game.events[dealt[number - 1] : [*dealt, len(game.events)][number]]
    illegal = next(difference for difference in game.differences if difference.what == "illegal")
    assert isinstance(game.events[illegal.at], RiichiDeclared)
    assert isinstance(hand[-1], HandEnded), "the hand ends as recorded"
    assert isinstance(hand[-2], Won | HandDrawn)
    results = [line for line in lines[start:] if line["type"] in ("hora", "ryukyoku")]
    assert list(hand[-2].deltas) == results[0]["deltas"]
    table = Table()
    for event in game.events:
        table = evolve(table, event)


# Refusals

HANDS = len(json.loads(TENHOU6)["log"])


def deep(depth: int, *, head: str = '{"title":["",""],"log":') -> bytes:
    return (head + "[" * depth).encode()


def many_hands() -> bytes:
    record = json.loads(TENHOU6)
    record["log"] *= MAX_HANDS // HANDS + 1
    return json.dumps(record).encode()


BOMB = b'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>'


@pytest.mark.parametrize(
    ("code", "raw"),
    [
        ("empty", b""),
        ("empty", b" \r\n"),
        ("address", b"http://tenhou.net/0/?log=2009060321gm-00b9-0000-3bcc7e07&tw=0"),
        ("address", b"http://127.0.0.1:6379/"),
        ("too_large", b" " * MAX_BYTES + b"{}"),
        ("too_large", gzip.compress(b"<mjloggm>" + b" " * MAX_BYTES, mtime=0)),
        ("too_large", gzip.compress(bytes(2**26), 9, mtime=0)),
        ("entities", BOMB + MJLOG),
        ("entities", MJLOG.replace(b"<GO", b"<!entity x SYSTEM 'file:///etc/passwd'><GO")),
        ("entities", gzip.compress(BOMB + MJLOG, mtime=0)),
        ("damaged", gzip.compress(gzip.compress(MJLOG, mtime=0), mtime=0)),
        ("html", b"\n<!DOCTYPE html>\n<html><body>log</body></html>"),
        ("html", gzip.compress(b"<html lang='ja'><a href='#'>log</a></html>", mtime=0)),
        ("soul_export", b'{"head":{"uuid":"231-x","accounts":[{"seat":0}]},"data":"x"}'),
        ("soul_export", b"\x0a\x19.lq.GameDetailRecords\x12" + bytes(50)),
        ("zip", b"PK\x03\x04" + bytes(99)),
        ("damaged", b"\x1f\x8b" + bytes(40)),
        ("damaged", zlib.compress(MJLOG)),
        ("damaged", deep(1_000_000)),
        ("damaged", deep(1_000_000, head='{"type":"start_game","names":')),
        ("damaged", b'{"type":' * 200_000),
        ("damaged", deep(1_000_000, head='[{"type":')),
        ("damaged", MJLOG[:2000]),
        ("damaged", TENHOU6[: TENHOU6.index(b'"log"') + 60]),
        ("damaged", MJAI[:2000]),
        ("damaged", b"hello"),
        ("damaged", b"\x89PNG\r\n\x1a\n" + bytes(99)),
        ("damaged", TENHOU6.replace(b"25000", b"99999999999999999999", 1)),
        ("damaged", MJLOG.replace(b'owari="435', b'owari="' + b"9" * 4_000)),
        ("damaged", MJLOG.replace(b",53.0,", b",1e999,")),
        ("damaged", TENHOU6.replace(b'"aka":1', b'"aka":' + b"9" * 19)),
        ("damaged", MJLOG.replace(b'<GO type="161"', b'<GO type="177"')),
        ("too_long", many_hands()),
    ],
)
def test_refusal_names_its_reason(code: str, raw: bytes) -> None:
    assert read_refused(raw).code == code


def test_damage_is_named_with_its_place() -> None:
    assert "line" in read_refused(MJAI.replace(b'"dahai"', b'"dance"', 1)).detail


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
@pytest.mark.parametrize(
    ("raw", "code", "place"),
    [
        (MJAI.replace(b'"dahai"', b'"dance"', 1), "unknown", r"1\D+\d"),
        (MJLOG[:2000], "ends_early", ""),
        (TENHOU6[: TENHOU6.index(b'"log"') + 60], "json", ""),
        (b"\x1f\x8b" + bytes(40), "packed", ""),
        (b"hello", "format", ""),
        (deep(1_000_000), "nested", ""),
        (MJAI.replace(b'"pai"', b'"pie"', 1), "missing", r"1\D+\d"),
    ],
)
def test_damage_is_named_in_the_language_of_the_reader(
    raw: bytes, code: str, place: str, language: str
) -> None:
    with translation.override(language):
        fault = fault_of(read_refused(raw).detail)
        assert fault.code == code
        assert str(FAULTS[code]) in fault.text
        assert re.search(place, fault.text)
        assert language == "en" or not re.search(r"\b(line|the|hand|unknown)\b", fault.text)


def texts_of_the_readers() -> set[str]:
    """Return the English texts with which readers of records refuse, their placeholders filled
    in."""
    found = set()
    for path in sorted((Path(records.__file__).parent).glob("*.py")):
        if path.stem in ("own", "wall_check", "wall_tiles"):
            continue  # these follow "the mark of this site is damaged", or are of `verify_wall`
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id not in ("RecordError", "UnsupportedRecord", "ValueError", "BadHand"):
                continue
            for part in node.args:
                if isinstance(part, ast.JoinedStr):
                    values = [
                        str(value.value) if isinstance(value, ast.Constant) else "3"
                        for value in part.values
                    ]
                    found.add("".join(values))
                elif isinstance(part, ast.Constant):
                    found.add(str(part.value))
    return {text for text in found if " " in text}


def test_every_text_of_the_readers_has_a_code() -> None:
    texts = texts_of_the_readers()
    assert len(texts) > 50
    is_place = re.compile(r"(line )?3(, 3)?: 3")  # a place that precedes another of these texts
    without = {text for text in texts if not fault_of(text).code and not is_place.fullmatch(text)}
    assert without == set()


def test_differences_describe_events_in_the_language_of_the_reader() -> None:
    texts = {"the record ends", "the hand goes on", "a discard follows", "none"}
    texts.add("the wall is used up")
    for raw in (MJLOG, TENHOU6, MJAI):
        hands = [hand for hand in read_recorded_game(raw).hands if isinstance(hand, RecordedHand)]
        texts |= {event_text(event) for hand in hands for event in hand.events}
    texts |= {
        event_text(event)
        for event in (
            PonCalled(1, 0, 8, (8, 9)),
            DaiminkanCalled(1, 0, 8, (8, 8, 9)),
            AnkanDeclared(2, (8, 8, 8, 9)),
            KakanDeclared(3, 8, (8, 8, 9)),
            NorthSetAside(2, 60),
        )
    }
    assert len(texts) > 100
    names = ["Anna", "Bo", "Chi", "Dai"]

    def text_of(text: str) -> str:
        return value_text("results", text, names, lambda _group, word: word)

    with translation.override("en"):
        assert text_of("seat 1 calls pon from seat 0: 5m with 5m 5mr") == (
            "Bo calls pon from Anna: 5m with 5m 5mr"
        )
        unknown = {text for text in texts if text_of(text) == "that is not allowed"}
        assert unknown == set()
    for language in ("fr", "ja"):
        with translation.override(language):
            english = re.compile(r"\b(seat|the|draws|discards|calls|wins|by|with)\b")
            assert {text for text in texts if english.search(text_of(text))} == set()


@pytest.mark.parametrize(
    ("what", "value", "text"),
    [
        ("payments", "1000 -1000 0 0", "1,000 \N{MINUS SIGN}1,000 0 0"),
        ("winner", "2", "Chi"),
        ("ranking", "2 0 1 3", "Chi, Anna, Bo, Dai"),
        ("liable seat", "-1", "none"),
        ("tenpai", "True False False True", "yes no no yes"),
        ("yaku", "riichi 1, pinfu 1", "[yaku riichi] 1, [yaku pinfu] 1"),
        ("yaku", "none", "none"),
        ("limit", "mangan", "[limits mangan]"),
        ("draw", "exhaustive", "[draws exhaustive]"),
        ("winning hand", "1m 2m 3m E", "1m 2m 3m E"),
        ("illegal", "the hand has no yaku", "that is not allowed"),
        (
            "results",
            "seat 0 wins by tsumo; seat 1 wins from seat 2",
            "Anna wins by tsumo; Bo wins by ron from Chi",
        ),
    ],
)
def test_values_of_differences_are_texts_of_the_language(what: str, value: str, text: str) -> None:
    names = ["Anna", "Bo", "Chi", "Dai"]
    assert value_text(what, value, names, lambda group, word: f"[{group} {word}]") == text


@pytest.mark.parametrize("seed", range(6))
def test_changed_bytes_are_read_or_refused(seed: int) -> None:
    chance = random.Random(seed)
    for source in (MJLOG, TENHOU6, MJAI):
        raw = bytearray(source)
        for _ in range(chance.choice((1, 3, 30))):
            raw[chance.randrange(len(raw))] = chance.randrange(32, 127)
        outcome = read_record(bytes(raw))
        assert isinstance(outcome, AcceptedRecord | RefusedRecord)
