"""Writes and reads the heartbeats of processes: a record in Redis, written every half second.

In a cluster each shard of tables has a record of its own, so that decisions about a table depend
only on the table's node.

A gap between the beats of a process means that it hung or could not reach Redis. The next beat
records this outage, so that players are not charged for time in which the server could not receive
their answers.

Processes that accept sockets of players are in a list, from which they remove themselves when they
stop. A silent process in that list hangs or has died.
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

from game.redis.cancellation import cancel_and_wait
from game.redis.errors import ProcessLate
from game.redis.pipeline import Command, Pipeline
from game.tables.codec import HeartbeatRecord, decode_heartbeat, encode
from game.tables.errors import TablesUnavailable, reaching_redis
from game.tables.keys import SHARDS, shard_of
from game.tables.repeated_failures import RepeatedFailures
from game.tables.timeouts import SILENT_AFTER_MS, Heartbeats, overlap_ms

log = logging.getLogger(__name__)

BEAT_EVERY_S: Final = 0.5
_KEPT_OUTAGES: Final = 8
_KEPT_FOR_MS: Final = 600_000
_REGISTER_EVERY_MS: Final = 5_000
_BEAT_WITHIN_S: Final = 0.4
"""How long a node may take to answer. A slower one does not delay the heartbeat at other nodes."""
_UNREGISTER_WITHIN_S: Final = 1.0

Outages = tuple[tuple[int, int], ...]
NowMs = Callable[[], int]
AfterBeat = Callable[[], Awaitable[None]]


def now_ms() -> int:
    """Return the server's clock, milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


@dataclass(slots=True)
class _Shard:
    """This process's heartbeat for one shard of tables. Without a cluster there is one shard."""

    tag: str
    """The beginning of the names of keys. In a cluster it is the shard's hash tag."""
    outages: Outages = ()
    first_beat: int = 0
    last_beat: int = 0

    def key(self, process: str) -> str:
        return f"heartbeat:{self.tag}{process}"

    @property
    def accepting_key(self) -> str:
        """The key of the list of processes that accept sockets."""
        return f"receiving{':' if self.tag else ''}{self.tag.rstrip(':')}"

    @property
    def up_since(self) -> int:
        return self.outages[-1][1] if self.outages else self.first_beat

    def outages_until(self, now: int) -> Outages:
        """Return the outages up to `now`, including one that has not ended."""
        is_out = self.last_beat and now - self.last_beat > SILENT_AFTER_MS
        return (*self.outages, (self.last_beat, now)) if is_out else self.outages


class Heartbeat:
    """Writes the heartbeat of this process and reads those of others."""

    def __init__(self, pipeline: Pipeline, *, now_ms: NowMs = now_ms, process: str = "") -> None:
        self._pipeline = pipeline
        self._now_ms = now_ms
        self.process = process or secrets.token_hex(6)
        self.is_stopping = False
        """Whether the process shuts down: sockets that close now were not closed by players."""
        self.accepts_players = False
        """Whether the process accepts sockets of players."""
        self.is_busy: Callable[[], bool] = lambda: False
        """Says whether this process cannot keep up with its work."""
        self._registered_at = 0
        self._made_at = now_ms()
        self._after_beat: Sequence[AfterBeat] = ()
        self._failures = RepeatedFailures()
        tags = [f"{{{shard}}}:" for shard in range(SHARDS)] if pipeline.is_of_cluster else [""]
        self._shards = [_Shard(tag) for tag in tags]
        self._task: asyncio.Task[None] | None = None
        self._following_up: asyncio.Task[None] | None = None

    def up_since_of(self, shard: int) -> int:
        """Return since when (ms) this process has written the record of that shard without a
        gap."""
        return self._shards[shard % len(self._shards)].up_since

    def outage_ms(self, since: int, table_id: str) -> int:
        """Return for how many milliseconds since `since` this process could not write to the
        table's shard."""
        now = self._now_ms()
        outages = self._shard_of_table(table_id).outages_until(now)
        return overlap_ms(outages, since, now) if outages else 0

    def _shard_of_table(self, table_id: str) -> _Shard:
        return self._shards[shard_of(table_id) % len(self._shards)]

    @property
    def age_s(self) -> float:
        """Seconds since the oldest of this process's records was written."""
        written = min(max(shard.last_beat, self._made_at) for shard in self._shards)
        return max(0, self._now_ms() - written) / 1000

    async def beat(self) -> None:
        """Write the heartbeat of each shard. Raises TablesUnavailable if none could be written."""
        now = self._now_ms()
        outages = [shard.outages_until(now)[-_KEPT_OUTAGES:] for shard in self._shards]
        commands: list[Command] = [
            ("SET", shard.key(self.process), encode(record), "PX", _KEPT_FOR_MS)
            for shard, own in zip(self._shards, outages, strict=True)
            for record in [HeartbeatRecord(now, own, shard.first_beat or now, self.is_busy())]
        ]
        replies = await self._pipeline.try_all(commands, within_s=_BEAT_WITHIN_S)
        if all(isinstance(reply, Exception) for reply in replies):
            with reaching_redis():
                raise replies[0]
        for shard, own, reply in zip(self._shards, outages, replies, strict=True):
            if not isinstance(reply, Exception):
                shard.outages, shard.last_beat = own, now
                shard.first_beat = shard.first_beat or now

    async def register(self) -> None:
        """Add this process to the list of those that accept sockets. Raises TablesUnavailable."""
        now = self._now_ms()
        with reaching_redis():
            await self._pipeline.calls(
                [
                    command
                    for shard in self._shards
                    for command in (
                        ("ZADD", shard.accepting_key, now, self.process),
                        ("ZREMRANGEBYSCORE", shard.accepting_key, "-inf", now - _KEPT_FOR_MS),
                    )
                ]
            )

    async def unregister(self) -> None:
        """Remove this process from the list of those that accept sockets. Raises
        TablesUnavailable."""
        with reaching_redis():
            await self._pipeline.calls(
                [("ZREM", shard.accepting_key, self.process) for shard in self._shards]
            )

    async def read(
        self, processes: Collection[str], table_id: str = "", *, with_accepting: bool = False
    ) -> Heartbeats:
        """Read the last heartbeats of these processes for the table's shard. `with_accepting` adds
        those of all processes that accept sockets of players."""
        now, accepting = self._now_ms(), tuple[str, ...]()
        shard = self._shard_of_table(table_id)
        if with_accepting:
            with reaching_redis():
                rows = await self._pipeline.call("ZRANGE", shard.accepting_key, 0, -1)
            accepting = tuple(row.decode() for row in rows)
        names = list({*processes, *accepting})
        replies = list[bytes | None]()
        if names:
            with reaching_redis():
                replies = await self._pipeline.calls([("GET", shard.key(name)) for name in names])
        records = zip(names, replies, strict=True)
        return Heartbeats(
            by_process={name: decode_heartbeat(reply) for name, reply in records if reply},
            accepting=accepting,
            own_outages=shard.outages_until(now),
            up_since=shard.up_since,
        )

    async def is_site_busy(self) -> bool:
        """Return whether every process that accepts players is too busy to keep up with its work.
        Raises TablesUnavailable."""
        found, now = await self.read((), with_accepting=True), self._now_ms()
        records = [
            found.by_process[process]
            for process in found.accepting
            if not found.is_silent(process, now)
        ]
        return bool(records) and all(record.is_busy for record in records)

    async def start(self, after_beat: Sequence[AfterBeat] = ()) -> None:
        """Write heartbeats until `stop`. After each one call the functions `after_beat`, one after
        the other."""
        self._after_beat = after_beat
        with contextlib.suppress(TablesUnavailable):  # `_run` tries again
            await self.beat()
        self._task = asyncio.create_task(self._run(), name="heartbeat")

    async def stop(self) -> None:
        self.is_stopping = True
        await cancel_and_wait([self._task])
        await cancel_and_wait([self._following_up])  # after the first task, which starts the second
        if self.accepts_players:
            with contextlib.suppress(TablesUnavailable, TimeoutError):  # then the record expires
                async with asyncio.timeout(_UNREGISTER_WITHIN_S):
                    await self.unregister()

    async def _run(self) -> None:
        reachable = True
        while True:
            await asyncio.sleep(BEAT_EVERY_S)
            try:
                await self.beat()
                self._start_after_beat()
                if not reachable:
                    log.warning("the heartbeat is written again")
                reachable = True
            except TablesUnavailable as error:
                if reachable and isinstance(error.__cause__, ProcessLate):
                    log.warning("the heartbeat is late: %s", error)
                elif reachable:
                    log.warning("Redis cannot be reached: %s", error)
                reachable = False
            except Exception:
                log.exception("a heartbeat was not written")

    def _start_after_beat(self) -> None:
        """Run `_after_beat` in a separate task, so that it does not delay the next beat."""
        if self._following_up is None or self._following_up.done():
            self._following_up = asyncio.create_task(self._run_after_beat(), name="after heartbeat")

    async def _run_after_beat(self) -> None:
        for step in (*self._after_beat, self._register_if_due):
            try:
                await step()
                self._failures.note_success(step.__name__)
            except Exception as error:
                if isinstance(error, TablesUnavailable):
                    log.info("a task after the heartbeat waits for the next: %s", error)
                else:
                    log.exception("a task after the heartbeat failed")
                self._failures.note_failure(step.__name__, error)

    async def _register_if_due(self) -> None:
        now = self._now_ms()
        if self.accepts_players and now - self._registered_at >= _REGISTER_EVERY_MS:
            await self.register()
            self._registered_at = now
