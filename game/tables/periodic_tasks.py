"""What the worker does every second beside the tables, for apps that it knows nothing of.

An app adds its chore when it is loaded. A chore may run in several workers at once and may be
cut off at any point; when one fails, that is logged, and it is tried again the next time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from game.tables.database import reaching_database
from game.tables.errors import TablesUnavailable

log = logging.getLogger(__name__)

EVERY_S: Final = 1.0

Chore = Callable[[], Awaitable[None]]

_chores: Final[list[Chore]] = []


def chore_added(chore: Chore) -> None:
    """Let the worker do that from now on."""
    if chore not in _chores:
        _chores.append(chore)


async def run(stop: asyncio.Event) -> None:
    """Do all of them, again and again, until `stop`."""
    while not stop.is_set():
        for chore in _chores:
            await _done(chore)
        try:
            await asyncio.wait_for(stop.wait(), EVERY_S)
        except TimeoutError:
            continue


async def _done(chore: Chore) -> None:
    try:
        with reaching_database():
            await chore()
    except TablesUnavailable as error:
        log.info("a chore waits: %s", error)
    except Exception:
        log.exception("%s was not done", chore)
