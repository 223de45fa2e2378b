"""Finished hands, shown to spectators some time after their end, with hands open or closed.

Owns what such spectators see of each table. A commit is read into memory to be shown only when
its hand may be shown (`game.tables.hand_schedule`), so the running hand can never be in a frame.
Uses only those settings of the current room that were fixed when its table was opened.

Memory per table: one room, the commits of one finished hand, and a few numbers for each
finished hand that waits.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from game.engine.perspective import DELAYED_SPECTATOR, OPEN_SPECTATOR, redact
from game.engine.state import Phase
from game.live.heartbeat import NowMs, now_ms
from game.live.outbound import Encode, needs_sync
from game.live.spectator_pacer import SpectatorPacer
from game.live.subscribers import Subscriber
from game.redis.cancellation import end
from game.tables.codec import decode_commit
from game.tables.errors import TableError, TableUnreadable
from game.tables.hand_schedule import HandSchedule, schedule_of, times_shown
from game.tables.room import Commit, Room, SeatMeta, TableId, TableMeta, fold
from game.tables.room_cache import RoomCache
from game.tables.store import Entry, Store

log = logging.getLogger(__name__)

CHECK_EVERY_S: Final = 0.25
READ_EVERY_MS: Final = 30_000
"""Well within the least delay: the end of a hand is known before the hand may be shown."""
KEPT_MS: Final = 60_000
"""How long a table without spectators stays in memory, for a page that is reloaded."""
FRAMES_AT_ONCE: Final = 100
"""Spectators who are further behind, as after an outage, are sent the whole table instead."""


class _LogChanged(Exception):
    """The log no longer holds what was read from it: Redis came back without its last entries."""


@dataclass(slots=True)
class _Follow:
    """One table, as its spectators see it."""

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
    """When it was shown."""
    spectators: set[Subscriber] = field(default_factory=set)


class DelayedView:
    """The tables of which this process shows finished hands."""

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
        self._follows: dict[TableId, _Follow] = {}
        self._openings: dict[TableId, asyncio.Task[_Follow]] = {}
        self._pacer = pacer
        self._task: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        await end([self._task, *self._openings.values()])

    async def join(self, table_id: TableId, spectator: Subscriber) -> None:
        """Send `spectator` every frame from now on. Raises TableError."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="delayed view")
        follow = self._follows.get(table_id)
        if follow is None:
            opening = self._openings.get(table_id)
            if opening is None:
                opening = self._openings[table_id] = asyncio.create_task(self._open(table_id))
                opening.add_done_callback(lambda _: self._openings.pop(table_id, None))
            follow = await asyncio.shield(opening)
        follow = self._follows.setdefault(table_id, follow)
        follow.spectators.add(spectator)

    def leave(self, table_id: TableId, spectator: Subscriber) -> None:
        """Send no more frames to `spectator`."""
        follow = self._follows.get(table_id)
        if follow is not None:
            follow.spectators.discard(spectator)

    def room(self, table_id: TableId) -> Room | None:
        """The room as spectators see it now."""
        follow = self._follows.get(table_id)
        return None if follow is None else follow.room

    def seen_until(self, table_id: TableId) -> int:
        """The moment of the game that spectators have reached, in ms since the epoch; 0 if they
        have seen nothing."""
        follow = self._follows.get(table_id)
        if follow is None:
            return 0
        if follow.room.table.phase == Phase.ENDED:
            return follow.game_at + max(0, self._now_ms() - follow.shown_at)
        return follow.game_at

    async def _open(self, table_id: TableId) -> _Follow:
        follow = await self._caught_up(table_id)
        return self._follows.setdefault(table_id, follow)

    async def _caught_up(self, table_id: TableId) -> _Follow:
        """The table as every process shows it now, worked out from its whole log."""
        now = self._now_ms()
        meta = (await self._rooms.latest(table_id)).meta
        commits = _decoded(table_id, await self._store.entries_from(table_id, 1))
        if not commits:
            raise TableUnreadable(f"table {table_id} has no log")
        follow = _Follow(
            room=Room(table_id, _as_opened(meta, commits)),
            schedule=schedule_of(meta, commits),
            last_read=commits[-1],
            read_at=now,
            watched_at=now,
        )
        del commits
        count = 0
        while await self._step(follow, now) is not None:
            count += 1
            if count % FRAMES_AT_ONCE == 0:
                await asyncio.sleep(0)
        return follow

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            for table_id in list(self._follows):
                try:
                    await self._check(table_id)
                except TableError as error:
                    log.info("the delayed view of table %s cannot go on now: %s", table_id, error)
                except Exception:
                    log.exception("the delayed view of table %s failed", table_id)

    async def _check(self, table_id: TableId) -> None:
        """Show what may be shown by now."""
        follow, now = self._follows[table_id], self._now_ms()
        if follow.spectators:
            follow.watched_at = now
        elif now - follow.watched_at > KEPT_MS:
            del self._follows[table_id]
            return
        try:
            if now - follow.read_at >= READ_EVERY_MS:
                await self._read_on(follow)
            await self._show_until(follow, now)
        except _LogChanged:
            log.warning("table %s lost its last steps: its delayed view starts again", table_id)
            anew = await self._caught_up(table_id)
            anew.spectators = follow.spectators
            self._follows[table_id] = anew
            self._deliver_whole(anew)

    async def _show_until(self, follow: _Follow, now: int) -> None:
        count = 0
        while (step := await self._step(follow, now)) is not None:
            count += 1
            if count <= FRAMES_AT_ONCE:
                self._show(follow, *step)
            elif count % FRAMES_AT_ONCE == 0:
                await asyncio.sleep(0)
        if count > FRAMES_AT_ONCE:
            self._deliver_whole(follow)

    async def _step(self, follow: _Follow, now: int) -> tuple[Room, Commit] | None:
        """Take the room one commit forward; None if no further one may be shown by `now`.
        Returns the room before it, and the commit."""
        if not follow.showing:
            starts_at = follow.schedule.next_start()
            if starts_at is None or starts_at > now or not await self._load_hand(follow):
                return None
        if follow.showing[0][0] > now:
            return None
        before = follow.room
        shown_at, commit = follow.showing.popleft()
        follow.room = fold(before, commit)
        follow.game_at, follow.shown_at = commit.at, shown_at
        return before, commit

    async def _load_hand(self, follow: _Follow) -> bool:
        """Read the next hand that may be shown. The log is asked again, since it may have lost
        the end of the hand since it was read. False if the table is gone.

        Raises _LogChanged if the hand is not in the log any more.
        """
        table_id = follow.room.table_id
        hand = follow.schedule.waiting[0]
        rows = await self._store.entries_from(table_id, hand.first, hand.last)
        if not rows and await self._is_gone(table_id):
            return False
        commits = _decoded(table_id, rows)
        versions = [commit.version for commit in commits]
        if versions != list(range(hand.first, hand.last + 1)) or commits[-1].token != hand.token:
            raise _LogChanged
        hand, starts_at = follow.schedule.take()
        times = times_shown(hand, commits, starts_at)
        follow.showing.extend(zip(times, commits, strict=True))
        return True

    async def _read_on(self, follow: _Follow) -> None:
        """Look in the log for hands that have ended. Raises _LogChanged."""
        table_id, last = follow.room.table_id, follow.last_read
        rows = await self._store.entries_from(table_id, last.version)
        if not rows:
            if not await self._is_gone(table_id):
                raise _LogChanged
            follow.read_at = self._now_ms()
            return
        commits = _decoded(table_id, rows)
        if commits[0].token != last.token:
            raise _LogChanged
        for commit in commits[1:]:
            follow.schedule.add(commit)
        follow.last_read = commits[-1]
        follow.read_at = self._now_ms()

    async def _is_gone(self, table_id: TableId) -> bool:
        """Whether the table's keys have ended, some time after its game."""
        (head,) = await self._store.heads([table_id])
        return not head

    def _show(self, follow: _Follow, before: Room, commit: Commit) -> None:
        after = follow.room
        if needs_sync(before, after):
            self._deliver_whole(follow)
            return
        seen = [
            shown
            for event in commit.events
            if (shown := redact(event, late_audience(after.meta))) is not None
        ]
        if seen:
            self._deliver(follow, self._encode("ev", after, late_audience(after.meta), seen))

    def _deliver_whole(self, follow: _Follow) -> None:
        self._deliver(follow, self._encode("sync", follow.room, late_audience(follow.room.meta)))

    def _deliver(self, follow: _Follow, frame: str) -> None:
        room = follow.room
        seq = room.seq(late_audience(room.meta))
        spectators = tuple(follow.spectators)
        for spectator in spectators:
            spectator.deliver(frame, seq)
        self._pacer.send(room.table_id, spectators)


def late_audience(meta: TableMeta) -> int:
    """Return the viewer to whom the finished hands of the table are shown: all hands or none are
    open."""
    return OPEN_SPECTATOR if meta.watch == "open_delayed" else DELAYED_SPECTATOR


def _decoded(table_id: TableId, rows: Sequence[Entry]) -> list[Commit]:
    try:
        return [decode_commit(data) for _, data in rows]
    except Exception as error:
        raise TableUnreadable(f"table {table_id} cannot be read") from error


def _as_opened(meta: TableMeta, commits: Sequence[Commit]) -> TableMeta:
    """Return the settings as they were at the opening, reconstructed from the current ones and the
    whole log. Nobody has left a table when it is opened; the first change of its seats is that
    somebody leaves."""
    changed = next((commit.seats for commit in commits if commit.seats is not None), meta.seats)
    east, south, west, north = (_as_begun(seat) for seat in changed)
    return replace(meta, seats=(east, south, west, north))


def _as_begun(seat: SeatMeta) -> SeatMeta:
    return replace(seat, bot="") if seat.person else seat
