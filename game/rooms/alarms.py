"""When the tables that this process has moved last are due: it sees to them itself.

Only a shortcut. The store knows a little later time for every table, at which a worker sees to
what has not been done, so that an alarm may be lost with its process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from game.rooms.room import TableId


class Alarms:
    """One alarm for each table at most."""

    def __init__(self, ring: Callable[[TableId, str], None]) -> None:
        self._ring = ring
        self._set: dict[TableId, asyncio.TimerHandle] = {}

    def set(self, table_id: TableId, head: str, in_ms: int) -> None:
        """Ring for the table at that head, instead of any alarm set before."""
        self.drop(table_id)
        loop = asyncio.get_running_loop()
        self._set[table_id] = loop.call_later(max(0, in_ms) / 1000, self._over, table_id, head)

    def drop(self, table_id: TableId) -> None:
        """No alarm for that table."""
        alarm = self._set.pop(table_id, None)
        if alarm is not None:
            alarm.cancel()

    def _over(self, table_id: TableId, head: str) -> None:
        self._set.pop(table_id, None)
        self._ring(table_id, head)
