"""When the tables that this process has moved last are due: it sees to them itself.

Only a shortcut. The store knows a little later time for every table, at which a worker sees to
what has not been done, so that an alarm may be lost with its process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from game.tables.room import TableId


class Timers:
    """One alarm for each table at most."""

    def __init__(self, ring: Callable[[TableId, str], None]) -> None:
        self._ring = ring
        self._loop = asyncio.get_running_loop()  # to ask is a system call in CPython 3.11
        self._set: dict[TableId, tuple[float, str]] = {}
        """When to ring, by the loop's time, and for which head."""
        self._timers: dict[TableId, asyncio.TimerHandle] = {}
        """Each ends no later than its table's alarm is due. Most alarms are set anew, for later,
        before they ring: then the timer goes on, and is set anew once when it ends."""

    def set(self, table_id: TableId, head: str, in_ms: int) -> None:
        """Ring for the table at that head, instead of any alarm set before."""
        due = self._loop.time() + max(0, in_ms) / 1000
        self._set[table_id] = due, head
        timer = self._timers.get(table_id)
        if timer is not None:
            if timer.when() <= due:
                return
            timer.cancel()
        self._timers[table_id] = self._loop.call_at(due, self._over, table_id)

    def drop(self, table_id: TableId) -> None:
        """No alarm for that table."""
        self._set.pop(table_id, None)
        timer = self._timers.pop(table_id, None)
        if timer is not None:
            timer.cancel()

    def _over(self, table_id: TableId) -> None:
        timer = self._timers.pop(table_id)
        due, head = self._set[table_id]
        if due > timer.when():
            self._timers[table_id] = self._loop.call_at(due, self._over, table_id)
            return
        del self._set[table_id]
        self._ring(table_id, head)
