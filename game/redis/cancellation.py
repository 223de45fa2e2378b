"""Cancels asyncio tasks and waits for their end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Any, Final

log = logging.getLogger(__name__)

_AGAIN_AFTER_S: Final = 0.2


async def cancel_and_wait(tasks: Iterable[asyncio.Task[Any] | None]) -> None:
    """Cancel these tasks and return when all have ended. Their errors are dropped; None is skipped.

    Cancels again until each task ends: before Python 3.12 `asyncio.wait_for`, which redis-py uses,
    loses a cancellation that comes just as its own wait ends.
    """
    ending = [task for task in tasks if task is not None]
    left = {task for task in ending if not task.done()}
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=_AGAIN_AFTER_S)
        for task in left:
            log.info("%s has not ended: it is cancelled again", task.get_name())
    await asyncio.gather(*ending, return_exceptions=True)
