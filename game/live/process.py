"""The composition root: builds the objects of one process and hands them to each other.

`current` gives those of this process. Connections and tasks belong to one event loop, which in a
server process is the only one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

import msgspec
from django.conf import settings

from game.analysis.study import SeatView, study
from game.analysis.study_answer import Study
from game.archive.archive import Archive
from game.live import encoding, outbound
from game.live.chat import TableChat
from game.live.delayed_view import DelayedView
from game.live.heartbeat import Heartbeat, NowMs, now_ms
from game.live.hub import Hub
from game.live.loop_lag import LoopLag
from game.live.outbound import Encode
from game.live.page_pings import PagePings
from game.live.presence import Presence
from game.live.seat_sockets import SeatSocketCounts
from game.live.send_queue import SendQueue
from game.live.spectator_counts import SpectatorCounts
from game.live.spectator_pacer import SpectatorPacer
from game.live.subscribers import Subscribers
from game.redis.cancellation import cancel_and_wait
from game.redis.clients import connect
from game.redis.pipeline import Pipeline
from game.tables import metrics
from game.tables.abandonment import AbandonmentLimits
from game.tables.due_work import DueWork
from game.tables.errors import NoSuchTable, TablesUnavailable
from game.tables.replication import ReplicatedCommits
from game.tables.room import Room, TableId
from game.tables.room_cache import RoomCache
from game.tables.sealing import Sealer
from game.tables.service import Service
from game.tables.store import Store
from game.tables.timers import Timers
from game.tables.worker import WorkerBeats

REMEMBERED_ANSWERS: Final = 512
"""The number of answers that are cached: enough for some hundred tables."""

_encoder: Final = msgspec.json.Encoder()


class HelpCache:
    """Computes the analysis of hands in one thread, each different view once.

    Most analyses take 0.1 ms, a hand of one suit some 10 ms. In one thread they delay the event
    loop only by the interpreter's switch interval and leave it at least half of the processor.
    """

    def __init__(self, remembered: int = REMEMBERED_ANSWERS) -> None:
        self._remembered = remembered
        self._frames: dict[SeatView, str] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="study")

    async def frame(self, seen: SeatView) -> str:
        """Return the frame with the analysis for a seat that has this view."""
        known = self._frames.get(seen)
        if known is not None:
            return known
        found = await asyncio.get_running_loop().run_in_executor(self._thread, _study_frame, seen)
        self._frames[seen] = found
        while len(self._frames) > self._remembered:
            del self._frames[next(iter(self._frames))]
        return found


def encode_study(answer: Study) -> str:
    """Return the frame with this analysis."""
    return _encoder.encode(answer).decode()


def _study_frame(seen: SeatView) -> str:
    return encode_study(study(seen))


CLOSE_SHUTTING_DOWN: Final = 4512
CLOSED_AT_ONCE: Final = 50
CLOSING_PAUSE_S: Final = 0.05
"""The pause between groups of `CLOSED_AT_ONCE` sockets, which all reconnect to another process."""
UNNOTIFIED_AFTER_S: Final = 3.0
"""A web server without a message through its subscription for this time is not ready."""

ARCHIVE: Final = Archive(encoding.encode_event)
"""The archive of all processes. It has no connection, so that one object serves every event
loop."""


T = TypeVar("T")


class Process:
    """The objects through which this process reaches tables: `service` changes them, `hub` shows
    them."""

    def __init__(
        self, url: str, *, now_ms: NowMs = now_ms, name: str = "", sealer: Sealer | None = None
    ) -> None:
        self._attached: dict[Callable[[Process], Any], Any] = {}
        self._tasks = set[asyncio.Task[Any]]()
        self.redis = connect(url)
        self.pipeline = Pipeline(self.redis)
        replicas = settings.REDIS_WAIT_REPLICAS
        self.commits = ReplicatedCommits(self.redis, replicas) if replicas else self.pipeline
        self.store = Store(self.redis, sealer, self.pipeline, self.commits)
        self.rooms = RoomCache(self.store, now_ms=now_ms)
        self.heartbeat = Heartbeat(self.pipeline, now_ms=now_ms, process=name)
        self.worker_beats = WorkerBeats(self.pipeline, self.heartbeat.process, now_ms=now_ms)
        self.presence = Presence(self.pipeline, self.heartbeat, now_ms=now_ms)
        timers = Timers()
        self.service = Service(
            self.store, self.rooms, timers, self.heartbeat, self.presence, now_ms=now_ms
        )
        abandonment = AbandonmentLimits(
            1000 * settings.ABANDONED_PAUSE_SECONDS, 60_000 * settings.ABANDONED_END_MINUTES
        )
        self.spectator_counts = SpectatorCounts(
            self.pipeline, self.heartbeat.process, now_ms=now_ms
        )
        self.due_work = DueWork(
            self.service,
            self.presence,
            timers,
            abandonment,
            is_watched=self.spectator_counts.is_watched,
            now_ms=now_ms,
        )
        self.lag = LoopLag(settings.BUSY_LAG_MS)
        self.heartbeat.is_busy = lambda: self.lag.is_busy
        self.subscribers = Subscribers()
        self.pacer = SpectatorPacer(self.lag)
        self.sockets = set[SendQueue]()
        """The queues of the open sockets at tables."""
        self.delayed_view = DelayedView(
            self.store, self.rooms, outbound.encode, self.pacer, now_ms=now_ms
        )
        self.chat = TableChat(
            self.redis, self.subscribers, self.pacer, self.delayed_view, now_ms=now_ms
        )
        self.seat_sockets = SeatSocketCounts(
            self.presence, self.subscribers, self.service, now_ms=now_ms
        )
        self.page_pings = PagePings(self.presence, self.rooms)
        self.help = HelpCache()
        self._now_ms = now_ms
        self._hub: Hub | None = None

    async def start(self) -> None:
        """Begin to send heartbeats."""
        metrics.HEARTBEAT_AGE_S.set_function(lambda: self.heartbeat.age_s)
        self.lag.start()
        await self.heartbeat.start(
            [
                self.presence.report_departures,
                self.presence.report_again,
                self.page_pings.ping,
                self.seat_sockets.count_again,
            ]
        )

    async def hub(self, encode: Encode = outbound.encode) -> Hub:
        """Return the hub of this process, started at the first call."""
        if self._hub is None:
            self.heartbeat.accepts_players = True
            self._hub = Hub(
                self.store,
                self.rooms,
                self.redis,
                encode,
                self.subscribers,
                self.pacer,
                self.chat,
                self.seat_sockets,
                self.spectator_counts,
                reopen_if_delayed=self.due_work.reopen_if_delayed,
                now_ms=self._now_ms,
            )
            await self._hub.start()
            hub = self._hub
            metrics.NOTIFICATION_AGE_S.set_function(lambda: hub.notification_age_s)
        return self._hub

    @property
    def is_notified(self) -> bool:
        """Whether notifications of tables arrive. True if this process follows no table."""
        return self._hub is None or self._hub.notification_age_s < UNNOTIFIED_AFTER_S

    def begin_stopping(self) -> None:
        """Mark this process as stopping: sockets that close from now on do not count as closed by
        their players."""
        self.heartbeat.is_stopping = True

    async def close_sockets(self) -> None:
        """Close all sockets at tables, a group at a time. Their players do not count as having
        left."""
        self.begin_stopping()
        queues = [queue for queue in self.sockets if not queue.is_closed]
        for start in range(0, len(queues), CLOSED_AT_ONCE):
            if start:
                await asyncio.sleep(CLOSING_PAUSE_S)
            for queue in queues[start : start + CLOSED_AT_ONCE]:
                queue.close_at_once(CLOSE_SHUTTING_DOWN)

    def attached(self, kind: Callable[[Process], T]) -> T:
        """Return the object that a package above keeps in this process. The first call makes it
        with `kind`."""
        if kind not in self._attached:
            self._attached[kind] = kind(self)
        found: T = self._attached[kind]
        return found

    def start_task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a task that is cancelled when this process stops."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def stop(self) -> None:
        """Cancel all tasks, then close the client: a task that still runs would connect again."""
        self.lag.stop()
        await self.due_work.stop()
        await self.heartbeat.stop()
        if self._hub is not None:
            await self._hub.stop()
        for part in (
            self.chat,
            self.seat_sockets,
            self.delayed_view,
            self.pacer,
            self.rooms,
            self.pipeline,
            self.commits,
        ):
            await part.stop()
        await cancel_and_wait(self._tasks)
        await self.redis.aclose()


_current: tuple[asyncio.AbstractEventLoop, Process] | None = None


async def current() -> Process:
    """Return the objects of this process, started with ``settings.REDIS_URL`` at the first call.
    Tests run several event loops one after the other; each gets its own objects."""
    global _current
    loop = asyncio.get_running_loop()
    if _current is None or _current[0] is not loop:
        process = Process(settings.REDIS_URL)
        _current = loop, process
        await process.start()
    return _current[1]


async def running_room(table_id: str) -> Room | None:
    """Return the table's latest room; None if no such table is running. Raises
    TablesUnavailable."""
    try:
        return await (await current()).service.read_room(TableId(table_id))
    except NoSuchTable:
        return None


async def register_web_server() -> None:
    """Register this process as one that accepts players, before the first one connects. While Redis
    is unavailable, a later heartbeat registers it."""
    heartbeat = (await current()).heartbeat
    heartbeat.accepts_players = True
    with contextlib.suppress(TablesUnavailable):
        await heartbeat.register()


async def close_current() -> None:
    """Stop the objects of the running event loop."""
    global _current
    if _current is not None and _current[0] is asyncio.get_running_loop():
        process, _current = _current[1], None
        await process.stop()
