"""Runs at most one task at a time for each table, or for each node of a cluster.

Must not know what the tasks do.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence

from game.redis.cancellation import cancel_and_wait
from game.tables.errors import TableError, TablesUnavailable
from game.tables.room import TableId

log = logging.getLogger(__name__)


class TableTasks:
    """Runs `refresh(table_id)` on request, and `done(table_id)` when no request is left for that
    table. A TableError is logged; `what` names the thing that could not be read."""

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
        """Run the task of that table. If it is running, run it once more afterwards. Returns at
        once."""
        if table_id in self._tasks:
            self._again.add(table_id)
        else:
            self._tasks[table_id] = asyncio.create_task(self._run(table_id), name=self._what)

    async def stop(self, *, within_s: float = 0) -> list[TableId]:
        """Wait at most `within_s` seconds for the tasks, then cancel the others and return their
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


class NodeTasks:
    """Runs at most one task at a time for each node of a cluster, so that a hung node delays only
    its own tables."""

    def __init__(
        self,
        node_of: Callable[[TableId], object],
        action: Callable[[Sequence[TableId]], Awaitable[None]],
    ) -> None:
        self._node_of = node_of
        self._action = action
        self._tasks: dict[object, asyncio.Task[None]] = {}

    def start(self, tables: Iterable[TableId]) -> None:
        """Run the action for these tables, grouped by node. Skip nodes where it still runs. Returns
        at once."""
        by_node: dict[object, list[TableId]] = {}
        for table_id in tables:
            by_node.setdefault(self._node_of(table_id), []).append(table_id)
        for node, own in by_node.items():
            task = self._tasks.get(node)
            if task is None or task.done():
                self._tasks[node] = asyncio.create_task(self._run(own))

    async def stop(self) -> None:
        await cancel_and_wait(self._tasks.values())

    async def _run(self, tables: Sequence[TableId]) -> None:
        try:
            await self._action(tables)
        except TablesUnavailable as error:
            log.info("%d tables cannot be checked now: %s", len(tables), error)
        except Exception:
            log.exception("%d tables could not be checked", len(tables))
