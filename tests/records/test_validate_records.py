"""The command `validate_records`: its output, its counts and its exit status."""

from __future__ import annotations

import gzip
import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from msgspec.structs import replace

from game.engine.events import GameStarted
from game.engine.presets import preset
from tests.kit.play import stage
from tests.records.own_games import random_game
from tests.records.writing import mjlog

FIXTURES = Path(__file__).parent / "fixtures"


def run(*paths: Path, **options: object) -> tuple[list[str], list[str], int]:
    """Return the lines on stdout and stderr, and the exit status."""
    out, err = StringIO(), StringIO()
    status = 0
    try:
        call_command("validate_records", *map(str, paths), stdout=out, stderr=err, **options)
    except SystemExit as end:
        status = int(end.code or 0)
    return out.getvalue().splitlines(), err.getvalue().splitlines(), status


def test_folder_summary_counts_outcomes() -> None:
    out, _, status = run(FIXTURES)
    assert status == 0
    assert out[0] == "3 files, 3 replayed (1 mjai, 1 mjlog, 1 tenhou6), 15 hands"
    assert [line.split() for line in out[1:4]] == [
        ["tsumo", "3"],
        ["ron", "3"],
        ["exhaustive", "9"],
    ]
    assert "0 differences, 0 damaged, 0 explained by the record" in out


def test_difference_is_printed_with_its_place(tmp_path: Path) -> None:
    text = (FIXTURES / "own.mjson").read_text()
    bad = tmp_path / "bad.mjson"
    bad.write_text(text.replace('"fu":40', '"fu":30', 1))
    out, _, status = run(bad)
    assert status == 1
    assert out[0].startswith(f"DIFFERENCE {bad}, hand 0, event ")
    assert out[0].endswith("fu: ours 40; theirs 30")


def test_a_damaged_file_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.mjlog").write_text("<mjloggm ver='2.3'>")
    (tmp_path / "b.mjlog.gz").write_bytes(b"\x1f\x8b not gzip")
    (tmp_path / "c.json").write_bytes((FIXTURES / "own.json").read_bytes())
    out, _, status = run(tmp_path)
    assert status == 1
    assert [line.split()[0] for line in out[:2]] == ["DAMAGED", "DAMAGED"]
    assert out[2] == "3 files, 1 replayed (1 tenhou6), 5 hands"
    assert "0 differences, 2 damaged, 0 explained by the record" in out


def test_unsupported_game_is_counted_separately(tmp_path: Path) -> None:
    text = (FIXTURES / "own.mjlog").read_text()
    assert 'GO type="161"' in text
    (tmp_path / "chips").write_text(text.replace('GO type="161"', 'GO type="673"'))
    out, _, status = run(tmp_path)
    assert status == 0
    assert [line for line in out if line.startswith("  not replayed")] == [
        "  not replayed: 1 of them, a table with rules of its own (type 673)",
    ]


def test_json_has_one_line_for_each_hand() -> None:
    out, err, status = run(FIXTURES / "own.mjlog", json=True)
    assert status == 0
    assert len(out) == 5
    first, *_, last = map(json.loads, out)
    assert first == {
        "file": str(FIXTURES / "own.mjlog"),
        "hand": 0,
        "round": 0,
        "honba": 0,
        "outcome": "ron",
        "winners": [
            {
                "seat": 0,
                "from": 2,
                "han": 2,
                "fu": 40,
                "yaku": [["riichi", 1], ["hatsu", 1]],
                "points": 3900,
                "pao": None,
            }
        ],
        "deltas": [5900, 0, -3900, 0],
        "scores": [29900, 25000, 20100, 25000],
        "final": None,
    }
    assert last["outcome"] == "exhaustive"
    assert last["winners"] == []
    assert last["final"] == [43500, 18800, 15900, 21800]
    assert err[0].startswith("1 files, 1 replayed")


def test_several_processes_give_the_same_output(tmp_path: Path) -> None:
    for number in range(6):
        packed = gzip.compress((FIXTURES / "own.mjlog").read_bytes())
        (tmp_path / f"{number}.mjlog.gz").write_bytes(packed)
    alone, _, _ = run(tmp_path, json=True)
    together, _, _ = run(tmp_path, json=True, jobs=2)
    assert alone == together
    assert len(alone) == 30


def test_missing_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="there is no file or folder"):
        run(tmp_path / "nowhere")
    with pytest.raises(CommandError, match="no record"):
        run(tmp_path)


def test_report_names_the_matching_versions(tmp_path: Path) -> None:
    """Version 1 of Tenhou's rules rounds final scores; version 2 does not."""
    whole = (FIXTURES / "own.mjlog").read_text()
    assert 'owari="435,53.0,188,-21.0,159,-34.0,218,2.0"' in whole
    (tmp_path / "a_rounded.mjlog").write_text(whole)
    tenths = whole.replace(
        "435,53.0,188,-21.0,159,-34.0,218,2.0", "435,53.5,188,-21.2,159,-34.1,218,1.8"
    )
    (tmp_path / "b_not_rounded.mjlog").write_text(tenths)
    (tmp_path / "c_without_end.mjlog").write_text(whole[: whole.index(" owari=")] + "/></mjloggm>")
    (tmp_path / "d_wrong.mjlog").write_text(tenths.replace("53.5", "53.6"))
    out, _, status = run(tmp_path, versions=True)
    assert status == 1
    agreeing = [line.removeprefix(f"AGREES {tmp_path}/") for line in out if "AGREES" in line]
    assert agreeing == [
        "a_rounded.mjlog: tenhou version 1",
        "b_not_rounded.mjlog: tenhou version 2",
        "c_without_end.mjlog: tenhou version 2 and tenhou version 1",
    ]
    assert [line for line in out if line.startswith("  agree with")] == [
        "  agree with tenhou version 1: 1",
        "  agree with tenhou version 2: 1",
        "  agree with tenhou version 2 and tenhou version 1: 1",
    ]
    assert "d_wrong.mjlog, hand 4: final points" in next(line for line in out if "DIFFER" in line)


def test_record_of_a_stored_game_names_its_version() -> None:
    out, _, status = run(FIXTURES.parent / "version_1", versions=True)
    assert status == 0
    folder = FIXTURES.parent / "version_1"
    assert out[:2] == [
        f"AGREES {folder}/own_four_true.mjson: tenhou version 1",
        f"AGREES {folder}/west_4.mjson: tenhou version 1",
    ]


def test_old_records_may_count_only_concealed_tiles(tmp_path: Path) -> None:
    """The record rounds final scores as in version 1, and pays a wait on 5p beside pon 555p as in
    version 2."""
    rules = replace(preset("tenhou"), rounding="half_up")
    scores = (25_300, 15_000, 14_700, 45_000)
    play = stage(("123456m555p789sE",), "0p", kyoku=7, scores=scores, rules=rules)
    play.discard(3, "0p")
    play.pon(0, "55p")
    play.proceed()
    play.discard(0, "E")
    assert play.play_to_exhaustive_draw().deltas == (3_000, -1_000, -1_000, -1_000)
    assert play.is_over
    hand = [event for event in play.events if not isinstance(event, GameStarted)]
    (tmp_path / "old.mjlog").write_text(mjlog([hand], rules))
    out, _, status = run(tmp_path, versions=True)
    assert status == 0
    assert out[0].endswith("old.mjlog: tenhou version 2 with rounded final scores")


@pytest.mark.parametrize(
    ("element", "damaged"),
    [
        ("N", 's|<N who="."|<N who="7"|'),
        ("REACH", 's|<REACH who="."|<REACH who="7"|'),
        ("AGARI", 's| who="." fromWho| who="7" fromWho|'),
        ("AGARI", 's|fromWho="."|fromWho="7"|'),
    ],
)
def test_invalid_seat_is_named(tmp_path: Path, element: str, damaged: str) -> None:
    _, pattern, wrong, _ = damaged.split("|")
    text = (FIXTURES / "own.mjlog").read_text()
    changed = re.sub(pattern, wrong, text, count=1)
    assert changed != text
    (tmp_path / "bad.mjlog").write_text(changed)
    out, _, status = run(tmp_path)
    assert status == 1
    (line,) = [line for line in out if line.startswith("DAMAGED")]
    assert f"<{element} " in line
    assert line.endswith(": there is no seat 7")


@pytest.mark.parametrize("kind", ["mjlog", "mjai", "tenhou6"])
def test_damage_is_not_reported_as_a_python_error(tmp_path: Path, kind: str) -> None:
    if kind == "mjlog":
        text = (FIXTURES / "own.mjlog").read_text().replace('ten="40,3900,0"', 'ten="40,3900,9"', 1)
    elif kind == "mjai":
        text = (FIXTURES / "own.mjson").read_text().replace('"actor":3', '"actor":7', 1)
    else:
        text = (FIXTURES / "own.json").read_text().replace('"p262626"', '"p2626"', 1)
    (tmp_path / "bad").write_text(text)
    out, _, status = run(tmp_path)
    assert status == 1
    assert not any("index out of range" in line for line in out)


PRIVATE = "a private table, lobby 1234"


def private(text: str) -> str:
    return text.replace('lobby="0"', 'lobby="1234"')


def test_private_table_with_own_rules_is_reported(tmp_path: Path) -> None:
    rules = replace(preset("tenhou"), length="east", uma=(30, 10, -10, -30))
    text = mjlog(random_game(1, rules), rules)
    (tmp_path / "a_public.mjlog").write_text(text)
    (tmp_path / "b_private.mjlog").write_text(private(text))
    (tmp_path / "c_usual.mjlog").write_text(private((FIXTURES / "own.mjlog").read_text()))
    out, _, status = run(tmp_path)
    assert status == 1
    lines = [line for line in out if line.startswith(("DIFFERENCE", "OWN RULES"))]
    assert [line.partition(" ")[0] for line in lines] == ["DIFFERENCE", "OWN"]
    assert lines[1].startswith(f"OWN RULES {tmp_path}/b_private.mjlog: {PRIVATE}; differs 1 times")
    assert "final points" in lines[1]
    assert f"  with rules of their own: 1, {PRIVATE}" in out
    assert "1 differences, 0 damaged, 0 explained by the record" in out
    (tmp_path / "a_public.mjlog").unlink()
    assert run(tmp_path)[2] == 0


def test_edited_file_with_own_rules_is_reported(tmp_path: Path) -> None:
    text = (FIXTURES / "own.json").read_text()
    assert "鳳東喰赤" in text
    wrong = text.replace("40符2飜3900点", "40符2飜4000点")
    (tmp_path / "a_of_a_room.json").write_text(wrong)
    (tmp_path / "b_edited.json").write_text(wrong.replace("鳳東喰赤", "東 my rules"))
    out, _, _ = run(tmp_path)
    lines = [line for line in out if line.startswith(("DIFFERENCE", "OWN RULES"))]
    assert [line.partition(" ")[0] for line in lines] == ["DIFFERENCE", "OWN"]
    assert (
        "b_edited.json: an edited file, it names no room that is known; differs 1 times" in lines[1]
    )


def test_differences_that_no_rules_explain_remain(tmp_path: Path) -> None:
    """The record has an indicator that the seed of the walls does not give."""
    text = private((FIXTURES / "own.mjlog").read_text())
    assert text.count('seed="0,0,0,0,0,119"') == 1
    (tmp_path / "bad.mjlog").write_text(text.replace("0,0,0,0,0,119", "0,0,0,0,0,16"))
    out, _, status = run(tmp_path)
    assert status == 1
    assert any(line.startswith("DIFFERENCE") and ": indicator: " in line for line in out)
