"""A slot: the place of one web server or worker, filled by one process after another."""

from __future__ import annotations

import os
import select
import socket
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from django.conf import settings

from mahjong_site.ready_signal import READY_FD
from mahjong_site.supervisor.child import Child

RECENT_S: Final = 60.0
"""Failures within this time count together."""
_MAX_BACK_OFF_S: Final = 30.0


class Slot:
    """The process that does one piece of work, its socket and its failures."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        env: Mapping[str, str],
        listener: socket.socket | None = None,
        channels: Sequence[tuple[str, socket.socket]] = (),
    ) -> None:
        """`channels` are further sockets that the process inherits, each with the option that names
        its descriptor."""
        self.name = name
        self.has_listener = listener is not None
        self.listener = listener
        """The listening socket of a web server. It outlives the process."""
        self.child: Child | None = None
        self.starts_at: float | None = None
        """When the next process starts, if none is running (`time.monotonic`)."""
        self._channels = channels
        self._command = command
        self._env = env
        self._ready: int | None = None
        self._failures: deque[float] = deque(maxlen=16)

    def start(self) -> Child:
        """Start a process for this slot. The caller puts it into `child`."""
        command, files = list(self._command), []
        if self.listener is not None:
            files.append(self.listener.fileno())
            command += ["--fd", str(files[0])]
        for option, channel in self._channels:
            files.append(channel.fileno())
            command += [option, str(channel.fileno())]
        self.close_pipe()
        self._ready, written = os.pipe()
        child = Child(self.name, command, env=self._env, cwd=settings.BASE_DIR)
        try:
            child.start(files=[*files, written], env={READY_FD: str(written)})
        finally:
            os.close(written)
        return child

    def is_ready(self) -> bool:
        """Return whether the process that was started last has reported that it is ready."""
        if self._ready is None:
            return True
        readable, _, _ = select.select([self._ready], [], [], 0)
        if not readable or os.read(self._ready, 1) != b"1":
            return False
        self.close_pipe()
        return True

    def count_failure(self) -> int:
        """Record that the process has died. Return the number of its failures within `RECENT_S`."""
        now = time.monotonic()
        self._failures.append(now)
        return sum(now - moment < RECENT_S for moment in self._failures)

    def close_pipe(self) -> None:
        if self._ready is not None:
            os.close(self._ready)
            self._ready = None

    def close_listener(self) -> None:
        if self.listener is not None:
            self.listener.close()
            self.listener = None


def back_off_s(failures: int) -> float:
    """Return how many seconds to wait after that many recent failures."""
    return min(_MAX_BACK_OFF_S, 0.5 * 2.0 ** (failures - 2)) if failures > 1 else 0.0
