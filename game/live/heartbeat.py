"""The heartbeat of each process: a record in Redis, written every half second.

A gap in a process's own beats means that it hung or could not reach Redis. The next beat records
such an outage, so that players are not charged for time in which the server could not hear them.

Processes that accept sockets of players are in a list, which they leave when they stop. A silent
process in that list hangs or has died.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final

from game.redis.clients import Redis
from game.redis.pipeline import Pipeline
from game.tables.cancellation import end
from game.tables.codec import HeartbeatRecord, decode_heartbeat, encode
from game.tables.errors import TablesUnavailable
from game.tables.store import reaching_redis
from game.tables.timeouts import SILENT_AFTER_MS, Heartbeats, overlap_ms

log = logging.getLogger(__name__)

BEAT_EVERY_S: Final = 0.5
_KEPT_OUTAGES: Final = 8
_KEPT_FOR_MS: Final = 600_000
_RECEIVING: Final = "receiving"
_GOODBYE_WITHIN_S: Final = 1.0

NowMs = Callable[[], int]
AfterBeat = Callable[[], Awaitable[None]]


def now_ms() -> int:
    """Return the server's clock, milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


class Heartbeat:
    """Writes the heartbeat of this process and reads those of others."""

    def __init__(
        self, redis: Redis, pipeline: Pipeline, *, now_ms: NowMs = now_ms, process: str = ""
    ) -> None:
        self._redis = redis
        self._pipeline = pipeline
        self._now_ms = now_ms
        self.process = process or secrets.token_hex(6)
        self.is_stopping = False
        """The process shuts down: sockets that close now were not closed by players."""
        self.receives_people = False
        """The process accepts sockets of players."""
        self._after_beat: Sequence[AfterBeat] = ()
        self._outages: tuple[tuple[int, int], ...] = ()
        self._last_beat = 0
        self._first_beat = 0
        self._task: asyncio.Task[None] | None = None
        self._following_up: asyncio.Task[None] | None = None

    @property
    def up_since(self) -> int:
        """The time from which this process has reached Redis without a gap."""
        return self._outages[-1][1] if self._outages else self._first_beat

    def outage_ms(self, since: int) -> int:
        """Return for how much of the time since then this process did not reach Redis."""
        now = self._now_ms()
        outages = (*self._outages, *self._open_gap(now))
        return overlap_ms(outages, since, now) if outages else 0

    async def beat(self) -> None:
        """Write the heartbeat. Raises TablesUnavailable."""
        now = self._now_ms()
        outages = (*self._outages, *self._open_gap(now))[-_KEPT_OUTAGES:]
        record = encode(HeartbeatRecord(now, outages))
        with reaching_redis():
            await self._redis.set(_key(self.process), record, px=_KEPT_FOR_MS)
        self._outages = outages
        self._last_beat = now
        self._first_beat = self._first_beat or now

    async def receive(self) -> None:
        """Add this process to the list of those that accept sockets. Raises TablesUnavailable."""
        now = self._now_ms()
        with reaching_redis():
            await self._pipeline.calls(
                [
                    ("ZADD", _RECEIVING, now, self.process),
                    ("ZREMRANGEBYSCORE", _RECEIVING, "-inf", now - _KEPT_FOR_MS),
                ]
            )

    async def receive_no_more(self) -> None:
        """Remove this process from that list. Raises TablesUnavailable."""
        with reaching_redis():
            await self._pipeline.call("ZREM", _RECEIVING, self.process)

    async def read(self, processes: Collection[str], *, with_accepting: bool = False) -> Heartbeats:
        """Read the last heartbeats of these processes, and with `with_accepting` those of all
        processes that accept sockets of players."""
        now, accepting = self._now_ms(), tuple[str, ...]()
        if with_accepting:
            with reaching_redis():
                rows = await self._pipeline.call("ZRANGE", _RECEIVING, 0, -1)
            accepting = tuple(row.decode() for row in rows)
        names = list({*processes, *accepting})
        replies = list[bytes | None]()
        if names:
            with reaching_redis():
                replies = await self._pipeline.calls([("GET", _key(name)) for name in names])
        records = zip(names, replies, strict=True)
        return Heartbeats(
            by_process={name: decode_heartbeat(reply) for name, reply in records if reply},
            accepting=accepting,
            own_outages=(*self._outages, *self._open_gap(now)),
            up_since=self.up_since,
        )

    async def start(self, after_beat: Sequence[AfterBeat] = ()) -> None:
        """Beat until `stop`. After each beat call these, one after the other."""
        self._after_beat = after_beat
        with contextlib.suppress(TablesUnavailable):
            await self.beat()
        self._task = asyncio.create_task(self._run(), name="heartbeat")

    async def stop(self) -> None:
        self.is_stopping = True
        await end([self._task, self._following_up])
        if self.receives_people:
            with contextlib.suppress(TablesUnavailable, TimeoutError):
                async with asyncio.timeout(_GOODBYE_WITHIN_S):
                    await self.receive_no_more()

    async def _run(self) -> None:
        reachable = True
        while True:
            await asyncio.sleep(BEAT_EVERY_S)
            try:
                await self.beat()
                self._follow_up()
                if not reachable:
                    log.warning("Redis is reachable again")
                reachable = True
            except TablesUnavailable as error:
                if reachable:
                    log.warning("Redis cannot be reached: %s", error)
                reachable = False
            except Exception:
                log.exception("a heartbeat was not written")

    def _follow_up(self) -> None:
        """Run `_after_beat` in a task of its own, so that it does not delay the next beat."""
        if self._following_up is None or self._following_up.done():
            self._following_up = asyncio.create_task(self._run_after_beat(), name="after heartbeat")

    async def _run_after_beat(self) -> None:
        for step in (*self._after_beat, self._register):
            try:
                await step()
            except TablesUnavailable as error:
                log.info("a task after the heartbeat waits for the next: %s", error)
            except Exception:
                log.exception("a task after the heartbeat failed")

    async def _register(self) -> None:
        if self.receives_people:
            await self.receive()

    def _open_gap(self, now: int) -> tuple[tuple[int, int], ...]:
        if self._last_beat and now - self._last_beat > SILENT_AFTER_MS:
            return ((self._last_beat, now),)
        return ()


def _key(process: str) -> str:
    return f"pulse:{process}"
