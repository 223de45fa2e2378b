"""Does what is due at the tables: late players, bots, pauses that are over, the archive.

Any number of workers may run. A due table is claimed for a lease; what becomes of it is
decided by the service, like everything else. A worker that dies leaves its claims to the
others when the lease ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from game.tables.cancellation import end
from game.tables.due_work import DueWork
from game.tables.errors import DatabaseUnavailable, TablesUnavailable, TableUnreadable
from game.tables.room import TableId
from game.tables.service import Service

log = logging.getLogger(__name__)

LEASE_MS: Final = 5_000
POLL_MIN_S: Final = 0.050
"""Between them so many tables are moved by the process that has set its own alarm."""
POLL_MAX_S: Final = 0.100
"""No table falls due sooner than this after a commit, other than by a late answer."""
POLL_IDLE_S: Final = 0.250
BEAT_EVERY_MS: Final = 500
FINISHES_WITHIN_S: Final = 3.0
"""Below a lease, after which others would come anyway."""
TRY_AGAIN_MS: Final = 500
"""After Redis could not be reached in the middle of a table's work."""
CLAIMED_AT_ONCE: Final = 32
"""Per shard."""
_AT_WORK: Final = 32
_BACKOFF_S: Final = (0.1, 0.2, 0.5)

Archive = Callable[[TableId], Awaitable[None]]


async def is_any_alive(service: Service) -> bool:
    """Whether some worker, anywhere, has looked for what is due within a lease."""
    return service.now_ms() - await service.store.last_worker_beat() <= LEASE_MS


class Worker:
    """One worker's loop."""

    def __init__(
        self, service: Service, due_work: DueWork, archive: Archive, *, lease_ms: int = LEASE_MS
    ) -> None:
        self._service = service
        self._due_work = due_work
        self._archive = archive
        self._lease_ms = lease_ms
        self._busy: dict[TableId, asyncio.Task[None]] = {}
        self._again: set[TableId] = set()
        """Claimed once more while they are being worked on."""
        self._undone: set[TableId] = set()
        """Claimed, and then out of reach."""
        self._room_to_work = asyncio.Semaphore(_AT_WORK)
        self._last_beat = 0

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop`, then finish what is begun."""
        failures = 0
        while not stop.is_set():
            try:
                pause = await self.round()
                if failures:
                    log.warning("Redis is back")
                failures = 0
            except TablesUnavailable as error:
                if not failures:
                    log.warning("waiting for Redis: %s", error)
                pause = _BACKOFF_S[min(failures, len(_BACKOFF_S) - 1)]
                failures += 1
            try:
                await asyncio.wait_for(stop.wait(), pause)
            except TimeoutError:
                continue
        await self.finish()
        with contextlib.suppress(TablesUnavailable):
            await self._service.store.worker_ends(self._service.heartbeat.process)

    async def finish(self) -> None:
        """Wait for what is begun. What takes too long falls due for the others at once."""
        begun = dict(self._busy)
        if not begun:
            return
        _, left = await asyncio.wait(begun.values(), timeout=FINISHES_WITHIN_S)
        await end(left)
        now = self._service.now_ms()
        with contextlib.suppress(TablesUnavailable):
            for table_id, task in begun.items():
                if task in left:
                    await self._service.store.hand_over(table_id, now)

    async def round(self) -> float:
        """Claim what is due and begin with it. Returns how long to sleep, in seconds."""
        now = self._service.now_ms()
        claimed, next_due = await self._service.store.claim(
            now=now, lease_ms=self._lease_ms, at_most=CLAIMED_AT_ONCE
        )
        for table_id in claimed:
            if table_id in self._busy:
                self._again.add(table_id)
            else:
                self._busy[table_id] = asyncio.create_task(self._work(table_id))
        await self._put_off(now)
        if now - self._last_beat >= BEAT_EVERY_MS:
            await self._service.store.worker_beats(self._service.heartbeat.process, now)
            self._last_beat = now
        if next_due is None:
            return POLL_IDLE_S
        return min(POLL_MAX_S, max(POLL_MIN_S, (next_due - now) / 1000))

    async def _work(self, table_id: TableId) -> None:
        try:
            async with self._room_to_work:
                await self._what_is_due(table_id)
                while table_id in self._again:
                    self._again.remove(table_id)
                    await self._what_is_due(table_id)
        except TablesUnavailable as error:
            log.info("table %s waits for another round: %s", table_id, error)
            if not isinstance(error, (TableUnreadable, DatabaseUnavailable)):
                # Those will not be better soon: the table is due again after its lease.
                self._undone.add(table_id)
        except Exception:
            log.exception("table %s: what is due could not be done", table_id)
        finally:
            del self._busy[table_id]
            self._again.discard(table_id)

    async def _put_off(self, now: int) -> None:
        """What could not be done is not left to its lease."""
        for table_id in list(self._undone):
            await self._service.store.hand_over(table_id, now + TRY_AGAIN_MS)
            self._undone.discard(table_id)

    async def _what_is_due(self, table_id: TableId) -> None:
        if await self._due_work.run(table_id):
            await self._archive(table_id)
