"""What has come for one application and has not been read: a queue with one reader.

Of asyncio's queues, which many may read from and wait for, each costs some three kilobytes.
"""

from __future__ import annotations

import asyncio
from typing import Any


class ReceiveQueue:
    """Messages in the order in which they came."""

    __slots__ = ("_awaited", "_loop", "_messages")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()  # to ask is a system call in CPython 3.11
        self._messages: list[Any] = []
        self._awaited: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(None)

    def qsize(self) -> int:
        """How many wait."""
        return len(self._messages)

    async def get(self) -> Any:
        """The next one, when it has come. Nothing is lost if the wait is cancelled."""
        while not self._messages:
            awaited = self._awaited = self._loop.create_future()
            try:
                await awaited
            finally:
                if self._awaited is awaited:
                    self._awaited = None
        return self._messages.pop(0)
