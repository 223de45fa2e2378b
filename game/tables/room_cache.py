"""The folded rooms that this process knows: possibly old, never wrong.

One timeline per table and process. Whoever reads newer commits, or makes one, moves the
room forward here, and the follower (the hub) is told of every step exactly once. A room
whose last commit is no longer in the log (Redis came back without it) is loaded anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NoReturn, Protocol

from game.engine.events import Event
from game.tables import metrics
from game.tables.codec import decode_commit, decode_room
from game.tables.errors import NoSuchTable, TablesUnavailable, TableUnreadable
from game.tables.room import Room, TableId, fold, is_scheduled
from game.tables.store import Entry, Store

log = logging.getLogger(__name__)

_LOOKS: Final = 8
"""How many followed rooms are passed over in search of one to forget."""


class Follower(Protocol):
    """Told of every step of the rooms. Called at once: it must not wait for anything."""

    def advanced(self, before: Room, after: Room, events: Sequence[Event]) -> None:
        """The room went forward by these events."""

    def replaced(self, room: Room) -> None:
        """The room jumped: what was shown before is void."""

    def doubtful(self, table_id: TableId) -> None:
        """The room in the store may be further than here."""

    def follows(self, table_id: TableId) -> bool:
        """Whether the room must not be forgotten."""

    def ear(self, table_id: TableId) -> str:
        """By what the store knows that this process hears when the room moves; '' if it does
        not."""


class RoomCache:
    """The rooms of this process."""

    def __init__(self, store: Store, *, capacity: int = 4096) -> None:
        self.store = store
        self.follower: Follower | None = None
        self.in_flight: set[str] = set()
        """Heads that this process is just appending: a poke of one tells it nothing."""
        self._capacity = capacity
        self._rooms: OrderedDict[TableId, Room] = OrderedDict()
        self._readings: dict[TableId, asyncio.Task[Room]] = {}
        self._told_unreadable: set[TableId] = set()

    def get(self, table_id: TableId) -> Room | None:
        """The room as this process knows it, without asking the store."""
        room = self._rooms.get(table_id)
        if room is not None:
            self._rooms.move_to_end(table_id)
        return room

    async def latest(self, table_id: TableId) -> Room:
        """The room as it stands in the store now.

        Whoever asks while the store is being read shares the next reading.
        Raises NoSuchTable, TableUnreadable, RoomsUnavailable.
        """
        under_way = self._readings.get(table_id)
        if under_way is not None:
            await asyncio.wait([under_way])
            under_way = self._readings.get(table_id)
        if under_way is None:
            under_way = asyncio.create_task(self._read(table_id))
            self._readings[table_id] = under_way
            under_way.add_done_callback(lambda reading: self._is_read(table_id, reading))
        return await asyncio.shield(under_way)

    def _is_read(self, table_id: TableId, reading: asyncio.Task[Room]) -> None:
        """Whoever waited may have gone meanwhile; then nobody asks why it failed."""
        del self._readings[table_id]
        if not reading.cancelled():
            reading.exception()

    def advance(self, before: Room, after: Room, events: Sequence[Event]) -> None:
        """This process has itself taken the room from `before` to `after`."""
        known = self._rooms.get(before.table_id)
        if known is None or known.head == before.head:
            self._keep(after)
            if known is not None and self.follower is not None:
                self.follower.advanced(before, after, events)
        elif known.version < after.version:
            self.doubt(before.table_id)

    def doubt(self, table_id: TableId) -> None:
        """The store may be further than this process knows."""
        if self.follower is not None:
            self.follower.doubtful(table_id)

    def is_followed(self, table_id: TableId) -> bool:
        """Whether somebody in this process looks at the table."""
        return self.follower is not None and self.follower.follows(table_id)

    def ear(self, table_id: TableId) -> str:
        """The channel of this process, if it hears, as far as it knows, when others move the
        table; or ''."""
        return "" if self.follower is None else self.follower.ear(table_id)

    def forget(self, table_id: TableId) -> None:
        self._rooms.pop(table_id, None)

    async def _read(self, table_id: TableId) -> Room:
        asked_for = self.get(table_id)
        if asked_for is None:
            return await self._load(table_id)
        entries = await self.store.entries_from(table_id, asked_for.version)
        room = self._rooms.get(table_id, asked_for)
        if room is not asked_for and entries and room.version > entries[-1][0]:
            return room  # this process has itself gone further meanwhile
        newer = _continuing(room, entries)
        if newer is None:
            return await self._load(table_id)
        return await self._fold_in(room, newer) if newer else room

    async def _fold_in(self, room: Room, entries: list[Entry]) -> Room:
        before = after = room
        events, last_events = list[Event](), list[Event]()
        try:
            for _, data in entries:
                commit = decode_commit(data)
                events.extend(last_events)
                before, after = after, fold(after, commit)
                last_events = list(commit.events)
        except Exception as error:
            self._unreadable(room.table_id, after.version, error)
        self._keep(after)
        if self.follower is not None:
            if is_scheduled(before, after):  # what came before it may be shown sooner
                if before is not room:
                    self.follower.advanced(room, before, events)
                self.follower.advanced(before, after, last_events)
            else:
                self.follower.advanced(room, after, events + last_events)
            if self.is_followed(room.table_id):
                metrics.delivered(after.at)
        return after

    async def _load(self, table_id: TableId) -> Room:
        """From the snapshot and what came after it."""
        known = self._rooms.get(table_id)
        snapshot = await self.store.snapshot(table_id)
        if snapshot is None:
            self.forget(table_id)
            raise NoSuchTable(table_id)
        try:
            room = decode_room(snapshot.data)
            entries = await self.store.entries_from(
                table_id, room.version, begins_sealed=snapshot.was_sealed
            )
            newer = _continuing(room, entries)
            before, last_events = room, tuple[Event, ...]()
            for _, entry in newer or ():
                commit = decode_commit(entry)
                before, room, last_events = room, fold(room, commit), commit.events
        except TablesUnavailable:
            raise
        except Exception as error:
            self._unreadable(table_id, 0, error)
        if newer is None:
            raise TablesUnavailable(f"table {table_id} changed while it was being loaded")
        current = self._rooms.get(table_id)
        if current is not None and current is not known and current.version >= room.version:
            return current  # this process has itself gone further meanwhile
        self._keep(room)
        if self.follower is not None:
            is_other = known is not None and known.head != room.head
            if is_scheduled(before, room):
                if is_other:
                    self.follower.replaced(before)
                self.follower.advanced(before, room, last_events)
            elif is_other:
                self.follower.replaced(room)
        return room

    def _unreadable(self, table_id: TableId, version: int, error: Exception) -> NoReturn:
        """Left as it is: another version of the program may be able to read it."""
        if table_id not in self._told_unreadable:
            self._told_unreadable.add(table_id)
            log.error("table %s cannot be read after %d", table_id, version, exc_info=error)
        raise TableUnreadable(f"table {table_id} cannot be read by this version") from error

    def _keep(self, room: Room) -> None:
        self._rooms[room.table_id] = room
        self._rooms.move_to_end(room.table_id)
        if len(self._rooms) > self._capacity:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        for _ in range(_LOOKS):
            oldest = next(iter(self._rooms))
            if self.follower is None or not self.follower.follows(oldest):
                del self._rooms[oldest]
                return
            self._rooms.move_to_end(oldest)


def _continuing(room: Room, entries: list[Entry]) -> list[Entry] | None:
    """The entries after the room's own; None if its own is not among them."""
    for place, (version, data) in enumerate(entries):
        if version == room.version:
            return entries[place + 1 :] if decode_commit(data).token == room.token else None
    return None
