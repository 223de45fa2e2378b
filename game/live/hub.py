"""Sends frames to the sockets of this process.

Follows the rooms of the process step by step. At every step the events are redacted and a frame is
encoded once for each viewer (the seats, the spectators). Players get their frames at once,
spectators a few at a time (`game.live.spectator_pacer`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from itertools import islice, takewhile
from typing import Final, NamedTuple

from game.engine.clock import EARLY_MS, NOT_ASKED
from game.engine.events import Event
from game.engine.legal import pending_seats
from game.engine.perspective import DELAYED_VIEWERS, SPECTATOR, is_seat, redact
from game.engine.state import Phase
from game.live.chat import TableChat
from game.live.chat_store import NEW_CHAT_LINE
from game.live.heartbeat import NowMs, now_ms
from game.live.notifications import Notifications
from game.live.outbound import Encode, encode_absent_players, needs_sync
from game.live.presence import SEATS_CHANGED
from game.live.seat_sockets import SeatSocketCounts
from game.live.spectator_counts import SpectatorCounts
from game.live.spectator_pacer import SpectatorPacer
from game.live.subscribers import BotSubscriber, Subscriber, Subscribers
from game.redis.cancellation import cancel_and_wait
from game.redis.clients import Redis
from game.tables import metrics
from game.tables.errors import TablesUnavailable
from game.tables.room import Room, TableId, ends_wait_on_time
from game.tables.room_cache import RoomCache
from game.tables.store import Store
from game.tables.table_tasks import NodeTasks, TableTasks

log = logging.getLogger(__name__)

CHECK_EVERY_S: Final = 3.0
"""How often the rooms are compared with the store. A lost notification is noticed within this
time."""
CHECKED_AT_ONCE: Final = 20
_CHECK_STEP_S: Final = CHECK_EVERY_S / 10
_RANDOM_DELAY_S: Final = 0.010
"""The longest random time that is added before a held step is shown. An event loop wakes up whole
milliseconds after it began to wait, so that without it the time would reveal when the commit was
made."""


class _HeldSteps(NamedTuple):
    """Steps of one table that were committed before the end of a reaction time, and are not shown
    before it ends."""

    shown: Room
    """The room as it has been shown."""
    timer: asyncio.TimerHandle
    waiting: list[Callable[[], None]]
    """Functions that show the later steps, in order."""


class Hub:
    """Follows the rooms of this process and sends frames to its subscribers."""

    def __init__(
        self,
        store: Store,
        rooms: RoomCache,
        redis: Redis,
        encode: Encode,
        subscribers: Subscribers,
        pacer: SpectatorPacer,
        chat: TableChat,
        seat_sockets: SeatSocketCounts,
        spectator_counts: SpectatorCounts,
        *,
        reopen_if_delayed: Callable[[TableId, int, int], None],
        now_ms: NowMs = now_ms,
    ) -> None:
        """`reopen_if_delayed` takes a table, a seat and the time of its question. It is called
        for each question that reaches a player although its notification was lost."""
        self._store = store
        self._rooms = rooms
        self._encode = encode
        self._subscribers = subscribers
        self._pacer = pacer
        self._chat = chat
        self._seat_sockets = seat_sockets
        self._spectator_counts = spectator_counts
        self._reopen_if_delayed = reopen_if_delayed
        self._now_ms = now_ms
        self._held: dict[TableId, _HeldSteps] = {}
        self._spectator_totals: dict[TableId, int] = {}
        self._notified: dict[TableId, set[str]] = {}
        """The heads in notifications, by table that is being read."""
        self._table_tasks = TableTasks("table", rooms.latest, self._forget_notified)
        self._checked_at: dict[TableId, float] = {}
        """When each table last advanced or was compared with the store, in order of that time."""
        self._tasks: list[asyncio.Task[None]] = []
        self._comparing = NodeTasks(store.node_of, self._compare_in_parts)
        self._counting = NodeTasks(store.node_of, self._count_spectators)
        self._loop = asyncio.get_running_loop()
        self._notifications = Notifications(
            redis, on_change=self.handle_notification, on_missed=self.refresh_all
        )

    async def start(self) -> None:
        self._rooms.attach(self)
        await self._notifications.start()
        for check in (self._compare_idle_tables, self._count_all):
            self._tasks.append(asyncio.create_task(_repeat_check(check), name=check.__name__))

    async def stop(self) -> None:
        for held in self._held.values():
            held.timer.cancel()
        await cancel_and_wait(self._tasks)
        await self._comparing.stop()
        await self._counting.stop()
        await self._table_tasks.stop()
        await self._notifications.stop()

    async def join(self, table_id: TableId, subscriber: Subscriber) -> Room:
        """Add a socket, which gets all further frames. Return the room from which those frames
        continue. Raises TableError.

        The process subscribes to notifications before it loads the room, so that no step is missed.
        """
        with self._subscribers.expect_join(table_id):
            await self._notifications.listen_to(table_id)
            latest = await self._rooms.latest(table_id)
        room = self._rooms.get(table_id) or latest
        subscriber.set_viewer(room)
        self._subscribers.add(table_id, subscriber)
        self._checked_at.setdefault(table_id, time.monotonic())
        return room

    def leave(self, table_id: TableId, subscriber: Subscriber) -> None:
        """Remove a socket."""
        self._subscribers.discard(table_id, subscriber)
        if table_id not in self._subscribers:
            self._checked_at.pop(table_id, None)

    @property
    def notification_age_s(self) -> float:
        """Seconds since a message came through the subscription, which sends itself test
        messages."""
        return self._notifications.age_s

    def spectator_count(self, table_id: TableId) -> int:
        """Return how many spectators the table has in all processes, as last counted."""
        return max(
            self._spectator_totals.get(table_id, 0), self._subscribers.count_spectators(table_id)
        )

    def room(self, table_id: TableId) -> Room | None:
        """Return the room as it was last shown to the sockets; None if the table is not
        followed."""
        return self.held_room(table_id) or self._rooms.get(table_id)

    def held_room(self, table_id: TableId) -> Room | None:
        """Return the room that is shown while newer steps are held back; None if none are."""
        held = self._held.get(table_id)
        return None if held is None else held.shown

    def request_refresh(self, table_id: TableId) -> None:
        """Ask for the table to be read again, because it may have advanced. Returns at once."""
        if table_id in self._table_tasks or self.follows(table_id):
            self._table_tasks.request(table_id)

    def refresh_all(self) -> None:
        """Ask for all tables, chats and sockets to be read again, because notifications may have
        been lost."""
        for table_id in self._subscribers:
            self.request_refresh(table_id)
            self._chat.request_refresh(table_id)
            self._seat_sockets.request_count(table_id)

    def handle_notification(self, table_id: TableId, message: str) -> None:
        """Read again the part of the table that the message names: its chat, its sockets at seats,
        or its log."""
        if message == NEW_CHAT_LINE:
            self._chat.request_refresh(table_id)
            return
        if message == SEATS_CHANGED:
            self._seat_sockets.request_count(table_id)
            return
        room = self._rooms.get(table_id)
        if message in self._rooms.in_flight or (room is not None and _has_reached(room, message)):
            return
        self.request_refresh(table_id)
        if table_id in self._table_tasks:
            self._notified.setdefault(table_id, set()).add(message)

    def _forget_notified(self, table_id: TableId) -> None:
        self._notified.pop(table_id, None)

    def follows(self, table_id: TableId) -> bool:
        return self._subscribers.has_any(table_id)

    def own_channel(self, table_id: TableId) -> str:
        return self._notifications.own_channel(table_id)

    def mark_doubtful(self, table_id: TableId) -> None:
        self.request_refresh(table_id)

    def on_advance(self, before: Room, after: Room, events: Sequence[Event]) -> None:
        self._note_check(after.table_id)
        is_unnotified = after.head not in self._notified.get(after.table_id, ())
        show = partial(self._show, before, after, events, is_unnotified)
        held = self._held.get(after.table_id)
        early_ms = after.at - self._now_ms()
        if held is not None:
            held.waiting.append(show)
        elif ends_wait_on_time(before, after) and 0 < early_ms <= EARLY_MS:
            wait_s = early_ms / 1000 - time.time() % 0.001 + _RANDOM_DELAY_S * random.random()
            timer = self._loop.call_later(wait_s, self._release, after.table_id)
            self._held[after.table_id] = _HeldSteps(before, timer, [show])
        else:
            show()

    def _release(self, table_id: TableId) -> None:
        """Show the held steps, in order."""
        for show in self._held.pop(table_id).waiting:
            show()

    def _show(
        self, before: Room, after: Room, events: Sequence[Event], is_unnotified: bool
    ) -> None:
        if needs_sync(before, after):
            self._unseat(after)
            self._deliver(after, lambda viewer: self._encode("sync", after, viewer), events)
            return

        def frame(viewer: int) -> str | None:
            seen = [shown for event in events if (shown := redact(event, viewer)) is not None]
            if seen or _own_clock_changed(before, after, viewer):
                return self._encode("ev", after, viewer, seen)
            return None

        self._deliver(after, frame, events)
        if after.absent != before.absent:
            self._send_absent_players(after)
        if is_unnotified:
            self._report_questions(before, after)

    def _send_absent_players(self, room: Room) -> None:
        """Send to all who see the table live the list of absent players."""
        frame, spectators = encode_absent_players(room.absent), list[Subscriber]()
        for subscriber in self._subscribers.all_sockets(room.table_id):
            if subscriber.viewer not in DELAYED_VIEWERS:
                subscriber.deliver(frame, room.seq(subscriber.viewer))
            if not is_seat(subscriber.viewer):
                spectators.append(subscriber)
        self._pacer.send(room.table_id, spectators)

    def _report_questions(self, before: Room, after: Room) -> None:
        if after.table.step == before.table.step:
            return
        asked_at = after.clock.asked_at
        for seat in {player.viewer for player in self._subscribers.players(after.table_id)}:
            if asked_at[seat] not in (NOT_ASKED, before.clock.asked_at[seat]):
                self._reopen_if_delayed(after.table_id, seat, asked_at[seat])

    def on_replace(self, room: Room) -> None:
        log.warning(
            "table %s continues from %s: its last steps were lost",
            room.table_id,
            room.head,
        )
        held = self._held.pop(room.table_id, None)
        if held is not None:
            held.timer.cancel()
        self._unseat(room)
        self._deliver(room, lambda viewer: self._encode("sync", room, viewer))

    def _unseat(self, room: Room) -> None:
        """Close sockets of players who have lost their seat and of spectators who have got one."""
        for subscriber in self._subscribers.all_sockets(room.table_id):
            seat = subscriber.viewer if is_seat(subscriber.viewer) else None
            if room.seat_of(subscriber.person) != seat:
                self.leave(room.table_id, subscriber)
                subscriber.unseat()

    def _deliver(
        self,
        room: Room,
        frame: Callable[[int], str | None],
        events: Sequence[Event] | None = None,
    ) -> None:
        """Deliver one frame to each viewer, and the events to bots. Without `events`, bots get the
        whole room. Players who may call are served last: encoding their choices takes time that the
        others must not notice."""
        players = self._subscribers.players(room.table_id)
        asked = pending_seats(room.table) if room.table.phase == Phase.CLAIMS else ()
        self._deliver_to_group(
            [player for player in players if player.viewer not in asked], room, frame, events
        )
        spectators = [
            spectator
            for spectator in self._subscribers.spectators(room.table_id)
            if spectator.viewer not in DELAYED_VIEWERS
        ]
        if spectators:
            self._deliver_to_group(spectators, room, frame)
            self._pacer.send(room.table_id, spectators)
        self._deliver_to_group(
            [player for player in players if player.viewer in asked], room, frame, events
        )

    def _deliver_to_group(
        self,
        subscribers: list[Subscriber],
        room: Room,
        frame: Callable[[int], str | None],
        events: Sequence[Event] | None = None,
    ) -> None:
        frames: dict[int, str | None] = {}
        for subscriber in subscribers:
            viewer = subscriber.viewer if is_seat(subscriber.viewer) else SPECTATOR
            try:
                if isinstance(subscriber, BotSubscriber):
                    _deliver_to_bot(subscriber, room, events)
                    continue
                if viewer not in frames:
                    frames[viewer] = frame(viewer)
                text = frames[viewer]
                if text is not None:
                    subscriber.deliver(text, room.seq(viewer))
            except Exception:
                log.exception("table %s: a frame for %d was lost", room.table_id, viewer)
                frames.setdefault(viewer, None)

    def _note_check(self, table_id: TableId) -> None:
        if self._checked_at.pop(table_id, None) is not None:
            self._checked_at[table_id] = time.monotonic()

    async def _compare_idle_tables(self) -> None:
        """Check in the store whether tables that have not advanced for `CHECK_EVERY_S` are up to
        date here."""
        await asyncio.sleep(_CHECK_STEP_S)
        old = time.monotonic() - (CHECK_EVERY_S - _CHECK_STEP_S)
        unmoved = list(
            takewhile(lambda table_id: self._checked_at[table_id] < old, self._checked_at)
        )
        for table_id in unmoved:
            # Even if the comparison fails, so that other tables get their turn.
            self._note_check(table_id)
        self._comparing.start(unmoved)

    async def _compare_in_parts(self, tables: Sequence[TableId]) -> None:
        for part in _split_tables(tables):
            with contextlib.suppress(TablesUnavailable):  # the next comparison tries again
                await self.compare_heads(part)

    async def _count_all(self) -> None:
        """Count the spectators of each table once, a few tables at a time."""
        parts = _split_tables(set(self._subscribers) | self._spectator_counts.stored_tables())
        for part in parts or [[]]:
            await asyncio.sleep(CHECK_EVERY_S / max(1, len(parts)))
            self._counting.start(part)
        self._notifications.keep_only(self.follows)

    async def _count_spectators(self, tables: Sequence[TableId]) -> None:
        """Store how many spectators this process has, and send totals that have changed."""
        own = {table_id: self._subscribers.count_spectators(table_id) for table_id in tables}
        await self._spectator_counts.store(own)
        for table_id, count in (await self._spectator_counts.count(tables)).items():
            before = self._spectator_totals.pop(table_id, 0)
            if table_id in self._subscribers:
                self._spectator_totals[table_id] = count
            if count != before:
                self._send_spectator_count(table_id, count)

    def _send_spectator_count(self, table_id: TableId, count: int) -> None:
        for subscriber in self._subscribers.all_sockets(table_id):
            subscriber.deliver_spectator_count(count)
        self._pacer.send(table_id, self._subscribers.spectators(table_id))

    async def compare_heads(self, tables: Sequence[TableId]) -> None:
        """Read those of the tables that have advanced in the store although no notification
        came."""
        before = [self._head_of(table_id) for table_id in tables]
        heads = await self._store.read_heads(tables)
        for table_id, known, head in zip(tables, before, heads, strict=True):
            if (
                head not in ("", known, self._head_of(table_id))
                and head not in self._rooms.in_flight
            ):
                if known:
                    metrics.UNNOTIFIED.inc(_version_of(head) - _version_of(known))
                self.request_refresh(table_id)

    def _head_of(self, table_id: TableId) -> str:
        room = self._rooms.get(table_id)
        return "" if room is None else room.head


def _deliver_to_bot(bot: BotSubscriber, room: Room, events: Sequence[Event] | None) -> None:
    if events is None:
        bot.deliver_afresh(room)
        return
    seen = [shown for event in events if (shown := redact(event, bot.viewer)) is not None]
    bot.deliver_step(room, seen)


async def _repeat_check(check: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            await check()
        except TablesUnavailable as error:
            log.info("the tables cannot be checked now: %s", error)
            await asyncio.sleep(CHECK_EVERY_S)
        except Exception:
            log.exception("the tables could not be checked")
            await asyncio.sleep(CHECK_EVERY_S)


def _split_tables(tables: Iterable[TableId]) -> list[list[TableId]]:
    """Split the tables into lists of at most `CHECKED_AT_ONCE`."""
    left = iter(tables)
    return list(iter(lambda: list(islice(left, CHECKED_AT_ONCE)), []))


def _has_reached(room: Room, head: str) -> bool:
    return head == room.head or _version_of(head) < room.version


def _version_of(head: str) -> int:
    return int(head.partition(":")[0])


def _own_clock_changed(before: Room, after: Room, viewer: int) -> bool:
    """Return whether a step changed the viewer's own clock without an event that tells it."""
    if not is_seat(viewer):
        return False
    old, new = before.clock, after.clock
    return old.asked_at[viewer] != new.asked_at[viewer] or old.bank[viewer] != new.bank[viewer]
