"""Going down without looking like everybody has left.

Daphne drops its sockets on SIGTERM, and Django's servers tell an application nothing. So
the signal is caught on its way: first the tables are told that what closes now was not
left by its player, then the sockets are closed with a code of our own, and a moment later
the server goes on with what it would have done at once.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Final
from weakref import WeakSet

from game.outbox import Outbox
from game.rooms.process import Process

CLOSE_GOING_DOWN: Final = 4503
GRACE_S: Final = 0.25
"""For the close frames to leave."""

_sockets: Final[WeakSet[Outbox]] = WeakSet()
_caught: Final[dict[int, Any]] = {}
"""What was to handle these signals before us."""


def watch_over(outbox: Outbox, process: Process) -> None:
    """Close that socket in time when the server is told to end."""
    _sockets.add(outbox)
    if not _caught and threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGINT):
            _catch(number, process, asyncio.get_running_loop())


def close_all(process: Process) -> None:
    """Close every socket of this process."""
    process.going_down()
    for outbox in list(_sockets):
        outbox.cut(CLOSE_GOING_DOWN)


def _catch(number: int, process: Process, loop: asyncio.AbstractEventLoop) -> None:
    before = signal.getsignal(number)
    if not callable(before):
        return
    go_on: Callable[[int, FrameType | None], Any] = before

    def on_signal(number: int, frame: FrameType | None) -> None:
        signal.signal(number, go_on)
        if loop.is_closed():
            go_on(number, frame)
            return
        loop.call_soon_threadsafe(close_all, process)
        loop.call_soon_threadsafe(loop.call_later, GRACE_S, go_on, number, None)

    _caught[number] = before
    signal.signal(number, on_signal)
