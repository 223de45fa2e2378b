"""The worker runs its periodic tasks, and a failing task stops no other."""

from __future__ import annotations

import asyncio
import inspect

import pytest
from django.conf import settings
from django.utils.module_loading import import_string

from game.tables import periodic_tasks
from game.tables.errors import TablesUnavailable


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list in which the tasks of a test record their calls."""
    monkeypatch.setattr(periodic_tasks, "EVERY_S", 0.01)
    return []


async def test_failing_task_is_retried_and_stops_no_other(
    done: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    stop = asyncio.Event()

    async def breaks() -> None:
        done.append("broken")
        raise ValueError("a fault")

    async def waits() -> None:
        raise TablesUnavailable("no Redis")

    async def works() -> None:
        done.append("done")
        if done.count("done") == 3:
            stop.set()

    async with asyncio.timeout(60):
        await periodic_tasks.run([breaks, waits, works], stop)
    assert done == ["broken", "done"] * 3
    assert "a fault" in caplog.text
    assert "Traceback" not in "".join(
        record.getMessage() for record in caplog.records if "no Redis" in record.getMessage()
    )


async def test_task_runs_no_sooner_than_it_asked_for(done: list[str]) -> None:
    stop = asyncio.Event()

    async def rests() -> float:
        done.append("rests")
        return 3_600.0

    async def works() -> None:
        done.append("works")
        if done.count("works") == 3:
            stop.set()

    async with asyncio.timeout(60):
        await periodic_tasks.run([rests, works], stop)
    assert done == ["rests", "works", "works", "works"]


def test_settings_name_every_periodic_task() -> None:
    names = {path.rpartition(".")[2] for path in settings.PERIODIC_TASKS}
    removals = {"remove_expired", "remove_old_logs", "remove_old_records", "remove_old_reviews"}
    games = {"advance_lobby", "apply_new_bans", "open_planned_tables", "open_rated_games"}
    officials = {"carry_out_all", "check_no_shows"}
    assert names == {*removals, *games, *officials, "compute_queued", "compute_columns"}


@pytest.mark.parametrize("path", [*settings.PERIODIC_TASKS, settings.FIND_NAME])
def test_settings_name_async_functions(path: str) -> None:
    assert inspect.iscoroutinefunction(import_string(path))
