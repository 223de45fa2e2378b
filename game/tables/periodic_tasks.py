"""The loop in which a worker runs the tasks of `settings.PERIODIC_TASKS` every second.

Must not know what they do. A task may run in several workers at once and may be cancelled at any
point. A failure is logged, and the task runs again the next time. One that lasts is a warning.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from game.tables.database import reaching_database
from game.tables.errors import TablesUnavailable
from game.tables.repeated_failures import RepeatedFailures

log = logging.getLogger(__name__)

EVERY_S: Final = 1.0

PeriodicTask = Callable[[], Awaitable[float | None]]
"""A task may return for how many seconds it has nothing to do."""


async def run(tasks: Iterable[PeriodicTask], stop: asyncio.Event) -> None:
    """Run all tasks repeatedly until `stop`, each not before the time that it returned."""
    tasks = list(tasks)
    next_at = [0.0] * len(tasks)
    failures = RepeatedFailures()
    while not stop.is_set():
        for place, task in enumerate(tasks):
            if time.monotonic() >= next_at[place]:
                next_at[place] = time.monotonic() + (await _run_once(task, failures) or 0.0)
        try:
            async with asyncio.timeout(EVERY_S):
                await stop.wait()
        except TimeoutError:
            continue


async def _run_once(task: PeriodicTask, failures: RepeatedFailures) -> float | None:
    try:
        with reaching_database():
            pause = await task()
    except Exception as error:
        if isinstance(error, TablesUnavailable):
            log.info("%s waits: %s", task.__name__, error)
        else:
            log.exception("%s failed", task.__name__)
        failures.note_failure(task.__name__, error)
        return None
    failures.note_success(task.__name__)
    return pause
