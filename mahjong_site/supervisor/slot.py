"""A slot: the place of one web server or worker. When its process ends, another one takes the
place."""

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

FAILURE_WINDOW_S: Final = 60.0
"""Failures within this time count together."""
_MAX_DELAY_S: Final = 30.0


class Slot:
    """The place of one process, with its socket and its failures."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        env: Mapping[str, str],
        listener: socket.socket | None = None,
        channels: Sequence[tuple[str, socket.socket]] = (),
    ) -> None:
        """Each of `channels` is a further socket that the process inherits, with the option that
        passes its descriptor."""
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
        """Start a process for this slot and return it. The caller stores it in `child`."""
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
        """Return whether the process started last has reported that it is ready."""
        if self._ready is None:
            return True
        readable, _, _ = select.select([self._ready], [], [], 0)
        if not readable or os.read(self._ready, 1) != b"1":
            return False
        self.close_pipe()
        return True

    def count_failure(self) -> int:
        """Record that the process has died. Return the number of failures in the last
        `FAILURE_WINDOW_S`."""
        now = time.monotonic()
        self._failures.append(now)
        return sum(now - moment < FAILURE_WINDOW_S for moment in self._failures)

    def close_pipe(self) -> None:
        if self._ready is not None:
            os.close(self._ready)
            self._ready = None

    def close_listener(self) -> None:
        if self.listener is not None:
            self.listener.close()
            self.listener = None


def restart_delay_s(failures: int) -> float:
    """Return how many seconds to wait before a restart, after that many recent failures."""
    return min(_MAX_DELAY_S, 0.5 * 2.0 ** (failures - 2)) if failures > 1 else 0.0
