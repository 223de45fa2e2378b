"""Tables as they were some time ago, for watchers who see all hands.

Reads a table's log and folds those of its commits that are old enough, one at a time and in
order; each is encoded once, for all its watchers in this process. What is younger is kept as
it was read, and nothing is made of it before its time. Never looks at a room of the present,
but for what was settled when its table was opened.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from game.engine.perspective import OPEN_WATCHER, redact
from game.rooms.cache import Rooms
from game.rooms.codec import decode_commit
from game.rooms.endings import end
from game.rooms.errors import RoomsError, TableUnreadable
from game.rooms.hub import Encode, is_arranged_anew
from game.rooms.listeners import Listener
from game.rooms.pulse import NowMs, now_ms
from game.rooms.room import Commit, Room, SeatMeta, TableId, TableMeta, fold
from game.rooms.stands import Stands
from game.rooms.store import Store

log = logging.getLogger(__name__)

LEAST_DELAY_MS: Final = 180_000
"""Whatever a table says, all hands are shown no earlier."""
LOOK_EVERY_S: Final = 0.25
READ_EVERY_MS: Final = 30_000
"""Well within the least delay, so that what is due has always been read."""
KEPT_MS: Final = 60_000
"""How long a table is followed that nobody looks at: who reloads the page comes back."""
_AT_A_TIME: Final = 100
"""Commits folded before others have their turn."""


def delay_ms(meta: TableMeta) -> int:
    """How far behind the game those are who see all hands."""
    return max(1000 * meta.watch_delay_s, LEAST_DELAY_MS)


@dataclass(slots=True)
class _Follow:
    """One table, followed at a distance."""

    room: Room
    """As it was."""
    delay_ms: int
    waiting: deque[Commit] = field(default_factory=deque)
    """Read, and not old enough yet."""
    last_read: Commit | None = None
    read_at: int = 0
    looked_at: int = 0
    listeners: set[Listener] = field(default_factory=set)


class Later:
    """The tables that this process shows late."""

    def __init__(
        self, store: Store, rooms: Rooms, encode: Encode, *, now_ms: NowMs = now_ms
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._encode = encode
        self._now_ms = now_ms
        self._follows: dict[TableId, _Follow] = {}
        self._openings: dict[TableId, asyncio.Task[_Follow]] = {}
        self._stands: Stands[Listener] = Stands()
        self._task: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        await end([self._task, *self._openings.values()])
        await self._stands.stop()

    async def join(self, table_id: TableId, listener: Listener) -> None:
        """Hand `listener` what becomes old enough from now on. Raises RoomsError."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="later")
        follow = self._follows.get(table_id)
        if follow is None:
            opening = self._openings.get(table_id)
            if opening is None:
                opening = self._openings[table_id] = asyncio.create_task(self._open(table_id))
                opening.add_done_callback(lambda _: self._openings.pop(table_id, None))
            follow = await asyncio.shield(opening)
        follow = self._follows.setdefault(table_id, follow)
        follow.listeners.add(listener)

    def has_been_shown(self, table_id: TableId, listener: Listener) -> None:
        """All that is old enough by now: they are handed what comes after it."""
        self._stands.has_been_shown(table_id, listener)

    def owes(self, table_id: TableId, listener: Listener) -> bool:
        """Whether something that is old enough is still on its way to them."""
        return self._stands.owe(table_id, listener)

    def leave(self, table_id: TableId, listener: Listener) -> None:
        self._stands.leave(table_id, listener)
        follow = self._follows.get(table_id)
        if follow is not None:
            follow.listeners.discard(listener)

    def room(self, table_id: TableId) -> Room | None:
        """The room as those who come later see it now."""
        follow = self._follows.get(table_id)
        return None if follow is None else follow.room

    def sight_of(self, table_id: TableId) -> int:
        """Up to which moment of the game they have seen it; 0 if the table is not followed."""
        follow = self._follows.get(table_id)
        return 0 if follow is None else self._now_ms() - follow.delay_ms

    async def _open(self, table_id: TableId) -> _Follow:
        room = await self._rooms.latest(table_id)
        now = self._now_ms()
        follow = _Follow(Room(table_id, room.meta), delay_ms(room.meta), looked_at=now)
        await self._read(follow)
        for count, (before, commit) in enumerate(self._due(follow)):
            follow.room = fold(before, commit)
            if count % _AT_A_TIME == 0:
                await asyncio.sleep(0)
        return self._follows.setdefault(table_id, follow)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            for table_id in list(self._follows):
                try:
                    await self._look(table_id)
                except RoomsError as error:
                    log.info("table %s cannot be shown later now: %s", table_id, error)
                except Exception:
                    log.exception("table %s could not be shown later", table_id)

    async def _look(self, table_id: TableId) -> None:
        """Show what is old enough by now."""
        follow, now = self._follows[table_id], self._now_ms()
        if follow.listeners:
            follow.looked_at = now
        elif now - follow.looked_at > KEPT_MS:
            del self._follows[table_id]
            return
        is_anew = now - follow.read_at >= READ_EVERY_MS and await self._read(follow)
        for before, commit in self._due(follow):
            follow.room = fold(before, commit)
            if not is_anew:
                self._show(follow, before, commit)
        if is_anew:
            self._deliver(follow, self._encode("sync", follow.room, OPEN_WATCHER))

    async def _read(self, follow: _Follow) -> bool:
        """Read on in the log. True if it does not go on from what has been read, so that the
        table has to be shown from its beginning."""
        last = follow.last_read
        rows = await self._store.entries_from(
            follow.room.table_id, 1 if last is None else last.version
        )
        follow.read_at = self._now_ms()
        try:
            commits = [decode_commit(data) for _, data in rows]
        except Exception as error:
            raise TableUnreadable(f"table {follow.room.table_id} cannot be read") from error
        if not commits:
            return False  # the table has been taken off: what was read is shown to its end
        if last is None:
            meta = _as_opened(follow.room.meta, commits)
            follow.room = Room(follow.room.table_id, meta)
        elif commits[0].token == last.token:
            del commits[0]
        else:
            follow.last_read = None
            follow.waiting.clear()
            await self._read(follow)
            return True
        follow.waiting.extend(commits)
        follow.last_read = commits[-1] if commits else last
        return False

    def _due(self, follow: _Follow) -> Iterable[tuple[Room, Commit]]:
        """What is old enough, with the room before it, which the caller takes forward."""
        while follow.waiting and follow.waiting[0].at <= self._now_ms() - follow.delay_ms:
            yield follow.room, follow.waiting.popleft()

    def _show(self, follow: _Follow, before: Room, commit: Commit) -> None:
        after = follow.room
        if is_arranged_anew(before, after):
            self._deliver(follow, self._encode("sync", after, OPEN_WATCHER))
            return
        seen = [
            shown for event in commit.events if (shown := redact(event, OPEN_WATCHER)) is not None
        ]
        if seen:
            self._deliver(follow, self._encode("ev", after, OPEN_WATCHER, seen))

    def _deliver(self, follow: _Follow, frame: str) -> None:
        room = follow.room
        seq = room.seq(OPEN_WATCHER)
        self._stands.tell(room.table_id, follow.listeners, lambda one: one.deliver(frame, seq))


def _as_opened(meta: TableMeta, commits: list[Commit]) -> TableMeta:
    """What was settled at first, by what there is now and the whole log. Nobody has left a
    table when it is opened, and who sits there changes first when somebody does."""
    changed = next((commit.seats for commit in commits if commit.seats is not None), meta.seats)
    east, south, west, north = (_as_begun(seat) for seat in changed)
    return replace(meta, seats=(east, south, west, north))


def _as_begun(seat: SeatMeta) -> SeatMeta:
    return replace(seat, bot="") if seat.person else seat
