"""The command: what it prints, what it counts, and its exit status."""

from __future__ import annotations

import gzip
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

FIXTURES = Path(__file__).parent / "fixtures"


def run(*paths: Path, **options: object) -> tuple[list[str], list[str], int]:
    """Its lines on stdout and stderr, and its exit status."""
    out, err = StringIO(), StringIO()
    status = 0
    try:
        call_command("validate_records", *map(str, paths), stdout=out, stderr=err, **options)
    except SystemExit as end:
        status = int(end.code or 0)
    return out.getvalue().splitlines(), err.getvalue().splitlines(), status


def test_a_folder_of_good_records_is_summed_up_by_outcome() -> None:
    out, _, status = run(FIXTURES)
    assert status == 0
    assert out[0] == "3 files, 3 replayed (1 mjai, 1 mjlog, 1 tenhou6), 15 hands"
    assert [line.split() for line in out[1:4]] == [
        ["tsumo", "3"],
        ["ron", "3"],
        ["exhaustive", "9"],
    ]
    assert "0 differences, 0 damaged, 0 explained by the record" in out


def test_a_difference_is_printed_with_file_hand_event_and_both_sides(tmp_path: Path) -> None:
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


def test_a_game_of_another_kind_is_counted_apart(tmp_path: Path) -> None:
    text = (FIXTURES / "own.mjlog").read_text()
    assert 'GO type="161"' in text
    (tmp_path / "three").write_text(text.replace('GO type="161"', 'GO type="177"'))
    (tmp_path / "chips").write_text(text.replace('GO type="161"', 'GO type="673"'))
    out, _, status = run(tmp_path)
    assert status == 0
    assert [line for line in out if line.startswith("  not replayed")] == [
        "  not replayed: 1 of them, a table with rules of its own (type 673)",
        "  not replayed: 1 of them, not four-player riichi: three players",
    ]


def test_json_tells_every_hand_in_one_line() -> None:
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


def test_several_processes_say_the_same_in_the_same_order(tmp_path: Path) -> None:
    for number in range(6):
        packed = gzip.compress((FIXTURES / "own.mjlog").read_bytes())
        (tmp_path / f"{number}.mjlog.gz").write_bytes(packed)
    alone, _, _ = run(tmp_path, json=True)
    together, _, _ = run(tmp_path, json=True, jobs=2)
    assert alone == together
    assert len(alone) == 30


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="there is no file or folder"):
        run(tmp_path / "nowhere")
    with pytest.raises(CommandError, match="no record"):
        run(tmp_path)
