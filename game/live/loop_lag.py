"""Measures how late the event loop of this process runs its callbacks.

A process with more work than its processor can do answers everybody late. It then puts off work
that can wait, and no new tables are opened (`BUSY_LAG_MS`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from statistics import median
from typing import Final

from game.tables import metrics

TICK_S: Final = 0.1
KEPT_TICKS: Final = 50
"""The measurements of the last five seconds count."""
BEHIND_FACTOR: Final = 5
"""A process is behind if one of them was that many times the limit: a longer stall, or more work
than it can do for a while."""


class LoopLag:
    """Measures the delays of a callback that is scheduled every `TICK_S`."""

    def __init__(self, limit_ms: int) -> None:
        """With `limit_ms` 0 the process never counts as behind or busy."""
        self._limit_s = limit_ms / 1000
        self._late_s: deque[float] = deque(maxlen=KEPT_TICKS)
        self._tick: asyncio.TimerHandle | None = None
        self.is_behind = False
        """Whether messages have waited here for long in the last seconds."""
        self.is_busy = False
        """Whether the process has been late for some seconds without a pause."""

    def start(self) -> None:
        """Begin to measure. Needs a running loop."""
        loop = asyncio.get_running_loop()
        self._schedule(loop, loop.time() + TICK_S)

    def stop(self) -> None:
        if self._tick is not None:
            self._tick.cancel()

    def note(self, late_s: float) -> None:
        """Add a measured delay."""
        self._late_s.append(late_s)
        usual_s = median(self._late_s)
        metrics.LOOP_LAG_S.set(usual_s)
        if self._limit_s:
            self.is_behind = max(self._late_s) > BEHIND_FACTOR * self._limit_s
            self.is_busy = len(self._late_s) == KEPT_TICKS and usual_s > self._limit_s

    def _schedule(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        self._tick = loop.call_at(due, self._measure, loop, due)

    def _measure(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        now = loop.time()
        self.note(now - due)
        self._schedule(loop, now + TICK_S)
