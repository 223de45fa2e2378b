"""The loop in which a worker runs the tasks of `settings.PERIODIC_TASKS` every second.

Knows nothing of what they do. A task may run in several workers at once and may be cut off at any
point. When one fails, that is logged, and it runs again the next time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from game.tables.database import reaching_database
from game.tables.errors import TablesUnavailable

log = logging.getLogger(__name__)

EVERY_S: Final = 1.0

PeriodicTask = Callable[[], Awaitable[None]]


async def run(tasks: Iterable[PeriodicTask], stop: asyncio.Event) -> None:
    """Run all tasks, again and again, until `stop`."""
    while not stop.is_set():
        for task in tasks:
            await _run_once(task)
        try:
            await asyncio.wait_for(stop.wait(), EVERY_S)
        except TimeoutError:
            continue


async def _run_once(task: PeriodicTask) -> None:
    try:
        with reaching_database():
            await task()
    except TablesUnavailable as error:
        log.info("%s waits: %s", task.__name__, error)
    except Exception:
        log.exception("%s failed", task.__name__)
