"""What is on its way to one socket: frames in order, and at last a close code.

Whoever hands a frame over never waits. A server without back-pressure (Daphne) takes
everything at once and buffers it, so who reads too slowly is found by what they say they
have seen; a server with back-pressure fills the queue here, which has its own limit.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

log = logging.getLogger(__name__)

MAX_WAITING: Final = 600
WRITE: Final = "mahjong.write"
"""Among the extensions of a scope, where the server has it: sends texts to the client at once,
after those before them, and neither waits nor fails."""


class SendQueue:
    """Frames for `send`, then a code for `close`."""

    def __init__(
        self,
        send: Callable[[str], Awaitable[None]],
        close: Callable[[int], Awaitable[None]],
    ) -> None:
        self._send = send
        self._close = close
        self.write: Callable[..., None] | None = None
        """What the server offers under `WRITE`."""
        self._frames: list[str] = []
        self._code: int | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_closed(self) -> bool:
        """Nothing more is taken."""
        return self._code is not None

    def put(self, *frames: str) -> bool:
        """Send these frames after those before them. False if too many are waiting."""
        if self.is_closed:
            return True
        if self.write is not None:
            self.write(*frames)
            return True
        if len(self._frames) >= MAX_WAITING:
            return False
        self._frames.extend(frames)
        self._wake()
        return True

    def end(self, code: int) -> None:
        """Close with that code, after what is waiting."""
        if not self.is_closed:
            self._code = code
            self._wake()

    def cut(self, code: int) -> None:
        """Close with that code at once."""
        if not self.is_closed:
            self._frames.clear()
            self.end(code)

    def abandon(self) -> None:
        """The socket is gone: forget what is waiting."""
        self._code = self._code or 0
        self._frames.clear()
        if self._task is not None:
            self._task.cancel()

    def _wake(self) -> None:
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._empty())

    async def _empty(self) -> None:
        try:
            while self._frames:
                await self._send(self._frames.pop(0))
            if self._code is not None:
                await self._close(self._code)
        except Exception as error:  # each server has its own way to say that it has no socket
            log.info("a socket was gone before its frames: %r", error)
            self._code = self._code or 0
        finally:
            self._task = None
