"""The loop in which a worker runs the tasks of `settings.PERIODIC_TASKS` every second.

Must not know what they do. A task may run in several workers at once and may be cancelled at any
point. A failure is logged, and the task runs again the next time.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from game.tables.database import reaching_database
from game.tables.errors import TablesUnavailable

log = logging.getLogger(__name__)

EVERY_S: Final = 1.0

PeriodicTask = Callable[[], Awaitable[float | None]]
"""A task may return for how many seconds it has nothing to do."""


async def run(tasks: Iterable[PeriodicTask], stop: asyncio.Event) -> None:
    """Run all tasks repeatedly until `stop`, each not before the time that it returned."""
    tasks = list(tasks)
    next_at = [0.0] * len(tasks)
    while not stop.is_set():
        for place, task in enumerate(tasks):
            if time.monotonic() >= next_at[place]:
                next_at[place] = time.monotonic() + (await _run_once(task) or 0.0)
        try:
            async with asyncio.timeout(EVERY_S):
                await stop.wait()
        except TimeoutError:
            continue


async def _run_once(task: PeriodicTask) -> float | None:
    try:
        with reaching_database():
            return await task()
    except TablesUnavailable as error:
        log.info("%s waits: %s", task.__name__, error)
    except Exception:
        log.exception("%s failed", task.__name__)
    return None
