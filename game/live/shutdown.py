"""Going down without looking like everybody has left.

First the tables are told that what closes now was not left by its player, then the sockets are
closed with a code of our own. The site's own web server (`mahjong_site.web`) asks for it when it is
told to end. Other servers drop their sockets on SIGTERM and tell an application nothing: there
the signal is caught on its way, and a moment later the server goes on with what it would have
done at once.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Final
from weakref import WeakSet

from game.live.process import Process
from game.live.send_queue import SendQueue

CLOSE_GOING_DOWN: Final = 4512
GRACE_S: Final = 0.25
"""For the close frames to leave."""
AT_ONCE: Final = 50
PAUSE_S: Final = 0.05
"""Between so many sockets and the next: they all come back, and somebody has to receive them."""

_sockets: Final[WeakSet[SendQueue]] = WeakSet()
_caught: Final[dict[int, Any]] = {}
"""What was to handle these signals before us."""
_looked_after: Final = threading.Event()
_processes: Final[WeakSet[Process]] = WeakSet()


def watch_over(outbox: SendQueue, process: Process) -> None:
    """Close that socket in time when the server is told to end."""
    _sockets.add(outbox)
    _processes.add(process)
    if _looked_after.is_set():
        return
    if not _caught and threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGINT):
            _catch(number, process, asyncio.get_running_loop())


def is_looked_after() -> None:
    """The server asks for `taken` by itself before it ends: no signal is caught."""
    _looked_after.set()


async def taken() -> None:
    """Close every socket of this server, some at a time."""
    for process in list(_processes):
        process.going_down()
    waiting = [outbox for outbox in _sockets if not outbox.is_closed]
    for start in range(0, len(waiting), AT_ONCE):
        if start:
            await asyncio.sleep(PAUSE_S)
        for outbox in waiting[start : start + AT_ONCE]:
            outbox.cut(CLOSE_GOING_DOWN)


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
