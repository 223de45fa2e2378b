"""The benchmarks run and print their figures; no limits are checked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kit.long_form import IS_LONG
from tests.kit.modules import run_module

ONLY_LONG = pytest.mark.skipif(not IS_LONG, reason="ten seconds: LONG=1 runs it")


@pytest.fixture(scope="module")
def bench_output() -> str:
    """Return the output of the parts that need no web server, in a short run."""
    done = run_module("bench", "--quick", "engine", "records")
    assert done.returncode == 0, done.stderr
    return done.stdout


@ONLY_LONG
@pytest.mark.parametrize(
    "line",
    [
        r"^random players +[\d,]+ events/CPU-s",
        r"^random players, view and redact for 5 viewers +[\d,]+ events/CPU-s",
        r"^mjlog, games of bots +[\d,]+ games/CPU-s",
        r"^tenhou6, games of bots, their hands +[\d,]+ hands/CPU-s",
        r"^mjai, games of bots +[\d,]+ games/CPU-s",
    ],
)
def test_engine_benchmark_prints_a_figure(bench_output: str, line: str) -> None:
    found = re.search(line, bench_output, re.MULTILINE)
    assert found, bench_output
    assert re.search("[1-9]", found[0].partition("  ")[2])


def test_small_load_is_played_and_measured() -> None:
    done = run_module("bench", "--quick", "load")
    assert done.returncode == 0, done.stderr
    for line in (
        r"^discards per second +([\d.]+)",
        r"^from a discard to the others' receipt +([\d.]+) ms p50",
        r"^server CPU per discard +([\d.]+) ms",
        r"^memory of the server per table +([\d.]+) KiB",
        r"^bytes per discard to the four seats +(\d+)",
        r"^bytes per event and viewer +(\d+)",
        r"^the watched table, with the spectators +([\d.]+) ms p50",
        r"^the other tables, with the spectators +([\d.]+) ms p50",
        r"^from a player's receipt of a frame to a spectator's .* \(of (\d+)\)",
    ):
        found = re.search(line, done.stdout, re.MULTILINE)
        assert found, done.stdout
        assert float(found[1]) > 0
    assert re.search(r"^sockets that the server closed +0 ", done.stdout, re.MULTILINE)
    assert re.search(r"^spectators that the server closed +none", done.stdout, re.MULTILINE)


def test_only_named_parts_run(bench_output: str) -> None:
    assert "== load" not in bench_output


def test_unknown_part_is_refused_with_the_known_parts() -> None:
    done = run_module("bench", "motor")
    assert done.returncode == 2
    assert "no such part: motor; there are engine, records, load, client, review" in done.stderr


@ONLY_LONG
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["many_tables", "--tables", "120"], r"^admin: page of running tables +[\d,.]+ ms, CPU"),
        (["idle", "--seconds", "1"], r"^worker +[\d.]+ % of a core$"),
        (["overload", "--tables", "4", "--seconds", "3"], r"^(not )?recovered after +[\d.]+ s$"),
    ],
)
def test_commands_of_their_own_print_figures(arguments: list[str], line: str) -> None:
    name, *options = arguments
    done = run_module(f"bench.{name}", *options)
    assert done.returncode == 0, done.stderr
    assert re.search(line, done.stdout, re.MULTILINE)


@ONLY_LONG
def test_archive_is_filled_once_and_its_pages_are_measured(tmp_path: Path) -> None:
    for games, wanted in ((30, "30 games on sqlite"), (20, "30 games on sqlite")):
        options = ("--games", str(games), "--pool", "2", "--directory", str(tmp_path))
        done = run_module("bench.archive", *options)
        assert done.returncode == 0, done.stderr
        assert wanted in done.stdout
    for page in (
        "profile, heaviest",
        "my games, heaviest",
        "game",
        "ladder",
        "admin, list of games",
    ):
        line = rf"^{page} +[\d.]+ ms warm \(\d+ CPU\) +[\d.]+ ms cold"
        assert re.search(line, done.stdout, re.MULTILINE), done.stdout
