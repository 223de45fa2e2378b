"""All checks of walls give the same verdict on a record that somebody has tampered with."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from game.engine.events import HandDrawn, HandEnded, Won
from game.records.own import OwnGame
from game.records.recorded import RecordError
from game.records.wall_check import check_record
from tests.kit.long_form import IS_LONG
from tests.records.proved_games import (
    as_mjai,
    as_mjlog,
    as_tenhou6,
    draws_of,
    play_on_draws,
    proof_of,
)
from tests.records.tampered_records import tampered, tampered_values
from tests.records.wall_programs import CHECK_SEED, node_verdicts, python_verdict

Write = Callable[..., str]
FORMATS: Final[tuple[Write, ...]] = (as_mjai, as_mjlog, as_tenhou6)
STEP: Final = 1 if IS_LONG else 3
"""LONG=1 tries each change; otherwise every third change is tried."""


def command_verdict(text: str) -> tuple[str, bool]:
    """Return the verdict of `verify_wall`, and whether proof and seed fit."""
    try:
        report = check_record(text.encode("utf-8", "surrogatepass"))
    except RecordError:
        return "DOES NOT FIT", False
    if report.pages is None:
        return "NO PROOF", False
    return "DOES NOT FIT" if report.problems else "FITS", report.is_proved


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.timeout(1200)
def test_every_check_gives_the_same_verdict(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    text, other = (
        as_mjai(play_on_draws(draws, number=number, hands=1), proof_of(draws))
        for number, draws in ((110, draws_of(1)), (3, draws_of(3)))
    )
    cases = dict([("unchanged", text), *[*tampered(text, other)][::STEP]])
    found = node_verdicts([*cases.items()], tmp_path)
    file = tmp_path / "game.jsonl"
    differing: list[object] = []
    verdicts: Counter[str] = Counter()
    for name, changed in cases.items():
        file.write_bytes(changed.encode())
        expected, is_proved = command_verdict(changed)
        verdicts[expected] += 1
        others = {
            "check_wall.py": python_verdict(file),
            "check_wall.mjs": found["program"][name],
            "verify.js": found["page"][name],
        }
        if {*others.values()} != {expected}:
            differing.append((name, expected, others))
        seeds = {python_verdict(file, CHECK_SEED), found["seed"][name]}
        if seeds != {"FITS" if is_proved else expected}:
            differing.append((name, "seed", is_proved, expected, seeds))
    assert differing == []
    assert len(cases) > 500
    assert min(verdicts.values()) > 3
    record_property("figures", f"{len(cases)} tampered records, the same verdict of all checks")


def test_every_format_gets_the_same_verdict() -> None:
    """The same mark in each format, and hands that are left out or exchanged."""
    game, proof = play_on_draws(draws_of(1), number=110, hands=2), proof_of(draws_of(1))
    start = json.loads(as_mjai(game, proof).split("\n")[0])
    marks: dict[str, Any] = {
        name: json.loads(text).get("house")
        for name, text in tampered_values([start])
        if name.startswith("start_game house")
    }
    assert len(marks) > 300
    differing = []
    for name, mark in [*marks.items()][::STEP]:
        verdicts = [command_verdict(write(game, proof, mark)) for write in FORMATS]
        if len({*verdicts}) > 1:
            differing.append((name, verdicts))
    assert differing == []
    one, two = game.hands
    for hands in ((one,), (two,), (two, one), (one, one), (one, two, two)):
        changed = replace(game, hands=hands)
        verdicts = [command_verdict(write(changed, proof)) for write in FORMATS]
        assert {*verdicts} == {("FITS" if hands == (one,) else "DOES NOT FIT", True)}


def without_result(write: Write, game: OwnGame) -> str:
    """Return the record of the game without the result of its last hand."""
    if write is as_tenhou6:
        file = json.loads(write(game, proof_of(draws_of(1))))
        file["log"][-1][-1] = []
        return json.dumps(file)
    *whole, last = game.hands
    last = tuple([event for event in last if not isinstance(event, Won | HandDrawn | HandEnded)])
    return write(replace(game, hands=(*whole, last)), proof_of(draws_of(1)))


@pytest.mark.parametrize("write", FORMATS)
def test_record_that_stops_inside_a_hand_does_not_fit(write: Write) -> None:
    """It stops after each hand, or inside one."""
    game = play_on_draws(draws_of(1), number=110)
    ends = []
    for hands in range(1, len(game.hands) + 1):
        part = replace(game, hands=game.hands[:hands])
        report = check_record(write(part, proof_of(draws_of(1))).encode())
        assert (report.problems, report.hands) == ((), hands)
        ends.append(report.is_over)
    assert ends == [False] * (len(ends) - 1) + [True]
    cut = without_result(write, replace(game, hands=game.hands[:3]))
    assert command_verdict(cut) == ("DOES NOT FIT", True)
