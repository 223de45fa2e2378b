"""The frames that are handed to who looks at a table in this process.

Follows the rooms of the process step by step. At every step each audience (four seats,
and the watchers) has its events redacted and its frame encoded once, for all its sockets.
Players are handed theirs at once, watchers after them (`game.live.spectator_queue`).
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from itertools import islice, takewhile
from typing import Final, Literal, NamedTuple, Protocol

from game.engine.clock import EARLY_MS, NOT_ASKED
from game.engine.events import Event
from game.engine.legal import pending
from game.engine.perspective import OPEN_WATCHER, WATCHER, redact
from game.engine.state import SEATS, Phase
from game.live.chat_store import TALK_POKE
from game.live.heartbeat import NowMs, now_ms
from game.live.notifications import Notifications
from game.live.presence import SEATS_POKE
from game.live.spectator_queue import SpectatorQueue
from game.live.subscribers import Subscriber, Subscribers
from game.live.viewer_counts import ViewerCounts
from game.tables.cancellation import end
from game.tables.errors import TableError, TablesUnavailable
from game.tables.room import Room, TableId, is_scheduled
from game.tables.room_cache import RoomCache
from game.tables.store import Store

log = logging.getLogger(__name__)

CHECK_EVERY_S: Final = 3.0
"""How soon a lost poke is made good."""
CHECKED_AT_ONCE: Final = 20
_LOOK_EVERY_S: Final = CHECK_EVERY_S / 10
_SPREAD_S: Final = 0.004
"""What has been held back is shown within this, by chance. An event loop wakes whole milliseconds
after it began to wait, which is when the commit came: that moment must not show."""


class Encode(Protocol):
    """Writes a frame: `events`, redacted for `audience`, or the whole room."""

    def __call__(
        self,
        kind: Literal["ev", "sync"],
        room: Room,
        audience: int,
        events: Sequence[Event] = (),
    ) -> str: ...


class _Held(NamedTuple):
    """What the listeners at one table are not shown yet: a pause ends, at a time that was settled
    when it began, and the commit that follows has come before that."""

    shown: Room
    """What they have been shown."""
    timer: asyncio.TimerHandle
    waiting: list[Callable[[], None]]
    """Shows the steps since, in their order."""


class Hub:
    """The listeners of this process. Follows `rooms`."""

    def __init__(
        self,
        store: Store,
        rooms: RoomCache,
        pokes: Notifications,
        encode: Encode,
        onlookers: ViewerCounts,
        *,
        now_ms: NowMs = now_ms,
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._pokes = pokes
        self._encode = encode
        self._onlookers = onlookers
        self._now_ms = now_ms
        self._held: dict[TableId, _Held] = {}
        self._watchers: dict[TableId, int] = {}
        self.on_talk: Callable[[TableId], None] = lambda table_id: None
        """Somebody has spoken there, or may have."""
        self.on_seats: Callable[[TableId], None] = lambda table_id: None
        """A socket has come or gone at a seat there, or may have."""
        self.on_question: Callable[[TableId, int, int], None] = lambda table_id, seat, at: None
        """That seat is told here what it was asked at that time, and not because of a poke: if it
        is late, one was lost."""
        self._told: dict[TableId, set[str]] = {}
        """The heads of which pokes have told, and which are being read."""
        self._listeners = Subscribers()
        self._stands: SpectatorQueue[Subscriber] = SpectatorQueue()
        self._joining: Counter[TableId] = Counter()
        self._pulls: dict[TableId, asyncio.Task[None]] = {}
        self._pull_again: set[TableId] = set()
        self._looked_at: dict[TableId, float] = {}
        """When each table has last moved here or been compared with the store, in the order of
        that time."""
        self._tasks: list[asyncio.Task[None]] = []
        self._loop = asyncio.get_running_loop()
        rooms.follower = self
        pokes.on_poke = self.poked
        pokes.on_gap = self.check_all

    async def start(self) -> None:
        await self._pokes.start()
        for look in (self._compare_unmoved, self._count_all):
            self._tasks.append(asyncio.create_task(_kept_up(look), name=look.__name__))

    async def stop(self) -> None:
        for held in self._held.values():
            held.timer.cancel()
        await end([*self._tasks, *self._pulls.values()])
        await self._stands.stop()
        await self._pokes.stop()

    async def join(self, table_id: TableId, listener: Subscriber) -> Room:
        """Let `listener` find their place and hand them every frame from now on; returns the room
        they continue.

        Subscribe first, then load: nothing can fall in between. Raises RoomsError.
        """
        self._joining[table_id] += 1
        try:
            await self._pokes.listen_to(table_id)
            latest = await self._rooms.latest(table_id)
        finally:
            self._joining[table_id] -= 1
            if not self._joining[table_id]:
                del self._joining[table_id]
        room = self._rooms.get(table_id) or latest
        listener.find_place(room)
        self._listeners.add(table_id, listener)
        self._looked_at.setdefault(table_id, time.monotonic())
        return room

    def leave(self, table_id: TableId, listener: Subscriber) -> None:
        """No more frames for `listener`."""
        self._stands.leave(table_id, listener)
        self._listeners.discard(table_id, listener)
        if table_id not in self._listeners:
            self._looked_at.pop(table_id, None)

    def has_been_shown(self, table_id: TableId, listener: Subscriber) -> None:
        """The whole table as it is now: they are handed what comes after it."""
        self._stands.has_been_shown(table_id, listener)

    def owes(self, table_id: TableId, listener: Subscriber) -> bool:
        """Whether something of the game is still on its way to them."""
        return self._stands.owe(table_id, listener)

    def players_at(self, table_id: TableId) -> tuple[Subscriber, ...]:
        """The listeners of this process at a seat of that table."""
        return self._listeners.players(table_id)

    def everybody_at(self, table_id: TableId) -> tuple[Subscriber, ...]:
        """The listeners of this process at that table, players first."""
        return self._listeners.players(table_id) + self._listeners.watching(table_id)

    def watchers(self, table_id: TableId) -> int:
        """How many watch that table, in all processes, as far as is known."""
        return max(self._watchers.get(table_id, 0), self._listeners.count_watching(table_id))

    def room(self, table_id: TableId) -> Room | None:
        """The room as the listeners of this process have been shown it."""
        return self.held_room(table_id) or self._rooms.get(table_id)

    def held_room(self, table_id: TableId) -> Room | None:
        """The same while the room is already further, and that is not to be shown yet."""
        held = self._held.get(table_id)
        return None if held is None else held.shown

    def check(self, table_id: TableId) -> None:
        """Look soon whether the table is further than the listeners have been shown."""
        if table_id in self._pulls:
            self._pull_again.add(table_id)
        elif self.follows(table_id):
            self._pulls[table_id] = asyncio.create_task(self._pull(table_id))

    def check_all(self) -> None:
        for table_id in self._listeners:
            self.check(table_id)
            self.on_talk(table_id)
            self.on_seats(table_id)

    def poked(self, table_id: TableId, head: str) -> None:
        """The store says that the table has moved to `head`."""
        if head == TALK_POKE:
            self.on_talk(table_id)
            return
        if head == SEATS_POKE:
            self.on_seats(table_id)
            return
        room = self._rooms.get(table_id)
        if head in self._rooms.in_flight or (room is not None and _is_known(room, head)):
            return
        self.check(table_id)
        if table_id in self._pulls:
            self._told.setdefault(table_id, set()).add(head)

    def follows(self, table_id: TableId) -> bool:
        return table_id in self._listeners or table_id in self._joining

    def own_channel(self, table_id: TableId) -> str:
        return self._pokes.own_channel(table_id)

    def mark_doubtful(self, table_id: TableId) -> None:
        self.check(table_id)

    def advanced(self, before: Room, after: Room, events: Sequence[Event]) -> None:
        self._note_look(after.table_id)
        is_unheard = after.head not in self._told.get(after.table_id, ())
        show = partial(self._show, before, after, events, is_unheard)
        held = self._held.get(after.table_id)
        early_ms = after.at - self._now_ms()
        if held is not None:
            held.waiting.append(show)
        elif is_scheduled(before, after) and 0 < early_ms <= EARLY_MS:
            wait_s = early_ms / 1000 - time.time() % 0.001 + _SPREAD_S * random.random()
            timer = self._loop.call_later(wait_s, self._release, after.table_id)
            self._held[after.table_id] = _Held(before, timer, [show])
        else:
            show()

    def _release(self, table_id: TableId) -> None:
        """Show what has been held back, in its order."""
        for show in self._held.pop(table_id).waiting:
            show()

    def _show(self, before: Room, after: Room, events: Sequence[Event], is_unheard: bool) -> None:
        if is_arranged_anew(before, after):
            self._unseat(after)
            self._deliver(after, lambda audience: self._encode("sync", after, audience))
            return

        def frame(audience: int) -> str | None:
            seen = [shown for event in events if (shown := redact(event, audience)) is not None]
            if seen or _is_asked_anew(before, after, audience):
                return self._encode("ev", after, audience, seen)
            return None

        self._deliver(after, frame)
        if is_unheard:
            self._say_who_is_asked(before, after)

    def _say_who_is_asked(self, before: Room, after: Room) -> None:
        if after.table.step == before.table.step:
            return
        asked_at = after.clock.asked_at
        for seat in {one.audience for one in self._listeners.players(after.table_id)}:
            if asked_at[seat] not in (NOT_ASKED, before.clock.asked_at[seat]):
                self.on_question(after.table_id, seat, asked_at[seat])

    def replaced(self, room: Room) -> None:
        log.warning(
            "table %s continues from %s: its last steps were lost",
            room.table_id,
            room.head,
        )
        held = self._held.pop(room.table_id, None)
        if held is not None:
            held.timer.cancel()
        self._unseat(room)
        self._deliver(room, lambda audience: self._encode("sync", room, audience))

    def _unseat(self, room: Room) -> None:
        """No frame of a seat goes to who does not hold it any more, and none of a watcher to
        who holds one."""
        for listener in self.everybody_at(room.table_id):
            seat = listener.audience if listener.audience in SEATS else None
            if room.seat_of(listener.person) != seat:
                self.leave(room.table_id, listener)
                listener.unseat()

    def _deliver(self, room: Room, frame: Callable[[int], str | None]) -> None:
        """To the players at once, each seat's frame encoded once; to the watchers a few at a
        time, all of whom are handed the same. Who may call comes last: their choices take time to
        write, which the others are not to notice."""
        players = self._listeners.players(room.table_id)
        asked = pending(room.table) if room.table.phase == Phase.CLAIMS else ()
        self._deliver_to_players(room, [one for one in players if one.audience not in asked], frame)
        watching = self._listeners.watching(room.table_id)
        live = [one for one in watching if one.audience != OPEN_WATCHER]
        if live:
            self._deliver_to_watchers(room, live, frame)
        self._deliver_to_players(room, [one for one in players if one.audience in asked], frame)

    def _deliver_to_players(
        self, room: Room, players: list[Subscriber], frame: Callable[[int], str | None]
    ) -> None:
        seats: dict[int, str | None] = {}
        for listener in players:
            seat = listener.audience
            try:
                if seat not in seats:
                    seats[seat] = frame(seat)
                text = seats[seat]
                if text is not None:
                    listener.deliver(text, room.seqs[seat])
            except Exception:
                log.exception("table %s: a frame for %d was lost", room.table_id, seat)

    def _deliver_to_watchers(
        self, room: Room, watching: list[Subscriber], frame: Callable[[int], str | None]
    ) -> None:
        try:
            text = frame(WATCHER)
        except Exception:
            log.exception("table %s: a frame for those who watch was lost", room.table_id)
            return
        if text is not None:
            seq = room.seq(WATCHER)
            self._stands.tell(room.table_id, watching, lambda one: one.deliver(text, seq))

    async def _pull(self, table_id: TableId) -> None:
        try:
            while True:
                self._pull_again.discard(table_id)
                await self._rooms.latest(table_id)
                if table_id not in self._pull_again:
                    return
        except TableError as error:
            log.info("table %s cannot be read now: %s", table_id, error)
        finally:
            self._pull_again.discard(table_id)
            self._told.pop(table_id, None)
            del self._pulls[table_id]

    def _note_look(self, table_id: TableId) -> None:
        if self._looked_at.pop(table_id, None) is not None:
            self._looked_at[table_id] = time.monotonic()

    async def _compare_unmoved(self) -> None:
        """Compare the tables that have not moved for long; one that moves stands in the store as
        it does here, each time that it does."""
        await asyncio.sleep(_LOOK_EVERY_S)
        old = time.monotonic() - (CHECK_EVERY_S - _LOOK_EVERY_S)
        for part in _parts(takewhile(lambda one: self._looked_at[one] < old, self._looked_at)):
            for table_id in part:
                self._note_look(table_id)  # also if it cannot be: the others are to have their turn
            await self.compare_heads(part)

    async def _count_all(self) -> None:
        """Count the watchers of each table once, a few at a time, so that nobody waits for it."""
        parts = _parts(set(self._listeners) | self._onlookers.told_of())
        for part in parts or [[]]:
            await asyncio.sleep(CHECK_EVERY_S / max(1, len(parts)))
            await self._count_watchers(part)
        await self._pokes.keep_only(self.follows)

    async def _count_watchers(self, tables: Sequence[TableId]) -> None:
        """Say how many watch here, and tell those at a table when their number has changed."""
        here = {table_id: self._listeners.count_watching(table_id) for table_id in tables}
        await self._onlookers.say(here)
        for table_id, count in (await self._onlookers.count(tables)).items():
            before = self._watchers.pop(table_id, 0)
            if table_id in self._listeners:
                self._watchers[table_id] = count
            if count != before:
                self._tell_count(table_id, count)

    def _tell_count(self, table_id: TableId, count: int) -> None:
        def tell(listener: Subscriber) -> None:
            listener.tell_of_watchers(count)

        self.tell(table_id, self.everybody_at(table_id), tell)

    def tell(
        self, table_id: TableId, listeners: Iterable[Subscriber], tell: Callable[[Subscriber], None]
    ) -> None:
        """Something beside the game, to each of these: to players at once."""
        watching = list[Subscriber]()
        for listener in listeners:
            if listener.audience in SEATS:
                tell(listener)
            else:
                watching.append(listener)
        self._stands.tell(table_id, watching, tell, is_of_game=False)

    async def compare_heads(self, tables: Sequence[TableId]) -> None:
        """Find those of these tables that have moved without a poke."""
        before = [self._head(table_id) for table_id in tables]
        heads = await self._store.heads(tables)
        for table_id, known, head in zip(tables, before, heads, strict=True):
            if head not in ("", known, self._head(table_id)) and head not in self._rooms.in_flight:
                self.check(table_id)

    def _head(self, table_id: TableId) -> str:
        room = self._rooms.get(table_id)
        return "" if room is None else room.head


async def _kept_up(look: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            await look()
        except TablesUnavailable as error:
            log.info("the tables cannot be looked at now: %s", error)
            await asyncio.sleep(CHECK_EVERY_S)
        except Exception:
            log.exception("the tables could not be looked at")
            await asyncio.sleep(CHECK_EVERY_S)


def _parts(tables: Iterable[TableId]) -> list[list[TableId]]:
    """So few in each that nobody waits for it."""
    left = iter(tables)
    return list(iter(lambda: list(islice(left, CHECKED_AT_ONCE)), []))


def _is_known(room: Room, head: str) -> bool:
    return head == room.head or int(head.partition(":")[0]) < room.version


def is_arranged_anew(before: Room, after: Room) -> bool:
    """Whether it is another table to look at: seats, votes, or clocks that stand or go again."""
    return _arrangement(before) != _arrangement(after)


def _arrangement(room: Room) -> tuple[object, ...]:
    clock = room.clock
    pause = (bool(clock.paused_at), clock.pause_ends_at, room.notice)
    return room.meta.seats, room.votes, pause


def _is_asked_anew(before: Room, after: Room, audience: int) -> bool:
    """Whether the audience's own clock has changed, which no event tells."""
    if audience not in SEATS:
        return False
    old, new = before.clock, after.clock
    return (
        old.asked_at[audience] != new.asked_at[audience] or old.bank[audience] != new.bank[audience]
    )
