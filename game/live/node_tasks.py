"""Runs tasks for the tables of each node of a cluster, so that a hung node delays only its own.

Must not know what the tasks do.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence

from game.redis.cancellation import cancel_and_wait
from game.tables.errors import TablesUnavailable
from game.tables.room import TableId

log = logging.getLogger(__name__)


class NodeTasks:
    """At most one task for each node."""

    def __init__(
        self,
        node_of: Callable[[TableId], object],
        action: Callable[[Sequence[TableId]], Awaitable[None]],
    ) -> None:
        self._node_of = node_of
        self._action = action
        self._tasks: dict[object, asyncio.Task[None]] = {}

    def start(self, tables: Iterable[TableId]) -> None:
        """Run the action for the tables of each node, unless it still runs there. Does not wait."""
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
