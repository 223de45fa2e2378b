"""Timers of one process for the tables that it has changed last.

The store has a slightly later due time for every table. If a timer is lost with its process, a
worker acts at that later time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from game.engine.legal import pending_seats
from game.engine.state import Phase
from game.tables.commit_draft import Draft
from game.tables.room import Room, TableId

BACKUP_MS: Final = 400
"""How much later than the timer a worker does what the process has not done."""

OnDue = Callable[[TableId, str], None]
"""A function that is called with the table and the head for which its timer was set."""


class Timers:
    """At most one timer for each table. Before `start` no timer is set."""

    def __init__(self) -> None:
        self._on_due: OnDue | None = None
        self._plays_bots = False
        self._loop: asyncio.AbstractEventLoop
        self._due: dict[TableId, tuple[float, str]] = {}
        """When each timer is due, by the loop's time, and for which head."""
        self._handles: dict[TableId, asyncio.TimerHandle] = {}
        """The handles of the event loop by table. Each fires when its table is due or earlier. Most
        timers are set again, for a later time, before they fire. The handle then stays and is
        replaced only when it fires."""

    def start(self, on_due: OnDue, *, plays_bots: bool) -> None:
        """Set timers from now on. Tables that wait for a bot get one only with `plays_bots`. Needs
        a running loop."""
        if self._on_due is None:
            self._loop = asyncio.get_running_loop()  # a system call in CPython 3.11: ask once
        self._on_due, self._plays_bots = on_due, plays_bots

    def due_for_workers(self, draft: Draft) -> int | None:
        """Return when (ms) workers are to act at the table after that draft; None if never. Where
        this process has a timer, that is a little later than the timer."""
        if draft.due is None or not self._has_timer_for(draft.after):
            return draft.due
        return draft.due + BACKUP_MS

    def set_after(self, draft: Draft, now: int) -> None:
        """Set the table's timer after this process has appended `draft`."""
        if self._on_due is None:
            return
        after, due = draft.after, draft.due
        if due is None or not self._has_timer_for(after):
            self.drop(after.table_id)
        else:
            self.set(after.table_id, after.head, due - now)

    def leaves_bots_to_workers(self, room: Room) -> bool:
        """Return whether the table waits for a bot that a worker plays: computing the bot's answer
        here would delay the sockets of this process."""
        return self._on_due is not None and not self._plays_bots and _waits_for_bot(room)

    def __contains__(self, table_id: TableId) -> bool:
        """Return whether a timer of that table is set."""
        return table_id in self._due

    def set(self, table_id: TableId, head: str, in_ms: int) -> None:
        """Set the timer of the table, valid while its head is `head`, to go off in `in_ms`. It
        replaces an earlier one."""
        due = self._loop.time() + max(0, in_ms) / 1000
        self._due[table_id] = due, head
        handle = self._handles.get(table_id)
        if handle is not None:
            if handle.when() <= due:
                return
            handle.cancel()
        self._handles[table_id] = self._loop.call_at(due, self._fire, table_id)

    def drop(self, table_id: TableId) -> None:
        """Remove the timer of that table."""
        self._due.pop(table_id, None)
        handle = self._handles.pop(table_id, None)
        if handle is not None:
            handle.cancel()

    def stop(self) -> None:
        """Remove all timers, and set none from now on."""
        self._on_due = None
        for table_id in list(self._handles):
            self.drop(table_id)

    def _fire(self, table_id: TableId) -> None:
        handle = self._handles.pop(table_id)
        due, head = self._due[table_id]
        if due > handle.when():
            self._handles[table_id] = self._loop.call_at(due, self._fire, table_id)
            return
        del self._due[table_id]
        if self._on_due is not None:
            self._on_due(table_id, head)

    def _has_timer_for(self, room: Room) -> bool:
        if self._on_due is None or room.table.phase == Phase.ENDED:
            return False
        return self._plays_bots or not _waits_for_bot(room)


def _waits_for_bot(room: Room) -> bool:
    return any(room.is_bot(seat) for seat in pending_seats(room.table))
