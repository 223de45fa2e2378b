"""How tasks are ended."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Any, Final

log = logging.getLogger(__name__)

_AGAIN_AFTER_S: Final = 0.2


async def end(tasks: Iterable[asyncio.Task[Any] | None]) -> None:
    """Cancel these, and return when they are over, whatever comes of them.

    A task may live on: before Python 3.12 `asyncio.wait_for`, by which redis-py sends, loses a
    cancellation that comes in the moment in which its own wait is over. So each is cancelled until
    it ends.
    """
    ending = [task for task in tasks if task is not None]
    left = {task for task in ending if not task.done()}
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=_AGAIN_AFTER_S)
        for task in left:
            log.info("%s goes on, and is told to end again", task.get_name())
    await asyncio.gather(*ending, return_exceptions=True)
