"""Shows finished hands to spectators some time after their end, with hands open or closed.

Owns what such spectators see of each table. A commit is loaded for showing only when its hand may
be shown (`game.archive.hand_schedule`), so that the running hand can never be in a frame. Of the
current room only settings are used that cannot change after the table was opened.

Memory per table: one room, the commits of one finished hand, and a few numbers for each finished
hand that waits.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from game.archive.hand_schedule import HandSchedule, schedule_of, show_times
from game.engine.perspective import DELAYED_CLOSED_SPECTATOR, OPEN_SPECTATOR, redact
from game.engine.state import Phase
from game.live.heartbeat import NowMs, now_ms
from game.live.outbound import Encode, needs_sync
from game.live.spectator_pacer import SpectatorPacer
from game.live.subscribers import Subscriber
from game.redis.cancellation import cancel_and_wait
from game.tables.codec import decode_commit
from game.tables.errors import TableError, TableUnreadable
from game.tables.room import Commit, Room, SeatMeta, TableId, TableMeta, empty_room, fold
from game.tables.room_cache import RoomCache
from game.tables.store import Entry, Store

log = logging.getLogger(__name__)

CHECK_EVERY_S: Final = 0.25
READ_EVERY_MS: Final = 30_000
"""How often the log of a watched table is read: much more often than the shortest delay, so that
the end of a hand is known before the hand may be shown."""
KEPT_MS: Final = 60_000
"""How long a table without spectators stays in memory, for pages that are reloaded."""
FRAMES_AT_ONCE: Final = 100
"""The most frames that are sent at once. After a longer delay, for example an outage, spectators
get the whole table instead."""


class _LogChanged(Exception):
    """Entries that were read from the log are no longer there, because Redis was restored to an
    earlier state."""


@dataclass(slots=True)
class _WatchedTable:
    """One table with the room that its delayed spectators see."""

    room: Room
    schedule: HandSchedule
    last_read: Commit
    read_at: int
    watched_at: int
    showing: deque[tuple[int, Commit]] = field(default_factory=deque)
    """The commits of the hand that is being shown, each with its time."""
    game_at: int = 0
    """Time of the last commit that was shown."""
    shown_at: int = 0
    """When the last shown commit was shown."""
    spectators: set[Subscriber] = field(default_factory=set)


class DelayedView:
    """Shows the finished hands of tables to the spectators of this process."""

    def __init__(
        self,
        store: Store,
        rooms: RoomCache,
        encode: Encode,
        pacer: SpectatorPacer,
        *,
        now_ms: NowMs = now_ms,
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._encode = encode
        self._now_ms = now_ms
        self._watched: dict[TableId, _WatchedTable] = {}
        self._openings: dict[TableId, asyncio.Task[_WatchedTable]] = {}
        self._pacer = pacer
        self._task: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        await cancel_and_wait([self._task, *self._openings.values()])

    async def join(self, table_id: TableId, spectator: Subscriber) -> None:
        """Add a spectator, who gets all further frames. Raises TableError."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="delayed view")
        watched = self._watched.get(table_id)
        if watched is None:
            opening = self._openings.get(table_id)
            if opening is None:
                opening = self._openings[table_id] = asyncio.create_task(self._open(table_id))
                opening.add_done_callback(lambda _: self._openings.pop(table_id, None))
            watched = await asyncio.shield(opening)
        watched = self._watched.setdefault(table_id, watched)
        watched.spectators.add(spectator)

    def leave(self, table_id: TableId, spectator: Subscriber) -> None:
        """Remove a spectator."""
        watched = self._watched.get(table_id)
        if watched is not None:
            watched.spectators.discard(spectator)

    def room(self, table_id: TableId) -> Room | None:
        """Return the room as spectators see it now."""
        watched = self._watched.get(table_id)
        return None if watched is None else watched.room

    def seen_until(self, table_id: TableId) -> int:
        """Return the time of the last commit that spectators have seen, in ms since the epoch; 0 if
        they have seen nothing."""
        watched = self._watched.get(table_id)
        if watched is None:
            return 0
        if watched.room.table.phase == Phase.ENDED:
            return watched.game_at + max(0, self._now_ms() - watched.shown_at)
        return watched.game_at

    async def _open(self, table_id: TableId) -> _WatchedTable:
        watched = await self._compute_present_view(table_id)
        return self._watched.setdefault(table_id, watched)

    async def _compute_present_view(self, table_id: TableId) -> _WatchedTable:
        """Compute from the whole log what delayed spectators of the table see now; it is the same
        in every process."""
        now = self._now_ms()
        meta = (await self._rooms.latest(table_id)).meta
        commits = _decode_entries(table_id, await self._store.read_entries(table_id, 1))
        if not commits:
            raise TableUnreadable(f"table {table_id} has no log")
        watched = _WatchedTable(
            room=empty_room(table_id, _meta_at_opening(meta, commits)),
            schedule=schedule_of(meta, commits),
            last_read=commits[-1],
            read_at=now,
            watched_at=now,
        )
        del commits
        count = 0
        while await self._take_step(watched, now) is not None:
            count += 1
            if count % FRAMES_AT_ONCE == 0:
                await asyncio.sleep(0)
        return watched

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            for table_id in list(self._watched):
                try:
                    await self._advance(table_id)
                except TableError as error:
                    log.info("the delayed view of table %s cannot go on now: %s", table_id, error)
                except Exception:
                    log.exception("the delayed view of table %s failed", table_id)

    async def _advance(self, table_id: TableId) -> None:
        """Show each step of the table whose time has come."""
        watched, now = self._watched[table_id], self._now_ms()
        if watched.spectators:
            watched.watched_at = now
        elif now - watched.watched_at > KEPT_MS:
            del self._watched[table_id]
            return
        try:
            if now - watched.read_at >= READ_EVERY_MS:
                await self._read_on(watched)
            await self._show_until(watched, now)
        except _LogChanged:
            log.warning("table %s lost its last steps: its delayed view starts again", table_id)
            anew = await self._compute_present_view(table_id)
            anew.spectators = watched.spectators
            self._watched[table_id] = anew
            self._deliver_whole(anew)

    async def _show_until(self, watched: _WatchedTable, now: int) -> None:
        count = 0
        while (step := await self._take_step(watched, now)) is not None:
            count += 1
            if count <= FRAMES_AT_ONCE:
                self._show(watched, *step)
            elif count % FRAMES_AT_ONCE == 0:
                await asyncio.sleep(0)
        if count > FRAMES_AT_ONCE:
            self._deliver_whole(watched)

    async def _take_step(self, watched: _WatchedTable, now: int) -> tuple[Room, Commit] | None:
        """Advance the room by one commit. Return the room before the commit, and the commit; None
        if no other may be shown by `now`."""
        if not watched.showing:
            starts_at = watched.schedule.next_start()
            if starts_at is None or starts_at > now or not await self._load_hand(watched):
                return None
        if watched.showing[0][0] > now:
            return None
        before = watched.room
        shown_at, commit = watched.showing.popleft()
        watched.room = fold(before, commit)
        watched.game_at, watched.shown_at = commit.at, shown_at
        return before, commit

    async def _load_hand(self, watched: _WatchedTable) -> bool:
        """Read the commits of the next hand that may be shown.

        Check first that the end of the hand is still in the log. Return False if the table is gone.
        Raises _LogChanged if the hand is no longer in the log.
        """
        table_id = watched.room.table_id
        hand = watched.schedule.waiting[0]
        rows = await self._store.read_entries(table_id, hand.first, hand.last)
        if not rows and await self._is_gone(table_id):
            return False
        commits = _decode_entries(table_id, rows)
        versions = [commit.version for commit in commits]
        if versions != list(range(hand.first, hand.last + 1)) or commits[-1].token != hand.token:
            raise _LogChanged
        hand, starts_at = watched.schedule.take()
        times = show_times(hand, commits, starts_at)
        watched.showing.extend(zip(times, commits, strict=True))
        return True

    async def _read_on(self, watched: _WatchedTable) -> None:
        """Read new entries of the log to find hands that have ended. Raises _LogChanged."""
        table_id, last = watched.room.table_id, watched.last_read
        rows = await self._store.read_entries(table_id, last.version)
        if not rows:
            if not await self._is_gone(table_id):
                raise _LogChanged
            watched.read_at = self._now_ms()
            return
        commits = _decode_entries(table_id, rows)
        if commits[0].token != last.token:
            raise _LogChanged
        for commit in commits[1:]:
            watched.schedule.add(commit)
        watched.last_read = commits[-1]
        watched.read_at = self._now_ms()

    async def _is_gone(self, table_id: TableId) -> bool:
        """Return whether the table's keys have expired, some time after its game."""
        (head,) = await self._store.read_heads([table_id])
        return not head

    def _show(self, watched: _WatchedTable, before: Room, commit: Commit) -> None:
        after = watched.room
        if needs_sync(before, after):
            self._deliver_whole(watched)
            return
        seen = [
            shown
            for event in commit.events
            if (shown := redact(event, delayed_viewer(after.meta))) is not None
        ]
        if seen:
            self._deliver(watched, self._encode("ev", after, delayed_viewer(after.meta), seen))

    def _deliver_whole(self, watched: _WatchedTable) -> None:
        self._deliver(
            watched, self._encode("sync", watched.room, delayed_viewer(watched.room.meta))
        )

    def _deliver(self, watched: _WatchedTable, frame: str) -> None:
        room = watched.room
        seq = room.seq(delayed_viewer(room.meta))
        spectators = tuple(watched.spectators)
        for spectator in spectators:
            spectator.deliver(frame, seq)
        self._pacer.send(room.table_id, spectators)


def delayed_viewer(meta: TableMeta) -> int:
    """Return the kind of spectator (`game.engine` viewer) that sees the table's finished hands,
    with open or closed hands."""
    return OPEN_SPECTATOR if meta.settings.watch == "open_delayed" else DELAYED_CLOSED_SPECTATOR


def _decode_entries(table_id: TableId, rows: Sequence[Entry]) -> list[Commit]:
    try:
        return [decode_commit(data) for _, data in rows]
    except Exception as error:
        raise TableUnreadable(f"table {table_id} cannot be read") from error


def _meta_at_opening(meta: TableMeta, commits: Sequence[Commit]) -> TableMeta:
    """Reconstruct the table's settings and seats at its opening from the present ones and the whole
    log. Nobody has left a new table, and the first change of its seats is always that somebody
    leaves."""
    changed = next((commit.seats for commit in commits if commit.seats is not None), meta.seats)
    return replace(meta, seats=tuple(map(_seat_at_start, changed)))


def _seat_at_start(seat: SeatMeta) -> SeatMeta:
    return replace(seat, bot="") if seat.person else seat
