"""A record with a proof fits, and every change of it is found by `verify_wall`, by the verifier of
the pages, and by the two programs for players."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from game.engine.wall_proof import bound_facts
from game.records.own import OwnGame
from game.records.recorded import RecordError
from game.records.wall_check import check_record, is_signed, read_proof
from game.tables.wall_signer import WallSigner
from tests.kit.long_form import IS_LONG
from tests.records import proved_games
from tests.records.proved_games import (
    as_mjai,
    as_mjlog,
    as_tenhou6,
    bound,
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
KEY: Final = proved_games.SIGNER.public_key.hex()
STEP: Final = 1 if IS_LONG else 9
"""LONG=1 tries each change; otherwise every ninth change is tried."""
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


def unsigned_record() -> str:
    """Return the first hand of a game whose proof is of version 1, with a void draw."""
    rng = Random(1)
    draws = [draw(rng, reveals=(0, 3)), draw(rng, (0, 3), (0, 3))]
    return as_mjai(play_on_draws(draws, hands=1), proof_of(draws))


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
    return as_mjai(play_on_draws(draws, number=283, hands=2), proof_of(draws))


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
    draws = bound(draw(Random(5), pages, pages))
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
    honest = bound(draw(Random(3)))
    receipt = tmp_path / "receipt.json"
    receipt.write_text(json.dumps(receipt_of(honest, 0)))
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
        f"DOES NOT FIT {file}: the server's hash differs from that of the receipt",
        f"DOES NOT FIT {file}: the commitments differ from those of the receipt",
        f"DOES NOT FIT {file}: the record does not have the bytes that seat 0 gave",
    ]


def receipt_of(draws: Sequence[Any], seat: int) -> dict[str, Any]:
    """Return the receipt of that seat's page for the first of these draws."""
    first = draws[0]
    (facts, *_) = bound_facts(read_proof(proof_of(draws)))
    return {
        "version": 2,
        "table": proved_games.TABLE,
        "draw": 1,
        "seat": seat,
        **{name: first[name] for name in ("commitments", "binding", "key", "signature")},
        "terms": facts.terms.hex(),
        "secret_hash": facts.secret_hash.hex(),
        "left_out": [],
        "previous": "",
        "contribution": first["contributions"][seat],
    }


def test_programs_check_a_receipt(tmp_path: Path) -> None:
    """The receipt of a page that revealed and is named silent convinces whoever knows the site's
    public key; a receipt that the server has not signed convinces nobody."""
    rng = Random(12)
    honest = draw(rng)
    named = bound(honest | {"contributions": ["", *honest["contributions"][1:]]})
    draws = bound(*named, draw(rng, (1, 3), (1, 3)))
    kept = receipt_of(draws, 0) | {"contribution": honest["contributions"][0]}
    other = bound(draw(rng))
    cases = [
        ({}, "", 0),
        (receipt_of(draws, 1), "", 0),
        (kept, "DOES NOT FIT: the record lacks the bytes of seat 0, which the receipt has", 1),
        (
            receipt_of(other, 1),
            "DOES NOT FIT: the server told the page of the receipt something else",
            1,
        ),
        (
            kept | {"commitments": other[0]["commitments"]},
            "RECEIPT: the server has not signed it",
            1,
        ),
        (kept | {"signature": other[0]["signature"]}, "RECEIPT: the server has not signed it", 1),
        (kept | {"contribution": "ab" * 32}, "RECEIPT: its bytes do not fit its commitment", 1),
    ]
    file, receipt = tmp_path / "game.jsonl", tmp_path / "receipt.json"
    file.write_text(as_mjai(play_on_draws(draws, hands=1), proof_of(draws)))
    fits = f"FITS: draw 2 fixed the seed, signed with {KEY}"
    for changed, said, status in cases:
        receipt.write_text(json.dumps(changed))
        for program in ("check_seed.py", "check_seed.mjs"):
            run = [sys.executable, "-I"] if program.endswith("py") else ["node"]
            if not shutil.which(run[0]):
                continue
            files = [str(file), *([str(receipt)] if changed else [])]
            done = subprocess.run(
                [*run, str(PROGRAMS / program), *files], capture_output=True, text=True, check=False
            )
            out = (done.stdout + done.stderr).strip()
            assert (done.returncode, out) == (status, said or fits), program
        if changed:
            assert command(file, "--receipt", receipt)[1] == status


def test_signatures_are_checked_as_the_standard_has_it() -> None:
    """The programs for players contain Ed25519: they accept what another implementation signs, and
    nothing else."""
    source = (PROGRAMS / "check_wall.py").read_text()
    scope: dict[str, Any] = {"hashlib": hashlib}
    exec(source[source.index("P, ORDER") : source.index("def binding_of")], scope)
    is_valid, rng = scope["is_signed"], Random(4)
    for number in range(3):
        key, signature = WallSigner(f"key {number}").sign(binding := rng.randbytes(32))
        assert is_valid(binding, key, signature)
        order = 2**252 + 27742317777372353535851937790883648493
        s = int.from_bytes(signature[32:], "little") + order
        for other in (
            (bytes(32), key, signature),
            (binding, bytes(32), signature),
            (binding, b"\x02" + bytes(31), signature),
            (binding, key[:31], signature),
            (binding, key, signature[:63]),
            (binding, key, signature[:32] + s.to_bytes(32, "little")),
            (binding, key, bytes([signature[0] ^ 1]) + signature[1:]),
        ):
            assert not is_valid(*other)
            assert not is_signed(*other)


@needs_node
def test_older_records_are_read_as_what_they_are(tmp_path: Path) -> None:
    """A proof of version 1 is neither chained nor signed, and every verifier says so."""
    file = tmp_path / "old.jsonl"
    file.write_text(unsigned_record())
    (line,), status = command(file)
    assert (status, line.endswith("; not signed (version 1)")) == (0, True)
    for program in ("check_seed.py", "check_seed.mjs", "check_wall.py", "check_wall.mjs"):
        run = sys.executable if program.endswith("py") else "node"
        done = subprocess.run(
            [run, str(PROGRAMS / program), str(file)], capture_output=True, text=True, check=False
        )
        assert done.stdout.startswith("FITS: "), (program, done)
        assert "not signed (version 1)" in done.stdout
    name = [("old", file.read_text())]
    assert node_accepts(name, tmp_path) == {"page": ["old"], "program": ["old"]}


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
    end = f"hands: 2, {NO_END}; signed with {KEY}"
    fits = f"FITS {good}: fixed before the game, draw 2, pages of seats 0, 3; {end}"
    assert (out, status) == ([fits], 0)
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
    changes = [*changed_values(text)]
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
    right = receipt_of(draws_of(1), 3)
    for count in (2, 3):
        receipt.write_text(json.dumps(right | {"commitments": right["commitments"][:count]}))
        with pytest.raises(CommandError, match="no table has its seats"):
            command(file, "--receipt", receipt)


def test_programs_print_their_findings(short_record: str, tmp_path: Path) -> None:
    """The programs run alone, without modules of this project and without packages."""
    file, old = tmp_path / "game.jsonl", HERE / "fixtures" / "own.mjson"
    file.write_text(short_record)
    changed = tmp_path / "changed.jsonl"
    changed.write_text(short_record.replace('"person:b"', '"person:c"'))
    expected_output = {
        "check_wall": (
            f"FITS: 2 pages took part, draw 2, signed with {KEY}; hands: 2, {NO_END}",
            "DOES NOT FIT: the hash of draw 1",
        ),
        "check_seed": (
            f"FITS: draw 2 fixed the seed, signed with {KEY}",
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
