"""The heartbeat of each process: a record in Redis, written every half second.

In a cluster each shard of tables has a record of its own, so that what is decided at a table
depends on no other node than the table's.

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
from dataclasses import dataclass
from typing import Final

from game.redis.cancellation import end
from game.redis.pipeline import Command, Pipeline
from game.tables.codec import HeartbeatRecord, decode_heartbeat, encode
from game.tables.errors import TablesUnavailable, reaching_redis
from game.tables.keys import SHARDS, shard_of
from game.tables.timeouts import SILENT_AFTER_MS, Heartbeats, overlap_ms

log = logging.getLogger(__name__)

BEAT_EVERY_S: Final = 0.5
_KEPT_OUTAGES: Final = 8
_KEPT_FOR_MS: Final = 600_000
_RECEIVE_EVERY_MS: Final = 5_000
_ANSWERED_WITHIN_S: Final = 0.4
"""A node that takes longer does not keep the heartbeat from the others."""
_GOODBYE_WITHIN_S: Final = 1.0

Outages = tuple[tuple[int, int], ...]
NowMs = Callable[[], int]
AfterBeat = Callable[[], Awaitable[None]]


def now_ms() -> int:
    """Return the server's clock, milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


@dataclass(slots=True)
class _Place:
    """A place where this process writes its heartbeat: one server, or a shard of a cluster."""

    tag: str
    """Begins the names of keys. In a cluster it is the shard's hash tag."""
    outages: Outages = ()
    first_beat: int = 0
    last_beat: int = 0

    def key(self, process: str) -> str:
        return f"pulse:{self.tag}{process}"

    @property
    def accepting(self) -> str:
        """The key of the list of processes that accept sockets."""
        return f"receiving{':' if self.tag else ''}{self.tag.rstrip(':')}"

    @property
    def up_since(self) -> int:
        return self.outages[-1][1] if self.outages else self.first_beat

    def outages_until(self, now: int) -> Outages:
        """The outages, with one that goes on."""
        is_out = self.last_beat and now - self.last_beat > SILENT_AFTER_MS
        return (*self.outages, (self.last_beat, now)) if is_out else self.outages


class Heartbeat:
    """Writes the heartbeat of this process and reads those of others."""

    def __init__(self, pipeline: Pipeline, *, now_ms: NowMs = now_ms, process: str = "") -> None:
        self._pipeline = pipeline
        self._now_ms = now_ms
        self.process = process or secrets.token_hex(6)
        self.is_stopping = False
        """The process shuts down: sockets that close now were not closed by players."""
        self.receives_people = False
        """The process accepts sockets of players."""
        self._received_at = 0
        self._after_beat: Sequence[AfterBeat] = ()
        tags = [f"{{{shard}}}:" for shard in range(SHARDS)] if pipeline.is_of_cluster else [""]
        self._places = [_Place(tag) for tag in tags]
        self._task: asyncio.Task[None] | None = None
        self._following_up: asyncio.Task[None] | None = None

    def up_since_at(self, shard: int) -> int:
        """The time from which this process has reached the place of that shard without a gap."""
        return self._places[shard % len(self._places)].up_since

    def outage_ms(self, since: int, table_id: str) -> int:
        """Return for how much of the time since then this process did not reach the table's
        place."""
        now = self._now_ms()
        outages = self._place_of(table_id).outages_until(now)
        return overlap_ms(outages, since, now) if outages else 0

    def _place_of(self, table_id: str) -> _Place:
        return self._places[shard_of(table_id) % len(self._places)]

    async def beat(self) -> None:
        """Write the heartbeat at each place. Raises TablesUnavailable if no place took it."""
        now = self._now_ms()
        outages = [place.outages_until(now)[-_KEPT_OUTAGES:] for place in self._places]
        commands: list[Command] = [
            ("SET", place.key(self.process), encode(HeartbeatRecord(now, own)), "PX", _KEPT_FOR_MS)
            for place, own in zip(self._places, outages, strict=True)
        ]
        replies = await self._pipeline.try_all(commands, within_s=_ANSWERED_WITHIN_S)
        if all(isinstance(reply, Exception) for reply in replies):
            with reaching_redis():
                raise replies[0]
        for place, own, reply in zip(self._places, outages, replies, strict=True):
            if not isinstance(reply, Exception):
                place.outages, place.last_beat = own, now
                place.first_beat = place.first_beat or now

    async def receive(self) -> None:
        """Add this process to the list of those that accept sockets. Raises TablesUnavailable."""
        now = self._now_ms()
        with reaching_redis():
            await self._pipeline.calls(
                [
                    command
                    for place in self._places
                    for command in (
                        ("ZADD", place.accepting, now, self.process),
                        ("ZREMRANGEBYSCORE", place.accepting, "-inf", now - _KEPT_FOR_MS),
                    )
                ]
            )

    async def receive_no_more(self) -> None:
        """Remove this process from that list. Raises TablesUnavailable."""
        with reaching_redis():
            await self._pipeline.calls(
                [("ZREM", place.accepting, self.process) for place in self._places]
            )

    async def read(
        self, processes: Collection[str], table_id: str = "", *, with_accepting: bool = False
    ) -> Heartbeats:
        """Read the last heartbeats of these processes at the table's place, and with
        `with_accepting` those of all processes that accept sockets of players."""
        now, accepting = self._now_ms(), tuple[str, ...]()
        place = self._place_of(table_id)
        if with_accepting:
            with reaching_redis():
                rows = await self._pipeline.call("ZRANGE", place.accepting, 0, -1)
            accepting = tuple(row.decode() for row in rows)
        names = list({*processes, *accepting})
        replies = list[bytes | None]()
        if names:
            with reaching_redis():
                replies = await self._pipeline.calls([("GET", place.key(name)) for name in names])
        records = zip(names, replies, strict=True)
        return Heartbeats(
            by_process={name: decode_heartbeat(reply) for name, reply in records if reply},
            accepting=accepting,
            own_outages=place.outages_until(now),
            up_since=place.up_since,
        )

    async def start(self, after_beat: Sequence[AfterBeat] = ()) -> None:
        """Beat until `stop`. After each beat call these, one after the other."""
        self._after_beat = after_beat
        with contextlib.suppress(TablesUnavailable):
            await self.beat()
        self._task = asyncio.create_task(self._run(), name="heartbeat")

    async def stop(self) -> None:
        self.is_stopping = True
        await end([self._task])
        await end([self._following_up])  # afterwards, since the first task starts the second
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
        now = self._now_ms()
        if self.receives_people and now - self._received_at >= _RECEIVE_EVERY_MS:
            await self.receive()
            self._received_at = now
