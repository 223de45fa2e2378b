"""A record with a proof fits, and every change of it is found by `verify_wall`, by the verifier of
the pages, and by the two programs for players."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from game.records.own import OwnGame
from game.records.recorded import RecordError
from game.records.wall_check import check_record
from tests.kit.long_form import IS_LONG
from tests.records import proved_games
from tests.records.proved_games import (
    as_mjai,
    as_mjlog,
    as_tenhou6,
    changed_tiles,
    changed_values,
    cheats,
    draw,
    draws_of,
    play_on_draws,
    proof_of,
)
from tests.records.wall_programs import CHECK_SEED, PROGRAMS, node_accepts, python_accepts

HERE: Final = Path(__file__).parent
NO_END: Final = "the end of the game is not in the record"
STEP: Final = 1 if IS_LONG else 9
"""LONG=1 tries each change; otherwise every ninth change is tried."""
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


def command(*arguments: Any) -> tuple[list[str], int]:
    """Return the lines of `verify_wall`, and its exit status."""
    out, status = StringIO(), 0
    try:
        call_command("verify_wall", *map(str, arguments), stdout=out)
    except SystemExit as end:
        status = int(end.code or 0)
    return out.getvalue().splitlines(), status


def two_hands() -> str:
    """Return two hands with calls, kans and both kinds of ends, after a void draw."""
    draws = draws_of(1)
    return as_mjai(play_on_draws(draws, number=110, hands=2), proof_of(draws))


@pytest.fixture(scope="module")
def short_record() -> str:
    return two_hands()


def test_short_record_has_calls_and_kans(short_record: str) -> None:
    kinds = {json.loads(line)["type"] for line in short_record.splitlines()}
    assert kinds >= {"chi", "pon", "kakan", "ankan", "dora", "hora", "ryukyoku"}


@needs_node
def test_whole_games_fit(tmp_path: Path) -> None:
    cases = []
    for number in range(8):
        draws = draws_of(number)
        cases.append((f"{number}", as_mjai(play_on_draws(draws, number=number), proof_of(draws))))
    names = [name for name, _ in cases]
    assert node_accepts(cases, tmp_path) == {"page": names, "program": names}
    for name, text in cases:
        file = tmp_path / f"{name}.jsonl"
        file.write_text(text)
        assert python_accepts(file), name
        report = check_record(text.encode())
        assert (report.problems, report.pages, report.draws) == ((), (0, 3), 2)


@pytest.mark.parametrize("number_of_pages", [4, 3, 1])
def test_any_number_of_pages_fits(number_of_pages: int, tmp_path: Path) -> None:
    pages = tuple(range(number_of_pages))
    draws = [draw(Random(5), pages, pages)]
    file = tmp_path / "game.jsonl"
    file.write_text(as_mjai(play_on_draws(draws, hands=1), proof_of(draws)))
    assert check_record(file.read_bytes()).pages == pages
    assert python_accepts(file)


@pytest.mark.parametrize("write", [as_mjai, as_mjlog, as_tenhou6])
def test_every_format_contains_the_proof(
    write: Callable[[OwnGame, dict[str, Any] | None], str], tmp_path: Path
) -> None:
    draws = draws_of(2)
    game = play_on_draws(draws, number=2)
    assert check_record(write(game, proof_of(draws)).encode()).problems == ()
    changed = proof_of(draws)
    changed["seats"] = [*reversed(changed["seats"])]
    assert check_record(write(game, changed).encode()).problems != ()
    assert check_record(write(game, None).encode()).pages is None


def test_second_mark_is_refused() -> None:
    """The proof of one game beside the walls of another says nothing about these walls."""
    proved, other = [play_on_draws(draws_of(number), hands=1) for number in (1, 2)]
    mark = as_mjai(proved, proof_of(draws_of(1))).split("\n")[0]
    start, *rest = as_mjai(other, None).split("\n")
    house = mark[mark.index('"house"') : -1]
    with_mark = as_mjlog(proved, proof_of(draws_of(1)))
    go = with_mark[with_mark.index("<GO") : with_mark.index("<UN")]
    mjlog, tenhou6 = as_mjlog(other, None), as_tenhou6(other, None)
    for text in (
        "\n".join([mark, start, *rest]),
        "\n".join([start, mark, *rest]),
        "\n".join([start[:-1] + "," + house + "}", *rest]),
        "\n".join([start[:-1] + "," + house.replace("house", "hous\\u0065", 1) + "}", *rest]),
        mjlog.replace("<GO", go + "<GO"),
        mjlog.replace("<GO", f"<!-- {go} --><GO"),
        mjlog.replace("<UN", f"<!-- {go} --><UN"),
        tenhou6[:-1] + "," + house + "}",
    ):
        with pytest.raises(RecordError, match="more than one mark"):
            check_record(text.encode())


@needs_node
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("changes", "hands", "at_least"), [(changed_values, 1, 2_000), (changed_tiles, 2, 400)]
)
def test_every_change_is_found(
    changes: Callable[[str], Iterator[tuple[str, str]]],
    hands: int,
    at_least: int,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    text = (
        two_hands()
        if hands == 2
        else as_mjai(play_on_draws(draws_of(1), hands=1), proof_of(draws_of(1)))
    )
    every = list(changes(text))
    assert len(every) > at_least
    cases = [("unchanged", text), *every[::STEP]]
    accepted = node_accepts(cases, tmp_path)
    by_python, by_command = [], []
    file = tmp_path / "game.jsonl"
    for name, changed in cases:
        file.write_text(changed)
        if python_accepts(file):
            by_python.append(name)
        with contextlib.suppress(RecordError):
            report = check_record(changed.encode())
            if report.pages is not None and not report.problems:
                by_command.append(name)
    record_property("figures", f"{len(cases) - 1} changes of a record: each found by four checks")
    assert accepted == {"page": ["unchanged"], "program": ["unchanged"]}
    assert by_python == ["unchanged"]
    assert by_command == ["unchanged"]


@needs_node
def test_staged_cheats_are_found(tmp_path: Path) -> None:
    """The seed is the one of the proof, and the tiles come from that seed, so that only the cheat
    itself is wrong. Only the receipt of its own page shows that a page was dropped without a
    trace."""
    file = tmp_path / "game.jsonl"
    cases = []
    for name, proof, seed in cheats(Random(3)):
        game = play_on_draws(proof["draws"], hands=1)
        assert game.seed == seed
        cases.append((name, as_mjai(game, proof)))
    unseen = ["drops a page without a trace in the record"]
    assert node_accepts(cases, tmp_path) == {"page": unseen, "program": unseen}
    for name, text in cases:
        file.write_text(text)
        is_seen = name not in unseen
        assert python_accepts(file) is not is_seen, name
        assert bool(check_record(text.encode()).problems) is is_seen, name


def test_receipt_finds_a_page_that_was_dropped(tmp_path: Path) -> None:
    honest = [draw(Random(3))]
    receipt = tmp_path / "receipt.json"
    kept = {
        "version": 1,
        "table": proved_games.TABLE,
        "draw": 1,
        "seat": 0,
        "commitments": honest[0]["commitments"],
        "binding": honest[0]["binding"],
        "contribution": honest[0]["contributions"][0],
    }
    receipt.write_text(json.dumps(kept))
    file = tmp_path / "game.jsonl"
    file.write_text(as_mjai(play_on_draws(honest, hands=1), proof_of(honest)))
    out, status = command(file, "--receipt", receipt)
    assert (status, len(out)) == (0, 1)
    (dropped,) = [record for name, record, _ in cheats(Random(3)) if "without a trace" in name]
    file.write_text(as_mjai(play_on_draws(dropped["draws"], hands=1), dropped))
    assert command(file)[1] == 0
    out, status = command(file, "--receipt", receipt)
    assert status == 1
    assert out == [
        f"DOES NOT FIT {file}: the commitments differ from those of the receipt",
        f"DOES NOT FIT {file}: the record does not have the bytes that seat 0 gave",
    ]


def test_command_reports_each_file(short_record: str, tmp_path: Path) -> None:
    good, bad, old = (tmp_path / f"{name}.jsonl" for name in ("good", "bad", "old"))
    good.write_text(short_record)
    tile = next(line for line in short_record.splitlines() if '"tsumo"' in line)
    pai = json.loads(tile)["pai"]
    bad.write_text(
        short_record.replace(tile, tile.replace(f'"{pai}"', '"E"' if pai != "E" else '"S"'))
    )
    old.write_bytes((HERE / "fixtures" / "own.mjson").read_bytes())
    out, status = command(good)
    assert (out, status) == (
        [f"FITS {good}: fixed before the game, draw 2, pages of seats 0, 3; hands: 2, {NO_END}"],
        0,
    )
    out, status = command(old)
    assert (out, status) == ([f"NO PROOF {old}: nothing binds the walls of this game"], 2)
    out, status = command(tmp_path)
    assert status == 1
    assert [line.split(f" {tmp_path}")[0] for line in out] == ["DOES NOT FIT", "FITS", "NO PROOF"]
    assert out[0] == f"DOES NOT FIT {bad}: line 3: the draw"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no record",
        '{"type":"start_game","house":',
        '{"type":"start_game","house":{"format":1,"rules":{},"seed":"","proof":7}}\n',
        '{"type":"start_game","house":{"proof":{"version":1}}}\n{"type":"start_kyoku"}\n',
        "<mjloggm ver='2.3'>",
        '{"title":["",""],"log":[],"house":{"proof":[]}}',
    ],
)
def test_damaged_file_is_named(text: str, tmp_path: Path) -> None:
    file = tmp_path / "damaged.json"
    file.write_text(text)
    (line,), status = command(file)
    assert status == 1
    assert line.startswith(f"DAMAGED {file}: ")


def test_short_program_finds_every_change_of_the_seed(tmp_path: Path) -> None:
    """The program in Python checks all changes; the one in JavaScript checks some of each value."""
    text = as_mjai(play_on_draws(draws_of(1), hands=1), proof_of(draws_of(1)))
    file, script = tmp_path / "game.jsonl", PROGRAMS / "check_seed.mjs"
    bound = json.loads(json.loads(text.split("\n")[0])["house"]["proof"]["rules"])
    changes = [
        (name, changed)
        for name, changed in changed_values(text)
        if not name.startswith("rule ") or name.removeprefix("rule ") in bound
    ]
    assert len(changes) > 2_000
    for at, (name, changed) in enumerate([("unchanged", text), *changes[::STEP]]):
        file.write_text(changed)
        assert python_accepts(file, CHECK_SEED) == (name == "unchanged"), name
        if at * STEP % 100 == 0 and shutil.which("node"):
            done = subprocess.run(
                ["node", str(script), str(file)], capture_output=True, check=False
            )
            assert (done.returncode == 0) == (name == "unchanged"), name


def test_wrong_receipt_is_refused(short_record: str, tmp_path: Path) -> None:
    file, receipt = tmp_path / "game.jsonl", tmp_path / "receipt.json"
    file.write_text(short_record)
    with pytest.raises(CommandError, match="cannot be read"):
        command(file, "--receipt", receipt)
    receipt.write_text(short_record)
    with pytest.raises(CommandError, match="not a receipt"):
        command(file, "--receipt", receipt)


def test_programs_print_their_findings(short_record: str, tmp_path: Path) -> None:
    """The programs run alone, without modules of this project and without packages."""
    file, old = tmp_path / "game.jsonl", HERE / "fixtures" / "own.mjson"
    file.write_text(short_record)
    changed = tmp_path / "changed.jsonl"
    changed.write_text(short_record.replace('"person:b"', '"person:c"'))
    expected_output = {
        "check_wall": (
            f"FITS: 2 pages took part, draw 2, not signed (version 1); hands: 2, {NO_END}",
            "DOES NOT FIT: the hash of draw 1",
        ),
        "check_seed": (
            "FITS: draw 2 fixed the seed, not signed (version 1)",
            "DOES NOT FIT: the hash of draw 1",
        ),
    }
    runs = [
        ([sys.executable, "-I", str(PROGRAMS / f"{name}.py")], name) for name in expected_output
    ]
    if shutil.which("node"):
        runs += [(["node", str(PROGRAMS / f"{name}.mjs")], name) for name in expected_output]
    marked = tmp_path / "old.jsonl"
    marked.write_text('{"type":"start_game","house":{"rules":{},"seed":""}}\n' + old.read_text())
    for run, name in runs:
        fits, does_not_fit = expected_output[name]
        for path, status, text in (
            (file, 0, fits),
            (changed, 1, does_not_fit),
            (marked, 1, "NO PROOF in this record"),
        ):
            done = subprocess.run(
                [*run, str(path)], cwd=tmp_path, capture_output=True, text=True, check=False
            )
            assert (done.returncode, (done.stdout + done.stderr).strip()) == (status, text)


@pytest.mark.parametrize("language", ["py", "mjs"])
def test_both_programs_check_the_proof_with_the_same_code(language: str) -> None:
    short, long = ((PROGRAMS / f"check_{name}.{language}").read_text() for name in ("seed", "wall"))
    begin = "def expect(" if language == "py" else "const fail ="
    end = "def check_receipt(" if language == "py" else "/** Did the server tell"
    shared = short[short.index(begin) : short.index(end)]
    assert shared.rstrip() in long
