"""Caches the rooms that this process has read. A cached room may be outdated, but is never wrong.

New commits, read or made here, are folded into the cached room, and the follower (the hub) is
called exactly once for each step. A room is loaded again if its last commit is no longer in the
log, for example because Redis has lost it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final, NoReturn, Protocol

import msgspec

from game.engine.events import Event
from game.redis.cancellation import cancel_and_wait
from game.tables import metrics
from game.tables.codec import decode_commit, decode_room
from game.tables.errors import NoSuchTable, TablesUnavailable, TableUnreadable
from game.tables.room import Room, TableId, ends_wait_on_time, fold
from game.tables.store import Entry, Store

log = logging.getLogger(__name__)

_MAX_UNFOLLOWED: Final = 4096
KEPT_MS: Final = 60_000
"""How long a room without sockets is kept after its last use."""
_CHECKED_AT_ONCE: Final = 8
"""How many of the least recently used rooms are checked when a room is cached."""


class Follower(Protocol):
    """Called for every step of the cached rooms. Its methods must not block."""

    def on_advance(self, before: Room, after: Room, events: Sequence[Event]) -> None:
        """Show that the room has advanced by these events."""

    def on_replace(self, room: Room) -> None:
        """Show the whole room again: steps shown before are no longer valid."""

    def mark_doubtful(self, table_id: TableId) -> None:
        """Read the room again: the store may have a newer one."""

    def follows(self, table_id: TableId) -> bool:
        """Return whether the room must stay in the cache."""

    def own_channel(self, table_id: TableId) -> str:
        """Return the channel of this process, if it is subscribed to the table's channel; otherwise
        ''."""


class RoomCache:
    """The cached rooms of this process: those that are followed, and of the others at most
    `_MAX_UNFOLLOWED` that were used in the last `KEPT_MS`."""

    def __init__(self, store: Store, *, now_ms: Callable[[], int]) -> None:
        self.store = store
        self._now_ms = now_ms
        self._follower: Follower | None = None
        self.in_flight: set[str] = set()
        """Heads that this process is appending. Their notifications are ignored."""
        self._rooms: OrderedDict[TableId, Room] = OrderedDict()
        """The cached rooms, in the order of their last use."""
        self._used_at: dict[TableId, int] = {}
        self._reads: dict[TableId, asyncio.Task[Room]] = {}
        self._reported: set[TableId] = set()

    def attach(self, follower: Follower) -> None:
        """Report every step to `follower` from now on. Only one follower can be attached."""
        self._follower = follower

    def get(self, table_id: TableId) -> Room | None:
        """Return the cached room; None if there is none."""
        room = self._rooms.get(table_id)
        if room is not None:
            self._note_use(table_id)
        return room

    def __len__(self) -> int:
        """Return the number of cached rooms."""
        return len(self._rooms)

    async def latest(self, table_id: TableId) -> Room:
        """Read the latest room from the store. Calls that come during a read share the next read.

        Raises NoSuchTable, TableUnreadable, TablesUnavailable.
        """
        read = self._reads.get(table_id)
        if read is not None:
            await asyncio.wait([read])
            read = self._reads.get(table_id)
        if read is None:
            read = asyncio.create_task(self._read(table_id))
            self._reads[table_id] = read
            read.add_done_callback(lambda task: self._end_read(table_id, task))
        return await asyncio.shield(read)

    async def stop(self) -> None:
        """Cancel the reads under way."""
        await cancel_and_wait(self._reads.values())

    def _end_read(self, table_id: TableId, task: asyncio.Task[Room]) -> None:
        """Remove a finished read. Fetch its exception even if nobody waits for it, so that asyncio
        does not log it."""
        del self._reads[table_id]
        if not task.cancelled():
            task.exception()

    def advance(self, before: Room, after: Room, events: Sequence[Event]) -> None:
        """Cache `after`, which this process has appended to `before`."""
        known = self._rooms.get(before.table_id)
        if known is None or known.head == before.head:
            self._cache_room(after)
            if known is not None and self._follower is not None:
                self._follower.on_advance(before, after, events)
        elif known.version < after.version:
            self.mark_doubtful(before.table_id)

    def mark_doubtful(self, table_id: TableId) -> None:
        """Note that the store may have a newer room."""
        if self._follower is not None:
            self._follower.mark_doubtful(table_id)

    def is_followed(self, table_id: TableId) -> bool:
        """Return whether a socket of this process shows the table."""
        return self._follower is not None and self._follower.follows(table_id)

    def own_channel(self, table_id: TableId) -> str:
        """Return the channel of this process, if it is subscribed to the table's channel; otherwise
        ''."""
        return "" if self._follower is None else self._follower.own_channel(table_id)

    def forget(self, table_id: TableId) -> None:
        """Drop the room if it is cached."""
        self._rooms.pop(table_id, None)
        self._used_at.pop(table_id, None)

    async def _read(self, table_id: TableId) -> Room:
        cached = self.get(table_id)
        if cached is None:
            return await self._load(table_id)
        entries = await self.store.read_entries(table_id, cached.version)
        room = self._rooms.get(table_id, cached)
        if room is not cached and entries and room.version > entries[-1][0]:
            return room  # this process has appended meanwhile
        newer = _entries_after(room, entries)
        if newer is None:
            return await self._load(table_id)
        return await self._fold_entries(room, newer) if newer else room

    async def _fold_entries(self, room: Room, entries: list[Entry]) -> Room:
        before = after = room
        events, last_events = list[Event](), list[Event]()
        try:
            for _, data in entries:
                commit = decode_commit(data)
                events.extend(last_events)
                before, after = after, fold(after, commit)
                last_events = list(commit.events)
        except Exception as error:
            self._raise_unreadable(room.table_id, after.version, error)
        self._cache_room(after)
        if self._follower is not None:
            if ends_wait_on_time(before, after):  # earlier events may be shown before it
                if before is not room:
                    self._follower.on_advance(room, before, events)
                self._follower.on_advance(before, after, last_events)
            else:
                self._follower.on_advance(room, after, events + last_events)
            if self.is_followed(room.table_id):
                metrics.observe_delivery(after.at)
        return after

    async def _load(self, table_id: TableId) -> Room:
        """Load the room from its snapshot and the commits after it."""
        known = self._rooms.get(table_id)
        snapshot = await self.store.read_snapshot(table_id)
        if snapshot is None:
            self.forget(table_id)
            raise NoSuchTable(table_id)
        try:
            room = decode_room(snapshot)
            entries = await self.store.read_entries(table_id, room.version)
            newer = _entries_after(room, entries)
            before, last_events = room, tuple[Event, ...]()
            for _, entry in newer or ():
                commit = decode_commit(entry)
                before, room, last_events = room, fold(room, commit), commit.events
        except TablesUnavailable:
            raise
        except Exception as error:
            self._raise_unreadable(table_id, 0, error)
        if newer is None:
            raise TablesUnavailable(f"table {table_id} changed while it was being loaded")
        current = self._rooms.get(table_id)
        if current is not None and current is not known and current.version >= room.version:
            return current  # this process has appended meanwhile
        self._cache_room(room)
        if self._follower is not None:
            is_replaced = known is not None and known.head != room.head
            if ends_wait_on_time(before, room):
                if is_replaced:
                    self._follower.on_replace(before)
                self._follower.on_advance(before, room, last_events)
            elif is_replaced:
                self._follower.on_replace(room)
        return room

    def _raise_unreadable(self, table_id: TableId, version: int, error: Exception) -> NoReturn:
        """Log once that the table cannot be read. It stays as it is: another version of the program
        may be able to read it."""
        if table_id not in self._reported:
            self._reported.add(table_id)
            if isinstance(error, msgspec.DecodeError):  # expected while old and new programs run
                text = "table %s cannot be read by this version of the program after version %d: %s"
                log.warning(text, table_id, version, type(error).__name__)
            else:
                text = "table %s cannot be read after version %d"
                log.error(text, table_id, version, exc_info=error)
        raise TableUnreadable(f"table {table_id} cannot be read by this version") from error

    def _cache_room(self, room: Room) -> None:
        self._rooms[room.table_id] = room
        self._note_use(room.table_id)
        self._drop_unused()

    def _note_use(self, table_id: TableId) -> None:
        self._rooms.move_to_end(table_id)
        self._used_at[table_id] = self._now_ms()

    def _drop_unused(self) -> None:
        """Drop rooms that are not followed here and were not used for `KEPT_MS`, or that exceed
        `_MAX_UNFOLLOWED`. Checks at most `_CHECKED_AT_ONCE` rooms per call, the least recently used
        first."""
        old = self._now_ms() - KEPT_MS
        for _ in range(_CHECKED_AT_ONCE):
            oldest = next(iter(self._rooms))
            if self._used_at[oldest] > old and len(self._rooms) <= _MAX_UNFOLLOWED:
                return
            if self.is_followed(oldest):
                self._note_use(oldest)
            else:
                self.forget(oldest)


def _entries_after(room: Room, entries: list[Entry]) -> list[Entry] | None:
    """Return the entries after the room's last commit; None if that commit is not among them."""
    for place, (version, data) in enumerate(entries):
        if version == room.version:
            return entries[place + 1 :] if decode_commit(data).token == room.token else None
    return None
