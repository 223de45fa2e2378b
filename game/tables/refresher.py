"""Runs one task at a time for each table, and once more if it was requested meanwhile.

Must not know what the tasks do.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from game.redis.cancellation import cancel_and_wait
from game.tables.errors import TableError
from game.tables.room import TableId

log = logging.getLogger(__name__)


class Refresher:
    """Runs `refresh(table_id)` on request, and `done(table_id)` when nothing more is requested
    there. A TableError is logged: `what` cannot be read at present."""

    def __init__(
        self,
        what: str,
        refresh: Callable[[TableId], Awaitable[object]],
        done: Callable[[TableId], None] | None = None,
    ) -> None:
        self._what = what
        self._refresh = refresh
        self._done = done
        self._tasks: dict[TableId, asyncio.Task[None]] = {}
        self._again: set[TableId] = set()

    def __contains__(self, table_id: TableId) -> bool:
        """Return whether the task of that table is running."""
        return table_id in self._tasks

    def request(self, table_id: TableId) -> None:
        """Run the task of that table. If it is running, run it once more afterwards. Does not
        wait."""
        if table_id in self._tasks:
            self._again.add(table_id)
        else:
            self._tasks[table_id] = asyncio.create_task(self._run(table_id), name=self._what)

    async def stop(self, *, within_s: float = 0) -> list[TableId]:
        """Wait for the tasks. Cancel those that take longer than `within_s`, and return their
        tables."""
        started = dict(self._tasks)
        if started and within_s:
            await asyncio.wait(started.values(), timeout=within_s)
        left = {table_id: task for table_id, task in started.items() if not task.done()}
        await cancel_and_wait(left.values())
        return list(left)

    async def _run(self, table_id: TableId) -> None:
        try:
            while True:
                self._again.discard(table_id)
                await self._refresh(table_id)
                if table_id not in self._again:
                    return
        except TableError as error:
            log.info("table %s: %s has to wait: %s", table_id, self._what, error)
        finally:
            self._again.discard(table_id)
            del self._tasks[table_id]
            if self._done is not None:
                self._done(table_id)
