"""The worker loop: claim due tables, do what is due there, archive finished games.

Any number of workers may run. Each claims due tables for a lease; when a worker dies, other workers
claim its tables after the lease. `timeouts` decides what is done at a table, and `due_work` does
it. A worker also repairs the index of tables, which may lack tables that an older release opened or
that were restored from a backup.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from game.redis.cancellation import cancel_and_wait
from game.redis.pipeline import Command, Pipeline
from game.tables import metrics
from game.tables.database import reaching_database
from game.tables.due_work import DueWork
from game.tables.errors import (
    DatabaseUnavailable,
    NoSuchTable,
    TablesUnavailable,
    TableUnreadable,
    reaching_redis,
)
from game.tables.in_batches import in_batches
from game.tables.keys import SHARDS
from game.tables.repeated_failures import RepeatedFailures
from game.tables.room import TableId
from game.tables.service import Service
from game.tables.table_index import IndexEntry
from game.tables.table_tasks import TableTasks

log = logging.getLogger(__name__)

_BEATS_KEY: Final = "workers"
_BEATS_KEPT_MS: Final = 600_000
_BEAT_WITHIN_S: Final = 0.5
"""How long a beat waits for a node. A slower one is left out."""


class WorkerBeats:
    """When the workers of the site last polled, stored in Redis.

    Each node of a cluster has its own list of workers, so that one node that hangs does not block
    the others.
    """

    def __init__(self, pipeline: Pipeline, process: str, *, now_ms: Callable[[], int]) -> None:
        self._pipeline = pipeline
        self._process = process
        self._now_ms = now_ms

    async def age_ms(self) -> int:
        """Return how many milliseconds ago any worker polled. Raises TablesUnavailable."""
        return self._now_ms() - await self.last_at()

    async def note(self) -> None:
        """Record that the worker of this process has polled. Raises TablesUnavailable if no node
        stored it."""
        now, process = self._now_ms(), self._process
        oldest = now - _BEATS_KEPT_MS
        await self._at_keys(
            lambda key: [("ZADD", key, now, process), ("ZREMRANGEBYSCORE", key, "-inf", oldest)]
        )

    async def remove(self) -> None:
        """Remove the worker of this process from all lists."""
        await self._at_keys(lambda key: [("ZREM", key, self._process)])

    async def last_at(self) -> int:
        """Return when (ms) any worker last polled; 0 if none has for ten minutes."""
        rows = await self._at_keys(lambda key: [("ZRANGE", key, 0, 0, "REV", "WITHSCORES")])
        # RESP2 sends name and score, RESP3 a list of such pairs
        ends = [row[-1][-1] if isinstance(row[-1], list) else row[-1] for row in rows if row]
        return max((int(float(score)) for score in ends), default=0)

    async def _at_keys(self, commands: Callable[[str], list[Command]]) -> list[Any]:
        """Send `commands(key)` for the key of each list of workers. Return the replies, without
        those of nodes that did not answer."""
        keys: dict[object, str] = {None: _BEATS_KEY}
        if self._pipeline.is_of_cluster:
            tagged = [f"{_BEATS_KEY}:{{{shard}}}" for shard in range(SHARDS)]
            keys = {self._pipeline.node_of(("ZCARD", key)): key for key in tagged}
        replies = await self._pipeline.try_all(
            [command for key in keys.values() for command in commands(key)],
            within_s=_BEAT_WITHIN_S,
        )
        answered = [reply for reply in replies if not isinstance(reply, Exception)]
        if not answered:
            with reaching_redis():
                raise replies[0]
        return answered


LEASE_MS: Final = 5_000
POLL_MIN_S: Final = 0.050
"""The shortest time between polls. Most tables are served by a process with a timer of its own, so
polling more often is useless."""
POLL_MAX_S: Final = 0.100
"""The longest time between polls while tables are open. No table is due sooner after a commit,
except after a late answer."""
POLL_IDLE_S: Final = 1.0
"""The time between polls while no table is open. The process that opens the next table has a timer
for it."""
BEAT_EVERY_MS: Final = 1_000
FINISHES_WITHIN_S: Final = 3.0
"""How long a stopping worker finishes its work. It is shorter than a lease, after which other
workers claim the tables."""
TRY_AGAIN_MS: Final = 500
"""The time after which a table is due again whose work failed because of Redis."""
CLAIMED_AT_ONCE: Final = 32
"""The most tables of one shard in one claim."""
_TABLES_AT_WORK: Final = 32
_BACKOFF_S: Final = (0.1, 0.2, 0.5)

ArchiveGame = Callable[[TableId], Awaitable[None]]


async def is_any_alive(beats: WorkerBeats) -> bool:
    """Return whether any worker has polled within the last lease."""
    return await beats.age_ms() <= LEASE_MS


class Worker:
    """One worker's loop."""

    def __init__(
        self, service: Service, due_work: DueWork, beats: WorkerBeats, archive: ArchiveGame
    ) -> None:
        self._service = service
        self._due_work = due_work
        self._beats = beats
        self._archive = archive
        self._work = TableTasks("due work", self._do_due_work)
        self._failed: set[TableId] = set()
        """Claimed tables whose work failed because Redis was unavailable."""
        self._slots: dict[object, asyncio.Semaphore] = {}
        """The free slots for work by node of a cluster, so that a node that hangs delays only its
        own tables."""
        self._retries = TableTasks("due time", self._retry)
        self._last_beat = 0
        self._beating: asyncio.Task[None] | None = None

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop`, then finish the work that has started."""
        failures = 0
        metrics.CLAIM_AGE_S.set_function(self._service.store.claim_age_s)
        while not stop.is_set():
            try:
                pause = await self.round()
                if failures:
                    log.warning("Redis is available again")
                failures = 0
            except TablesUnavailable as error:
                if not failures:
                    log.warning("waiting for Redis: %s", error)
                pause = _BACKOFF_S[min(failures, len(_BACKOFF_S) - 1)]
                failures += 1
            try:
                async with asyncio.timeout(pause):
                    await stop.wait()
            except TimeoutError:
                continue
        await self.finish()
        with contextlib.suppress(TablesUnavailable):
            await self._beats.remove()

    async def finish(self) -> None:
        """Wait for work that has started. Tables whose work takes too long become due again at
        once, for other workers."""
        left = await self._work.stop(within_s=FINISHES_WITHIN_S)
        await self._retries.stop()
        await cancel_and_wait([self._beating])
        now = self._service.now_ms()
        with contextlib.suppress(TablesUnavailable):
            for table_id in left:
                await self._service.store.make_due(table_id, now)

    async def round(self) -> float:
        """Claim due tables and start work on them. Return how long to sleep, in seconds."""
        now = self._service.now_ms()
        claimed, next_due = await self._service.store.claim(
            now=now, lease_ms=LEASE_MS, at_most=CLAIMED_AT_ONCE
        )
        for table_id in claimed:
            self._work.request(table_id)
        for table_id in self._failed:
            if table_id not in self._retries:
                self._retries.request(table_id)
        is_beating = self._beating is not None and not self._beating.done()
        if now - self._last_beat >= BEAT_EVERY_MS and not is_beating:
            self._beating = asyncio.create_task(self._beat(), name="worker's heartbeat")
            self._last_beat = now
        if next_due is None:
            return POLL_IDLE_S
        return min(POLL_MAX_S, max(POLL_MIN_S, (next_due - now) / 1000))

    async def _do_due_work(self, table_id: TableId) -> None:
        try:
            async with self._slots_of(table_id):
                if await self._due_work.run(table_id):
                    await self._archive(table_id)
        except TablesUnavailable as error:
            log.info("table %s: due work is put off: %s", table_id, error)
            if not isinstance(error, (TableUnreadable, DatabaseUnavailable)):
                # These errors last longer: the table is due again after its lease.
                self._failed.add(table_id)
        except Exception:
            log.exception("table %s: due work failed", table_id)

    def _slots_of(self, table_id: TableId) -> asyncio.Semaphore:
        node = self._service.store.node_of(table_id)
        return self._slots.setdefault(node, asyncio.Semaphore(_TABLES_AT_WORK))

    async def _retry(self, table_id: TableId) -> None:
        """After work at a table has failed, make the table due again soon instead of at the end of
        the lease."""
        await self._service.store.make_due(table_id, self._service.now_ms() + TRY_AGAIN_MS)
        self._failed.discard(table_id)

    async def _beat(self) -> None:
        with contextlib.suppress(TablesUnavailable):
            await self._beats.note()


DEFAULT_INTERVAL_S: Final = 1.0

PeriodicTask = Callable[[], Awaitable[float | None]]
"""A task may return for how many seconds it has nothing to do."""


async def run_periodic_tasks(tasks: Iterable[PeriodicTask], stop: asyncio.Event) -> None:
    """Run all tasks repeatedly until `stop`, each not before the time that it returned."""
    tasks = list(tasks)
    next_at = [0.0] * len(tasks)
    failures = RepeatedFailures()
    while not stop.is_set():
        for place, task in enumerate(tasks):
            if time.monotonic() >= next_at[place]:
                next_at[place] = time.monotonic() + (await _run_once(task, failures) or 0.0)
        try:
            async with asyncio.timeout(DEFAULT_INTERVAL_S):
                await stop.wait()
        except TimeoutError:
            continue


async def _run_once(task: PeriodicTask, failures: RepeatedFailures) -> float | None:
    try:
        with reaching_database():
            pause = await task()
    except Exception as error:
        if isinstance(error, TablesUnavailable):
            log.info("%s waits: %s", task.__name__, error)
        else:
            log.exception("%s failed", task.__name__)
        failures.note_failure(task.__name__, error)
        return None
    failures.note_success(task.__name__)
    return pause


_REPAIRED_EVERY_S: Final = 60.0


async def repair_index(service: Service) -> float:
    """Add running tables that the index lacks, and remove those that have ended. Return after how
    many seconds to do so again. Raises TablesUnavailable."""
    missing, ended = await service.store.index.find_differences()

    async def enter(table_id: TableId) -> None:
        try:
            entry = IndexEntry.of((await service.read_room(table_id)).meta)
        except (NoSuchTable, TableUnreadable):
            entry = IndexEntry(0, ())
        await service.store.index.enter(table_id, entry)

    await in_batches(enter, sorted(missing))
    await in_batches(service.store.index.remove, sorted(ended))
    if missing or ended:
        log.info("%d tables entered into the index, %d removed", len(missing), len(ended))
    return _REPAIRED_EVERY_S
