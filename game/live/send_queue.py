"""The bounded queue of frames of one socket, and its close code.

Adding a frame never waits. Daphne buffers by itself, so frames are sent at once, and slow readers
are recognised by the events that they have not acknowledged. With other servers this queue fills.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

log = logging.getLogger(__name__)

MAX_WAITING: Final = 600
CLOSE_SLOW: Final = 4408
SOCKET: Final = "mahjong.socket"
"""An extension of the scope, if the server has it: the socket as a `ServerSocket`."""

Message = dict[str, Any]


class ServerSocket(Protocol):
    """What the web server offers for one socket in addition to ASGI."""

    inbox: ServerInbox
    answered_at: float
    """When the client last answered a ping, by the monotonic clock."""

    def write_text(self, *texts: str) -> None:
        """Send these texts to the client at once and in order. Never waits, never fails."""

    def ping(self) -> None:
        """Send a ping. Does not wait for the answer."""


class ServerInbox(Protocol):
    """The incoming messages of one socket, as the web server passes them to the application."""

    work: asyncio.Future[None]
    """Ends when the application has done everything for the socket."""

    def set_handler(
        self, handler: Callable[[Message], Awaitable[None]], at_once: Callable[[Message], bool]
    ) -> None:
        """Once the application has returned, call `handler` with every message, one at a time; no
        task runs in between. When no message is being handled, `at_once` is called first; if it
        returns True, the message is done."""


class SendQueue:
    """Queues frames for `send`, then passes a code to `close`. Too many waiting frames close the
    socket with `CLOSE_SLOW`."""

    __slots__ = ("_close", "_code", "_frames", "_send", "_task", "write")

    def __init__(
        self,
        send: Callable[[str], Awaitable[None]],
        close: Callable[[int], Awaitable[None]],
    ) -> None:
        self._send = send
        self._close = close
        self.write: Callable[..., None] | None = None
        """Sends texts at once, if the server offers that."""
        self._frames: list[str] = []  # an empty deque has 700 bytes, and there are thousands
        self._code: int | None = None
        self._task: asyncio.Task[None] | None = None

    def use_server(self, scope: Any) -> ServerSocket | None:
        """Send through the web server's own socket from now on, if `scope` has one. Return it, or
        None."""
        socket: ServerSocket | None = scope.get("extensions", {}).get(SOCKET)
        if socket is not None:
            self.write = socket.write_text
        return socket

    @property
    def is_closed(self) -> bool:
        """Whether the queue accepts no more frames."""
        return self._code is not None

    def put(self, frame: str) -> None:
        """Add a frame, which the next `flush` sends."""
        if self._code is not None:
            return
        if len(self._frames) >= MAX_WAITING:
            self.close_at_once(CLOSE_SLOW)
        else:
            self._frames.append(frame)

    def send(self, frame: str) -> None:
        """Send a frame now, after the queued ones."""
        if self.write is None or self._frames or self._code is not None:
            self.put(frame)
            self.flush()
        else:
            self.write(frame)

    def flush(self) -> None:
        """Send all queued frames."""
        if not self._frames:
            return
        if self.write is None:
            self._wake()
        else:
            self.write(*self._frames)
            self._frames.clear()

    def close_after_frames(self, code: int) -> None:
        """Close with that code once the queued frames are sent."""
        if not self.is_closed:
            self.flush()
            self._code = code
            self._wake()

    def close_at_once(self, code: int) -> None:
        """Drop the queued frames and close with that code."""
        if not self.is_closed:
            self._frames.clear()
            self.close_after_frames(code)

    def abandon(self) -> None:
        """Drop the queued frames, because the socket is gone."""
        self._code = self._code or 0
        self._frames.clear()
        if self._task is not None:
            self._task.cancel()

    def _wake(self) -> None:
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._send_all())

    async def _send_all(self) -> None:
        try:
            while self._frames:
                await self._send(self._frames.pop(0))
            if self._code is not None:
                await self._close(self._code)
        except Exception as error:  # each server raises another error if it has no socket
            log.info("a socket was gone before its frames: %r", error)
            self._code = self._code or 0
        finally:
            self._task = None
