"""Timers of one process for the tables that it has changed last.

A shortcut only: the store keeps a slightly later time for every table, at which a worker does
what is still to be done. So a timer may be lost with its process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from game.engine.legal import pending
from game.engine.state import Phase
from game.tables.commit_draft import Draft
from game.tables.room import Room, TableId

BACKUP_MS: Final = 400
"""How much later a worker does what a process with a timer has not done."""

Ring = Callable[[TableId, str], None]
"""Called with the table and the head for which its timer was set."""


class Timers:
    """At most one timer for each table. None is set before `start`."""

    def __init__(self) -> None:
        self._ring: Ring | None = None
        self._plays_bots = False
        self._loop: asyncio.AbstractEventLoop
        self._due: dict[TableId, tuple[float, str]] = {}
        """When each timer rings, by the loop's time, and for which head."""
        self._handles: dict[TableId, asyncio.TimerHandle] = {}
        """Each ends no later than its table is due. Most timers are set again, for later, before
        they ring: then the handle stays, and is made anew once when it ends."""

    def start(self, ring: Ring, *, plays_bots: bool) -> None:
        """Set timers from now on; for tables that wait for a bot only with `plays_bots`. Needs a
        running loop."""
        if self._ring is None:
            self._loop = asyncio.get_running_loop()  # a system call in CPython 3.11: ask once
        self._ring, self._plays_bots = ring, plays_bots

    def due_for_workers(self, drafted: Draft) -> int | None:
        """When workers are to look at the table after that draft."""
        if drafted.due is None or not self._covers(drafted.after):
            return drafted.due
        return drafted.due + BACKUP_MS

    def set_after(self, drafted: Draft, now: int) -> None:
        """Set the timer of a table to which this process has appended that draft."""
        if self._ring is None:
            return
        after, due = drafted.after, drafted.due
        if due is None or not self._covers(after):
            self.drop(after.table_id)
        else:
            self.set(after.table_id, after.head, due - now)

    def leaves_to_workers(self, room: Room) -> bool:
        """Whether a worker has to play a bot there: bots think while sockets must not wait."""
        return self._ring is not None and not self._plays_bots and _waits_for_bot(room)

    def __contains__(self, table_id: TableId) -> bool:
        """Whether a timer of that table is set: what is due there is done when it rings."""
        return table_id in self._due

    def set(self, table_id: TableId, head: str, in_ms: int) -> None:
        """Ring for the table at that head, in place of the timer set before."""
        due = self._loop.time() + max(0, in_ms) / 1000
        self._due[table_id] = due, head
        handle = self._handles.get(table_id)
        if handle is not None:
            if handle.when() <= due:
                return
            handle.cancel()
        self._handles[table_id] = self._loop.call_at(due, self._end, table_id)

    def drop(self, table_id: TableId) -> None:
        """Remove the timer of that table."""
        self._due.pop(table_id, None)
        handle = self._handles.pop(table_id, None)
        if handle is not None:
            handle.cancel()

    def stop(self) -> None:
        """Remove all timers, and set none from now on."""
        self._ring = None
        for table_id in list(self._handles):
            self.drop(table_id)

    def _end(self, table_id: TableId) -> None:
        handle = self._handles.pop(table_id)
        due, head = self._due[table_id]
        if due > handle.when():
            self._handles[table_id] = self._loop.call_at(due, self._end, table_id)
            return
        del self._due[table_id]
        if self._ring is not None:
            self._ring(table_id, head)

    def _covers(self, room: Room) -> bool:
        if self._ring is None or room.table.phase == Phase.ENDED:
            return False
        return self._plays_bots or not _waits_for_bot(room)


def _waits_for_bot(room: Room) -> bool:
    return any(room.is_bot(seat) for seat in pending(room.table))
