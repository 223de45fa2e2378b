"""Runs one read at a time for each table, and once more if something came meanwhile.

Knows nothing of what is read.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from game.tables.cancellation import end
from game.tables.errors import TableError
from game.tables.room import TableId

log = logging.getLogger(__name__)


class Refresher:
    """Reads tables again on request: `read(table_id)`, and `done(table_id)` when nothing more is
    requested there. A read that raises TableError is logged as impossible at present."""

    def __init__(
        self,
        what: str,
        read: Callable[[TableId], Awaitable[object]],
        done: Callable[[TableId], None] | None = None,
    ) -> None:
        self._what = what
        self._read = read
        self._done = done
        self._tasks: dict[TableId, asyncio.Task[None]] = {}
        self._again: set[TableId] = set()

    def __contains__(self, table_id: TableId) -> bool:
        """Whether that table is being read."""
        return table_id in self._tasks

    def request(self, table_id: TableId) -> None:
        """Read that table soon. During a read, read once more after it. Does not wait."""
        if table_id in self._tasks:
            self._again.add(table_id)
        else:
            self._tasks[table_id] = asyncio.create_task(self._run(table_id), name=self._what)

    async def stop(self) -> None:
        await end(list(self._tasks.values()))

    async def _run(self, table_id: TableId) -> None:
        try:
            while True:
                self._again.discard(table_id)
                await self._read(table_id)
                if table_id not in self._again:
                    return
        except TableError as error:
            log.info("table %s: %s cannot be read now: %s", table_id, self._what, error)
        finally:
            self._again.discard(table_id)
            del self._tasks[table_id]
            if self._done is not None:
                self._done(table_id)
