"""What reviewers are asked, and what a broken reviewer cannot do."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from bench.played_games import play_room
from game.engine.events import Answered, Drawn, Event, RiichiDeclared
from game.engine.tiles import tile_to_text
from game.mjai_programs.process import LimitedProgram, Limits, ProgramFailed, has_no_network
from game.mjai_programs.spec import ProgramSpec, SpecError, read_specs
from game.reviews.figures import Decision, ReviewerColumn
from game.reviews.game_review import review_game
from game.reviews.reviewers import AskedDecision, ask_reviewer
from game.tables.room import SeatMeta
from tests.reviews.games import SHORT_RULES

PROGRAMS: Final = str(Path(__file__).parent / "reviewer_programs.py")
STUB: Final = str(Path(__file__).parents[1] / "bot_socket" / "stub_bots.py")
PATIENT: Final = Limits(seconds=600.0, answer_s=60.0, megabytes=1_024)
QUICK: Final = Limits(seconds=600.0, answer_s=0.5, megabytes=256)


@cache
def game() -> tuple[Event, ...]:
    seats = tuple(SeatMeta(f"bot {seat}", bot="sensible") for seat in range(4))
    _, log = play_room("asked", seats, SHORT_RULES, seed=5, started_at=0)
    return tuple(event for commit in log for event in commit.events)


@cache
def decisions() -> list[Decision]:
    return review_game(game(), with_curves=False).decisions


def reviewer(habit: str) -> ProgramSpec:
    return ProgramSpec("Engine", "mjai.app", (sys.executable, PROGRAMS, habit))


def column_of(spec: ProgramSpec, limits: Limits = PATIENT) -> ReviewerColumn:
    asked = [
        AskedDecision(decision.at, decision.seat, decision.choices) for decision in decisions()
    ]
    return ask_reviewer(spec, limits, game(), asked)


def test_settings_name_reviewers() -> None:
    first, second = read_specs("Mortal = mortal python3 'a b.py' {seat};\n Other=mjai.app run;")
    assert first == ProgramSpec("Mortal", "mortal", ("python3", "a b.py", "{seat}"))
    assert first.command_of(2) == ["python3", "a b.py", "2"]
    assert second.command_of(2) == ["run", "2"]
    assert read_specs(" ") == []
    for text in (
        "Mortal",
        "=mortal x",
        "A=jong x",
        "A=mortal",
        "A=mortal 'x",
        "A=mortal x;A=mortal y",
    ):
        with pytest.raises(SpecError):
            read_specs(text)


@pytest.mark.parametrize(
    "spec",
    [reviewer("tsumogiri"), ProgramSpec("Engine", "akochan", (sys.executable, STUB, "akochan"))],
    ids=["mjai.app", "akochan"],
)
def test_reviewer_has_a_choice_at_every_decision(spec: ProgramSpec) -> None:
    """Both reviewers discard what they draw, and the second also calls pon."""
    column = column_of(spec)
    assert (column.name, column.state, column.riichi) == ("Engine", "done", [])
    shown = [event for event in game() if not isinstance(event, Answered)]
    drawn = 0
    for decision, place in zip(decisions(), column.choices, strict=True):
        event = shown[decision.at]
        if isinstance(event, Drawn):
            assert decision.choices[place].tile == tile_to_text(event.pai)
            drawn += 1
        elif decision.claimed:
            assert decision.choices[place].action in ("pass", "pon")
    assert drawn > 20


def test_impossible_answers_are_no_choice_and_riichi_needs_no_discard() -> None:
    column = column_of(reviewer("reach"))
    assert column.state == "done"
    offered = [
        number
        for number, decision in enumerate(decisions())
        if any(choice.riichi is not None for choice in decision.choices)
    ]
    assert column.riichi == offered
    assert any(isinstance(event, RiichiDeclared) for event in game())
    for number, (decision, place) in enumerate(zip(decisions(), column.choices, strict=True)):
        ways = [choice for choice in decision.choices if choice.riichi is not None]
        is_known = number in offered and len(ways) == 1
        assert (decision.choices[place] in ways) if is_known else place == -1


@pytest.mark.parametrize(
    ("habit", "why"),
    [
        ("hang", "slow"),
        ("silent", "slow"),
        ("die", "ended"),
        ("flood", "flood"),
        ("endless", "flood"),
        ("hungry", "ended"),
    ],
)
def test_broken_reviewer_ends_within_its_limits(habit: str, why: str) -> None:
    column = column_of(reviewer(habit), PATIENT if why != "slow" else QUICK)
    assert column.state == "failed"
    assert column.failed.startswith(why)
    assert len(column.choices) == len(decisions())
    if habit == "die":
        assert "the model is missing" in column.failed
        assert any(place >= 0 for place in column.choices), "answers before the failure are kept"
    if habit == "hungry":
        assert "MemoryError" in column.failed


def test_missing_command_is_a_failure() -> None:
    column = column_of(ProgramSpec("Engine", "mjai.app", ("/no/such/engine",)))
    assert (column.state, column.failed.partition(":")[0]) == ("failed", "ended")


def test_time_of_a_game_is_limited() -> None:
    began = time.monotonic()
    column = column_of(reviewer("hang"), Limits(seconds=1.0, answer_s=60.0))
    assert column.failed.startswith("slow")
    assert time.monotonic() - began < 60


async def talk(habit: str, *arguments: str) -> dict[str, Any] | None:
    program = await LimitedProgram.start([sys.executable, PROGRAMS, habit, *arguments], PATIENT)
    try:
        await program.write([{"type": "start_game"}])
        return await program.read(60.0)
    finally:
        await program.stop()


async def test_reviewer_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "x")
    with pytest.raises(ProgramFailed) as failed:
        await talk("environment", "0")
    assert "PATH" in failed.value.text
    assert "SECRET_KEY" not in failed.value.text


async def test_reviewer_has_no_network() -> None:
    if not await asyncio.to_thread(has_no_network):
        pytest.skip("this system does not allow a network namespace")
    with socket.create_server(("127.0.0.1", 0)) as server:
        answer = await talk("connect", str(server.getsockname()[1]), "0")
    assert answer == {"type": "refused"}


async def test_processes_of_a_reviewer_end_with_it() -> None:
    script = 'sleep 1000 & echo \'{"type": "child", "pid": \'$!\'}\'; wait'
    program = await LimitedProgram.start(["sh", "-c", script], PATIENT)
    try:
        answer = await program.read(60.0)
    finally:
        await program.stop()
    assert answer is not None
    until = time.monotonic() + 60
    while _runs(answer["pid"]):
        assert time.monotonic() < until
        await asyncio.sleep(0.02)


async def test_exit_code_of_a_reviewer_is_left_to_the_event_loop(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The event loop learns late that the program has ended, after `stop` has sent its signal."""

    def wait_late(pid: int, options: int) -> tuple[int, int]:
        time.sleep(0.3)
        return wait(pid, options)

    def kill_and_wait(group: int, signal: int) -> None:
        kill(group, signal)
        time.sleep(0.1)

    wait, kill = os.waitpid, os.killpg
    monkeypatch.setattr(os, "waitpid", wait_late)
    monkeypatch.setattr(os, "killpg", kill_and_wait)
    program = await LimitedProgram.start(["sleep", "1000"], PATIENT)
    await program.stop()
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
