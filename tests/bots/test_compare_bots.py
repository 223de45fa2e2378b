"""`python -m bench.bots compare` plays duplicate games and reports the results."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from bench.bots import outside
from bench.bots.__main__ import Refused, main
from bench.bots.comparison import Comparison, Result, play_deal
from bench.bots.games import play_game
from game.engine.events import ChiCalled, Drawn, PonCalled
from game.engine.evolve import evolve
from game.engine.legal import pending_seats
from game.engine.perspective import redact
from game.engine.state import Phase, Table
from game.mjai_programs.spec import STYLES, read_spec
from game.records.mjai_seat import SeatLines
from tests.kit.random_games import bold


def compare(*words: str) -> str:
    with redirect_stdout(StringIO()) as out:
        main(["compare", *words])
    return out.getvalue()


def _without_times(report: str) -> str:
    return re.sub(r"^CPU.*$", "", report, flags=re.MULTILINE)


def test_report_depends_on_the_seed_not_on_processes() -> None:
    words = ("novice", "tsumogiri", "--games", "8", "--seed")
    one = _without_times(compare(*words, "5"))
    assert "2 deals, 8 games, seed 5" in one
    assert _without_times(compare(*words, "5", "--processes", "2")) == one
    assert _without_times(compare(*words, "6")).replace("seed 6", "seed 5") != one


def test_four_equal_bots_have_equal_mean_ranks() -> None:
    # Without random choices the four games of a deal are the same game.
    lone, others = play_deal(Comparison(("tsumogiri", "tsumogiri")), 0).sides
    assert lone.mean_ranks == [2.5]
    assert lone.tally.places == [1, 1, 1, 1]
    assert others.tally.places == [3, 3, 3, 3]
    for side in play_deal(Comparison(("tsumogiri",) * 4), 0).sides:
        assert side.mean_ranks == [2.5]
        assert side.tally.places == [1, 1, 1, 1]


def test_a_bot_that_only_discards_what_it_draws_comes_last() -> None:
    match = Comparison(("tsumogiri", "hasty"))
    total = Result.empty(match)
    for deal in range(3):
        total.merge(play_deal(match, deal))
    lone, others = total.sides
    assert lone.tally.mean_rank > 3
    assert others.tally.win_rate > lone.tally.win_rate
    assert len(lone.cpu_ns) > 100


def test_four_bots_play_in_every_seating_order() -> None:
    match = Comparison(("a", "b", "c", "d"))
    tables = [[match.seating(deal, game) for game in range(4)] for deal in range(6)]
    for games in tables:
        for bot in range(4):
            assert sorted(table.index(bot) for table in games) == [0, 1, 2, 3]
    neighbours = Counter(
        (table[seat - 1], table[seat]) for games in tables for table in games for seat in range(4)
    )
    assert set(neighbours.values()) == {8}
    assert len(neighbours) == 12


def test_four_different_bots_have_a_column_each() -> None:
    words = ("tsumogiri", "novice", "hasty", "tsumogiri", "--games", "4", "--seed", "2")
    out = compare(*words)
    assert "tsumogiri (A), novice (B), hasty (C) and tsumogiri (D): tenhou, east, 1 deal," in out
    found = re.search(r"^mean rank((?: +\d\.\d{3}){4})$", out, re.MULTILINE)
    assert found is not None, out
    assert sum(map(float, found[1].split())) == pytest.approx(10)
    with pytest.raises(
        Refused, match="two bots or four can be compared by the rules tenhou, not 3"
    ):
        compare("tsumogiri", "novice", "hasty")


def test_each_deal_of_three_is_played_in_all_three_seatings(tmp_path: Path) -> None:
    words = ("novice", "tsumogiri", "--games", "4", "--rules", "tenhou-3", "--records")
    out = compare(*words, str(tmp_path))
    assert "novice alone (A) against two of tsumogiri (B): tenhou-3, east, 2 deals, 6 games" in out
    found = re.search(r"^mean rank +(\d\.\d{3}) +(\d\.\d{3})$", out, re.MULTILINE)
    assert found is not None, out
    assert float(found[1]) + 2 * float(found[2]) == pytest.approx(6, abs=0.002)
    starts = [json.loads(path.read_text().splitlines()[0]) for path in sorted(tmp_path.iterdir())]
    alone = [names.index("novice") for names in (start["names"] for start in starts)]
    assert alone == [0, 1, 2, 0, 1, 2]
    match = Comparison(("a", "b", "c"), "tenhou-3")
    tables = [match.seating(deal, game) for deal in range(2) for game in range(3)]
    assert Counter((table[seat - 1], table[seat]) for table in tables for seat in range(3)) == {
        (first, second): 3 for first in range(3) for second in range(3) if first != second
    }
    three = compare("tsumogiri", "novice", "hasty", "--games", "3", "--rules", "tenhou-3")
    assert "tsumogiri (A), novice (B) and hasty (C): tenhou-3, east, 1 deal, 3 games" in three
    assert "place 4" not in three
    with pytest.raises(Refused, match="two bots or three can be compared by the rules tenhou-3"):
        compare("tsumogiri", "novice", "hasty", "tsumogiri", "--rules", "tenhou-3")


def test_unknown_bots_and_revisions_are_named() -> None:
    with pytest.raises(Refused, match="oracle"):
        compare("oracle", "sensible")
    with pytest.raises(Refused, match="nowhere"):
        compare("sensible", "sensible@nowhere")


PROGRAMS = Path(__file__).parents[1] / "reviews" / "reviewer_programs.py"


def test_outside_program_plays_like_the_bot_that_it_copies(tmp_path: Path) -> None:
    """Program and bot both discard what they draw. The four games of a deal are therefore the same,
    except for wins, which the program cannot declare."""
    program = f"Copy=mjai.app {sys.executable} {PROGRAMS} tsumogiri"
    words = ("Copy", "tsumogiri", "--games", "4", "--outside", program, "--seed", "3")
    out = compare(*words, "--records", str(tmp_path))
    assert "Copy alone (A) against three of tsumogiri (B)" in out
    assert re.search(r"^mean rank +2.500 +2.500$", out, re.MULTILINE)
    assert re.search(r"^impossible answers +0 +0$", out, re.MULTILINE)
    records = sorted(tmp_path.iterdir())
    assert len(records) == 4
    for number, record in enumerate(records):
        start, *_, end = map(json.loads, record.read_text().splitlines())
        assert start["names"] == ["Copy" if seat == number else "tsumogiri" for seat in range(4)]
        assert end["type"] == "end_game"
    call_command("validate_records", str(tmp_path), stdout=(summary := StringIO()))
    assert "0 differences, 0 damaged" in summary.getvalue()


def test_outside_programs_of_each_style_set_norths_aside_at_tables_of_three(tmp_path: Path) -> None:
    stub, words = Path(__file__).parents[1] / "bot_socket" / "stub_bots.py", [*STYLES]
    for style in STYLES:
        words += ["--outside", f"{style}={style} {sys.executable} {stub} {style}"]
    words += ["--rules", "tenhou-3", "--games", "3", "--records", str(tmp_path)]
    out = compare(*words)
    assert "mjai.app (A), mortal (B) and akochan (C): tenhou-3, east, 1 deal, 3 games" in out
    assert re.search(r"^impossible answers +0 +0 +0$", out, re.MULTILINE), out
    norths = Counter[str]()
    for record in tmp_path.iterdir():
        start, *lines = map(json.loads, record.read_text().splitlines())
        assert lines[-1]["type"] == "end_game"
        norths.update(start["names"][line["actor"]] for line in lines if line["type"] == "kita")
    assert norths.keys() == {*STYLES}
    call_command("validate_records", str(tmp_path), stdout=(summary := StringIO()))
    assert "0 differences, 0 damaged" in summary.getvalue()


def test_impossible_answers_are_counted_and_a_dead_program_is_named() -> None:
    stubborn = f"Stubborn=mjai.app {sys.executable} {PROGRAMS} reach"
    out = compare("Stubborn", "tsumogiri", "--games", "4", "--outside", stubborn)
    found = re.search(r"^impossible answers +(\d+) +0$", out, re.MULTILINE)
    assert found is not None, out
    assert int(found[1]) > 20
    dead = f"Dead=mjai.app {sys.executable} {PROGRAMS} die"
    with pytest.raises(Refused, match="Dead failed: ended: the model is missing"):
        compare("Dead", "tsumogiri", "--games", "4", "--outside", dead)
    with pytest.raises(Refused, match="has to be one of"):
        compare("Dead", "tsumogiri", "--outside", "Dead=jong true")


class SilentPlayer:
    """A player that never answers, and notes the number of lines received at each question."""

    def __init__(self) -> None:
        self.lines = 0
        self.asked: list[int] = []

    async def take(self, event: dict[str, Any]) -> None:
        self.lines += 1

    async def ask(self, request: dict[str, Any], left_s: float) -> None:
        self.asked.append(self.lines)


def test_outside_program_is_always_asked_when_it_can_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A program of Mortal's convention answers whenever it can call. An answer that is not read
    would be taken for the answer to the next question."""
    listener = SilentPlayer()
    monkeypatch.setattr(outside, "make_player", lambda *_: listener)
    spec = read_spec(f"SilentPlayer=mortal {sys.executable} -c 'input()'")
    with outside.OutsideSeat(spec, 3) as seat:
        played = play_game(3, [bold, bold, bold, seat.choose], on_start=[seat.set_game])
    table, lines, written = Table(), SeatLines(3), 0
    could_act = dict[int, int]()
    for event in played.events:
        table, seen = evolve(table, event), redact(event, 3)
        written += 0 if seen is None else len(lines.lines(seen))
        is_decision = table.phase == Phase.CLAIMS or isinstance(
            event, (Drawn, ChiCalled, PonCalled)
        )
        if is_decision and 3 in pending_seats(table):
            could_act.setdefault(table.step, written)
    assert listener.asked == [*could_act.values()]


FAKE_PLAYER = """
const { appendFileSync, readFileSync } = require("node:fs");
const replies = JSON.parse(readFileSync(process.env.REPLIES));
module.exports = class {
  action(message, callback) {
    appendFileSync(process.env.MESSAGES, JSON.stringify(message) + "\\n");
    callback(replies.shift() ?? undefined);
  }
};
"""
"""Stands for `majiang-ai`: writes down what it is told, and gives the replies of the test."""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_adapter_translates_events_and_replies_of_majiang_ai(tmp_path: Path) -> None:
    """Seat 2 is the dealer of East 3, so that seat 3 is South (1), 0 West (2) and 1 North (3)."""
    packages = tmp_path / "node_modules" / "@kobalab"
    for name, text in (
        ("majiang-ai", FAKE_PLAYER),
        ("majiang-core", "exports.rule = (changed) => changed;"),
    ):
        (packages / name).mkdir(parents=True)
        (packages / name / "index.js").write_text(text)
    hand = ["1m", "2m", "5mr", "4p", "6p", "7p", "5s", "5s", "5sr", "E", "E", "C", "C"]
    deal = {"type": "start_kyoku", "bakaze": "E", "kyoku": 3, "honba": 1, "kyotaku": 2, "oya": 2}
    deal |= {"dora_marker": "P", "scores": [100, 200, 300, 400]}
    deal["tehais"] = [["?"] * 13, ["?"] * 13, hand, ["?"] * 13]
    told = [{"type": "start_game", "id": 2, "kyoku_first": 4, "aka_flag": True}, deal]
    first = {"type": "tsumo", "actor": 2, "pai": "F"}
    kan = {"type": "ankan", "actor": 3, "consumed": ["5m", "5m", "5mr", "5m"]}
    other = {"type": "dahai", "actor": 1, "pai": "5pr", "tsumogiri": True}
    fifth = {"type": "dahai", "actor": 3, "pai": "5s", "tsumogiri": False}
    pon = {"type": "pon", "actor": 2, "target": 3, "pai": "5s", "consumed": ["5s", "5sr"]}
    added = {"type": "kakan", "actor": 2, "pai": "5s", "consumed": ["5s", "5sr", "5s"]}
    chi = {"type": "chi", "actor": 2, "target": 1, "pai": "5pr", "consumed": ["4p", "6p"]}
    # What the seat is told, what the player replies to each event, and the answer of the seat.
    steps: list[tuple[list[dict[str, Any]], list[Any], dict[str, Any]]] = [
        (
            [*told, first],
            [None, None, {"dapai": "z6_*"}],
            {"type": "reach", "actor": 2},
        ),
        (
            [{"type": "reach", "actor": 2}],
            [],
            {"type": "dahai", "actor": 2, "pai": "F", "tsumogiri": True},
        ),
        (
            [
                {"type": "dahai", "actor": 2, "pai": "F", "tsumogiri": True},
                {"type": "reach_accepted", "actor": 2},
                {"type": "tsumo", "actor": 3, "pai": "?"},
                kan,
                {"type": "dora", "dora_marker": "9s"},
                {"type": "tsumo", "actor": 3, "pai": "?"},
                fifth,
            ],
            [None, None, None, None, None, {"fulou": "s505+"}],
            pon,
        ),
        ([pon], [{"dapai": "m1"}], {"type": "dahai", "actor": 2, "pai": "1m", "tsumogiri": False}),
        ([{"type": "tsumo", "actor": 2, "pai": "5s"}], [{"gang": "s505+5"}], added),
        (
            [added, {"type": "tsumo", "actor": 2, "pai": "C"}],
            [None, {"gang": "z7777"}],
            {
                "type": "ankan",
                "actor": 2,
                "consumed": ["C"] * 4,
            },
        ),
        # The indicator of an open kan comes after the discard, but before the question about it.
        ([other, {"type": "dora", "dora_marker": "1p"}], [None, {"fulou": "p40-6"}], chi),
        ([chi], [{"dapai": "p7"}], {"type": "dahai", "actor": 2, "pai": "7p", "tsumogiri": False}),
        ([other], [{"hule": "-"}], {"type": "hora", "actor": 2, "target": 1, "pai": "5pr"}),
        ([first], [{"daopai": "-"}], {"type": "ryukyoku", "actor": 2}),
        ([{"type": "dahai", "actor": 0, "pai": "N", "tsumogiri": True}], [None], {"type": "none"}),
    ]
    replies, messages = tmp_path / "replies.json", tmp_path / "messages"
    replies.write_text(json.dumps([reply for _, given, _ in steps for reply in given]))
    ran = subprocess.run(
        ["node", outside.__file__.replace("outside.py", "majiang_seat.mjs"), "2"],
        input="".join(json.dumps(events) + "\n" for events, _, _ in steps),
        env=os.environ
        | {"NODE_PATH": str(packages.parent), "REPLIES": str(replies), "MESSAGES": str(messages)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert [*map(json.loads, ran.stdout.splitlines())] == [answer for _, _, answer in steps]
    start, dealt, *rest = map(json.loads, messages.read_text().splitlines())
    assert start["kaiju"]["rule"] == {"赤牌": {"m": 1, "p": 1, "s": 1}, "場数": 1}
    assert dealt["qipai"] == {
        "zhuangfeng": 0,
        "jushu": 2,
        "changbang": 1,
        "lizhibang": 2,
        "baopai": "z5",
        "defen": [300, 400, 100, 200],
        "shoupai": ["m1m2m0p4p6p7s5s5s0z1z1z7z7", "", "", ""],
    }
    assert rest == [
        {"zimo": {"l": 0, "p": "z6"}},
        {"dapai": {"l": 0, "p": "z6_*"}},
        {"zimo": {"l": 1, "p": ""}},
        {"gang": {"l": 1, "m": "m5550"}},
        {"kaigang": {"baopai": "s9"}},
        {"gangzimo": {"l": 1, "p": ""}},
        {"dapai": {"l": 1, "p": "s5"}},
        {"fulou": {"l": 0, "m": "s505+"}},
        {"zimo": {"l": 0, "p": "s5"}},
        {"gang": {"l": 0, "m": "s505+5"}},
        {"gangzimo": {"l": 0, "p": "z7"}},
        {"kaigang": {"baopai": "p1"}},
        {"dapai": {"l": 3, "p": "p0_"}},
        {"fulou": {"l": 0, "m": "p40-6"}},
        {"dapai": {"l": 3, "p": "p0_"}},
        {"zimo": {"l": 0, "p": "z6"}},
        {"dapai": {"l": 2, "p": "z4_"}},
    ]
