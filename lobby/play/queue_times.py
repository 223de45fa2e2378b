"""How long people have waited in queues, and at which hours they came, in the last two weeks.

Redis has a sorted set of waits by the time at which they ended; it names nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, NamedTuple

from game.live.process import Process
from lobby.play.backend import Backend

_KEY: Final = "queue-waits"
_KEPT_MS: Final = 14 * 86_400_000
_MAX_WAITS: Final = 3_000
"""The most waits that are kept, the latest ones."""
_HOUR_MS: Final = 3_600_000
_READ_EVERY_MS: Final = 60_000
_MIN_WAITS: Final = 3
"""With fewer waits nothing is usual."""
_BUSY_HOURS: Final = 3


class Wait(NamedTuple):
    """A wait that ended with a table: the time of its end in ms, and its length in seconds."""

    at: int
    seconds: int


@dataclass(frozen=True, slots=True)
class QueueTimes:
    """The usual wait and the busy hours of the queues."""

    usual_min: int | None = None
    """The median wait at this hour of the day, in whole minutes; None if too few have waited."""
    busy_from: int | None = None
    """The hour (UTC) from which most people have come, in `_BUSY_HOURS` hours; None if unknown."""

    @property
    def busy_until(self) -> int | None:
        return None if self.busy_from is None else (self.busy_from + _BUSY_HOURS) % 24


async def record_waits(backend: Backend, table_id: str, starts: Iterable[int]) -> None:
    """Record that the waits that began at the times `starts` (ms) have ended with that table."""
    now = backend.now_ms()
    for number, since in enumerate(starts):
        await backend.call("ZADD", _KEY, now, f"{table_id}:{number}:{(now - since) // 1000}")
    await backend.call("ZREMRANGEBYSCORE", _KEY, "-inf", now - _KEPT_MS)
    await backend.call("ZREMRANGEBYRANK", _KEY, 0, -_MAX_WAITS - 1)
    await backend.call("EXPIRE", _KEY, _KEPT_MS // 1000)


class _LastRead:
    """The times that this process has read last, and the time of that read in ms."""

    def __init__(self, _process: Process) -> None:
        self.at = 0
        self.times = QueueTimes()


async def read_times(backend: Backend) -> QueueTimes:
    """Return the usual times of the queues; they are a minute old at most."""
    now = backend.now_ms()
    last = backend.process.attached(_LastRead)
    if now - last.at > _READ_EVERY_MS:
        rows = await backend.call("ZRANGEBYSCORE", _KEY, now - _KEPT_MS, "+inf", "WITHSCORES")
        waits = [
            Wait(int(float(at)), int(raw.rsplit(b":", 1)[1]))
            for raw, at in zip(rows[::2], rows[1::2], strict=True)
        ]
        last.at, last.times = now, usual_times(waits, now)
    return last.times


def usual_times(waits: Sequence[Wait], now: int) -> QueueTimes:
    """Compute the usual times from these waits. `now` is in ms."""
    here = _hour(now)
    near = [wait.seconds for wait in waits if (_hour(wait.at) - here) % 24 in (23, 0, 1)]
    counts = [0] * 24
    for wait in waits:
        counts[_hour(wait.at)] += 1
    spans = [sum(counts[(hour + more) % 24] for more in range(_BUSY_HOURS)) for hour in range(24)]
    return QueueTimes(
        max(1, round(median(near) / 60)) if len(near) >= _MIN_WAITS else None,
        spans.index(max(spans)) if max(spans) >= _MIN_WAITS else None,
    )


def _hour(at: int) -> int:
    """Return the hour of the day of a time in ms, in UTC."""
    return at // _HOUR_MS % 24
