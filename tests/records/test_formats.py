"""Readers accept the spellings and omissions of the formats, and infer rules from the game."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from game.engine.presets import preset
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Table
from game.records import replay
from game.records.compare import event_text
from game.records.reading import read_recorded_game
from game.records.recorded import RecordError, UnsupportedRecord
from game.records.tenhou6_order import order_moves
from game.records.validate import FileReport, validate_file, validate_game
from tests.records.own_games import Hands, random_game
from tests.records.writing import mjai, mjlog, tenhou6

FIXTURES = Path(__file__).parent / "fixtures"
MJLOG = (FIXTURES / "own.mjlog").read_text()
TENHOU6 = (FIXTURES / "own.json").read_text()
MJAI = (FIXTURES / "own.mjson").read_text()
GOOD = validate_file(FIXTURES / "own.mjlog").hands


def validate(text: str | bytes) -> FileReport:
    raw = text if isinstance(text, bytes) else text.encode()
    return validate_game(GOOD[0].file, read_recorded_game(raw))


def assert_as_good(report: FileReport) -> None:
    assert not report.differences, report.differences[0]
    assert not report.faults
    assert not report.notes
    assert report.hands == GOOD


# mjlog


@pytest.mark.parametrize(
    "text",
    [
        gzip.compress(MJLOG.encode()),
        MJLOG.replace("/><", "/>\n\t<"),
        MJLOG.replace('"', "'"),
        MJLOG.replace("/>", "></x>"),
        "\ufeff" + MJLOG,
        MJLOG.replace('n0="A"', 'n0="A & B"'),
        MJLOG[MJLOG.index("<GO") :],
        re.sub(r'(seed="\d,\d,\d),\d,\d', r"\1,,", MJLOG),
        MJLOG.replace("<D117/>", '<BYE who="1"/><D117/><UN n1="B"/>'),
    ],
    ids=[
        *("gzip", "indented", "single quotes", "closing tags", "byte order mark", "raw &"),
        *("no head and no seed", "no dice", "gone and back"),
    ],
)
def test_every_spelling_of_mjlog_is_read(text: str | bytes) -> None:
    assert_as_good(validate(text))


def test_mjlog_without_seed_gets_a_fitting_wall() -> None:
    text = re.sub(r'<SHUFFLE seed="[^"]*"', '<SHUFFLE seed=""', MJLOG)
    assert_as_good(validate(text))
    assert read_recorded_game(text.encode()).hands[0] != read_recorded_game(MJLOG.encode()).hands[0]


def test_type_bits_of_an_mjlog_give_the_rules() -> None:
    def rules(kind: int) -> RuleSet:
        return read_recorded_game(MJLOG.replace('type="161"', f'type="{kind}"').encode()).rules

    assert rules(169).length == "east_south"
    assert rules(161).length == "east"
    assert rules(161 | 4).kuitan is False
    assert rules(161 | 2).red_fives == (0, 0, 0)
    assert rules(161 | 0x40 | 0x1000) == rules(161)


def test_final_points_with_tenths_are_not_rounded() -> None:
    rules = replace(TENHOU, length="east", rounding="none")
    for seed in range(3):
        hands = random_game(seed, rules)
        for text in (mjlog(hands, rules), tenhou6(hands, rules)):
            report = validate(text)
            assert not report.differences, report.differences[0]


def _game_after_bust() -> Hands:
    """Return a game that goes on although a score is below zero: Tenhou's public tables never play
    these hands."""
    rules = replace(TENHOU, length="east", tobi=False)
    return next(hands for seed in range(50) if _is_bust(hands := random_game(seed, rules)))


def _is_bust(hands: Hands) -> bool:
    return any(min(hand[0].scores) < 0 for hand in hands[1:])


def test_only_private_tables_may_play_on_after_the_end() -> None:
    text = mjlog(_game_after_bust(), replace(TENHOU, length="east"))
    public, private = validate(text), validate(text.replace('lobby="0"', 'lobby="1234"'))
    assert "the game is over" in [found.ours for found in public.differences]
    assert not private.differences
    assert any("after the end: a private table, lobby 1234" in note for note in private.notes)


def test_start_points_are_taken_from_the_record() -> None:
    rules = replace(TENHOU, start_points=30_000, oka=0)
    for text in (mjlog(random_game(1, rules), rules), tenhou6(random_game(1, rules), rules)):
        report = validate(text)
        assert not report.differences, report.differences[0]
        assert report.hands[-1].final is not None


# mjai


@pytest.mark.parametrize("timing", ["before_replacement", "at_discard", "after_discard_passes"])
def test_kan_dora_timing_is_taken_from_the_record(timing: str) -> None:
    rules = replace(TENHOU, open_kan_dora=timing)
    found = set()
    for seed in range(8):
        game = read_recorded_game(mjai(random_game(seed, rules)).encode())
        report = validate_game("own", game)
        assert not report.differences, report.differences[0]
        assert not report.faults
        found.add(game.rules.open_kan_dora)
    assert timing in found


def test_record_without_kan_dora_is_complete() -> None:
    rules = replace(TENHOU, kan_dora=False, kan_ura=False)
    for seed in range(4):
        report = validate(mjai(random_game(seed, rules)))
        assert not report.differences, report.differences[0]


def test_the_indicator_may_be_recorded_after_the_replacement_tile() -> None:
    rules = replace(TENHOU, open_kan_dora="before_replacement")
    late_dora = re.compile(r'(\{"type":"dora"[^\n]*\n)(\{"type":"tsumo"[^\n]*\n)')
    changed = 0
    for seed in range(6):
        text, count = late_dora.subn(r"\2\1", mjai(random_game(seed, rules)))
        report = validate(text)
        assert not report.differences, report.differences[0]
        changed += count
    assert changed


def test_other_spellings_are_read() -> None:
    text = MJAI
    for usual, variant in (
        ('"chi"', '"chii"'),
        ('"ryukyoku"', '"ryuukyoku"'),
        ('"hora"', '"agari"'),
        ('"kyotaku"', '"kyoutaku"'),
        ('"uradora_markers"', '"ura_markers"'),
    ):
        assert usual in text
        text = text.replace(usual, variant)
    assert_as_good(validate(text))


def test_one_array_is_read_like_lines() -> None:
    assert_as_good(validate("[" + ",".join(MJAI.splitlines()) + "]"))


def _with_fields(kept: dict[str, tuple[str, ...]]) -> str:
    lines: list[dict[str, Any]] = [json.loads(row) for row in MJAI.splitlines()]
    for line in lines:
        if line["type"] in kept:
            for name in line.keys() - {"type", *kept[line["type"]]}:
                del line[name]
    return "\n".join(map(json.dumps, lines))


def test_a_record_with_few_fields_is_replayed() -> None:
    text = _with_fields(
        {
            "hora": ("actor", "target", "deltas", "uradora_markers"),
            "ryukyoku": ("deltas",),
            "reach_accepted": ("actor",),
            "end_game": (),
        }
    )
    assert_as_good(validate(text))
    wrong = text.replace('"deltas": [5900, 0, -3900, 0]', '"deltas": [5900, -3900, 0, 0]')
    assert [found.what for found in validate(wrong).differences] == ["payments", "scores"]


def test_scores_missing_in_the_deals_are_computed() -> None:
    rows = [re.sub(r'"scores":\[[^]]*\],"tehais"', '"tehais"', row) for row in MJAI.splitlines()]
    assert_as_good(validate("\n".join(rows)))


def test_record_may_declare_its_early_end() -> None:
    rows = MJAI.splitlines()
    stop = next(at for at, row in enumerate(rows) if '"ryukyoku"' in row)
    report = validate("\n".join([*rows[: stop - 3], '{"type":"error","message":"gone"}']))
    assert not report.differences
    assert not report.faults
    assert [hand.outcome for hand in report.hands] == ["ron", None]
    assert report.notes == (
        f"hand 1 is not played to its end: the record stops with an error in line {stop - 2}",
    )


def test_the_log_of_one_seat_is_not_replayed() -> None:
    tehais = re.compile(r'"tehais":\[\[.*?\]\]')
    hidden = json.dumps([["?"] * 13] * 4)
    with pytest.raises(UnsupportedRecord, match="hidden"):
        read_recorded_game(tehais.sub(f'"tehais":{hidden}', MJAI, count=1).encode())
    with pytest.raises(UnsupportedRecord, match="this is not riichi: 2 seats"):
        read_recorded_game(tehais.sub('"tehais":[[],[]]', MJAI, count=1).encode())


# tenhou.net/6


def test_payments_include_all_or_no_riichi_sticks() -> None:
    one = TENHOU6.replace("[5900,0,-3900,0]", "[3900,0,-3900,0]")
    assert [found.what for found in validate(one).differences] == ["payments"]
    every = one.replace("[14600,-6200,-3200,-3200]", "[12600,-6200,-3200,-3200]")
    report = validate(every)
    assert not report.differences
    assert report.notes == (
        "hand 0: the record's payments leave the riichi sticks out",
        "hand 2: the record's payments leave the riichi sticks out",
    )


def test_call_fitting_two_discards_is_tried_at_both() -> None:
    # Seat 1 could call chi at once, but then no tile would be left for the pon of seat 3.
    takes = [[11, 12], ["c151617"], [43], ["1515p15"]]
    throws = [[15, 15], [42], [], [41]]
    moves = order_moves(0, [(), (), (), ()], takes, throws)
    assert [event_text(move) for move in moves] == [
        "seat 0 draws 1m",
        "seat 0 discards 5m",
        "seat 3 calls pon from seat 0: 5m with 5m 5m",
        "seat 3 discards E",
        "seat 0 draws 2m",
        "seat 0 discards 5m",
        "seat 1 calls chi from seat 0: 5m with 6m 7m",
        "seat 1 discards S",
        "seat 2 draws W",
    ]


@pytest.mark.parametrize("placeholder", [0, 60])
def test_called_kan_has_no_own_discard(placeholder: int) -> None:
    takes = [[11], ["m11111111", 12], [43], []]
    throws = [[11], [placeholder, 60], [], []]
    moves = order_moves(0, [(), (), (), ()], takes, throws)
    assert [event_text(move) for move in moves][2:5] == [
        "seat 1 calls daiminkan from seat 0: 1m with 1m 1m 1m",
        "seat 1 draws 2m after a kan",
        "seat 1 discards 2m, just drawn",
    ]


def test_impossible_draws_are_reported_with_their_place() -> None:
    with pytest.raises(ValueError, match="fit no order; move 2, seat 1: 1 draws and 0 discards"):
        order_moves(0, [(), (), (), ()], [[11], [], [43], []], [[15], [], [], []])


def test_fourth_player_in_a_record_of_three_is_damage() -> None:
    text = TENHOU6.replace("鳳東喰赤", "三鳳東喰赤")
    with pytest.raises(RecordError, match="final scores cannot be read"):
        read_recorded_game(text.encode())
    report = validate(text.replace('"sc":', '"other":'))
    assert all("there is a fourth player, and three play" in fault for fault in report.faults)


def test_table_description_gives_the_rules() -> None:
    def rules(description: str) -> RuleSet:
        return read_recorded_game(TENHOU6.replace("鳳東喰赤", description).encode()).rules

    assert rules("鳳南喰赤").length == "east_south"
    assert rules("般東赤").kuitan is False
    assert rules("銀の間南喰") == preset("mahjong-soul")


# The engine


def test_failing_engine_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    decide = replay.decide

    def failing(table: Table, command: Any) -> Any:
        if table.hands_dealt == 2 and table.left == 40:
            raise ZeroDivisionError("a fault")
        return decide(table, command)

    monkeypatch.setattr(replay, "decide", failing)
    report = validate(MJLOG)
    assert [(found.what, found.ours) for found in report.differences] == [
        ("the engine failed", "ZeroDivisionError: a fault")
    ]
    assert [hand.outcome for hand in report.hands].count(None) == 1
    assert len(report.hands) == len(GOOD)
