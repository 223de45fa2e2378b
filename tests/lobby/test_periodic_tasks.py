"""The worker runs its periodic tasks, and a failing task stops no other."""

from __future__ import annotations

import asyncio
import inspect
import itertools

import pytest
from django.conf import settings
from django.utils.module_loading import import_string
from prometheus_client import REGISTRY

from game.tables import worker
from game.tables.errors import TablesUnavailable
from game.tables.repeated_failures import RepeatedFailures


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list in which the tasks of a test record their calls."""
    monkeypatch.setattr(worker, "DEFAULT_INTERVAL_S", 0.01)
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
        await worker.run_periodic_tasks([breaks, waits, works], stop)
    assert done == ["broken", "done"] * 3
    assert "a fault" in caplog.text
    assert "Traceback" not in "".join(
        record.getMessage() for record in caplog.records if "no Redis" in record.getMessage()
    )


async def test_task_that_fails_for_a_minute_is_a_warning_and_counted(
    done: list[str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop, seconds, fails = asyncio.Event(), itertools.count(step=20), [True] * 7 + [False]
    failing = list[float | None]()
    monkeypatch.setattr(worker, "RepeatedFailures", lambda: RepeatedFailures(lambda: next(seconds)))

    async def repair() -> None:
        failing.append(REGISTRY.get_sample_value("mahjong_failing_tasks"))
        if fails.pop(0):
            raise TablesUnavailable("CROSSSLOT")
        stop.set()

    async with asyncio.timeout(60):
        await worker.run_periodic_tasks([repair], stop)
    # The filter of outages may add how many lines it has left out.
    texts = [record.getMessage().partition(" [")[0] for record in caplog.records]
    assert [text for text in texts if text.startswith("repair ") and "waits" not in text] == [
        "repair has failed for 60 s: CROSSSLOT",
        "repair has failed for 120 s: CROSSSLOT",
        "repair works again after 140 s",
    ]
    before = failing[0] or 0.0
    assert failing == [before] * 4 + [before + 1] * 4
    assert REGISTRY.get_sample_value("mahjong_failing_tasks") == before


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
        await worker.run_periodic_tasks([rests, works], stop)
    assert done == ["rests", "works", "works", "works"]


def test_settings_name_every_periodic_task() -> None:
    names = {path.rpartition(".")[2] for path in settings.PERIODIC_TASKS}
    removals = {"remove_expired", "remove_old_logs", "remove_old_records", "remove_old_reviews"}
    games = {"advance_lobby", "apply_new_bans", "open_planned_tables", "open_rated_games"}
    officials = {"carry_out_all", "check_no_shows"}
    others = {"compute_queued", "compute_columns", "note_wall_key", "warn_of_one_address"}
    assert names == {*removals, *games, *officials, *others}


@pytest.mark.parametrize("path", [*settings.PERIODIC_TASKS, settings.FIND_NAME])
def test_settings_name_async_functions(path: str) -> None:
    assert inspect.iscoroutinefunction(import_string(path))
