"""What one process needs for its tables, put together once per event loop.

Connections and tasks belong to the loop they were made in, which in a server process is
the only one.
"""

from __future__ import annotations

import asyncio
import contextlib

from django.conf import settings

from game.live.delayed_view import DelayedView
from game.live.heartbeat import Heartbeat, NowMs, now_ms
from game.live.hub import Encode, Hub
from game.live.notifications import Notifications
from game.live.presence import Presence
from game.live.viewer_counts import ViewerCounts
from game.redis.clients import connect
from game.redis.pipeline import Pipeline
from game.tables.due_work import DueWork
from game.tables.errors import TablesUnavailable
from game.tables.room_cache import RoomCache
from game.tables.sealing import Sealer
from game.tables.service import Service
from game.tables.store import Store
from game.tables.timers import Timers


class Process:
    """The tables as this process reaches them: `service` to act on them, `hub` to look."""

    def __init__(
        self, url: str, *, now_ms: NowMs = now_ms, name: str = "", sealer: Sealer | None = None
    ) -> None:
        self.redis = connect(url)
        self.pipeline = Pipeline(self.redis)
        self.store = Store(self.redis, sealer)
        self.rooms = RoomCache(self.store)
        self.pulse = Heartbeat(self.redis, now_ms=now_ms, process=name)
        self.presence = Presence(self.redis, self.pulse, now_ms=now_ms)
        timers = Timers()
        self.service = Service(
            self.store, self.rooms, timers, self.pulse, self.presence, now_ms=now_ms
        )
        self.due_work = DueWork(self.service, self.presence, timers, now_ms=now_ms)
        self.onlookers = ViewerCounts(self.redis, self.pulse.process, now_ms=now_ms)
        self._now_ms = now_ms
        self._hub: Hub | None = None
        self._delayed_view: DelayedView | None = None

    async def start(self) -> None:
        """Begin to give signs of life."""
        await self.pulse.start()
        with contextlib.suppress(TablesUnavailable):
            await self.store.announce_key()

    async def hub(self, encode: Encode) -> Hub:
        """The hub of this process, started when it is first asked for."""
        if self._hub is None:
            self.pulse.receives_people = True
            self._hub = Hub(
                self.store,
                self.rooms,
                Notifications(self.redis),
                encode,
                self.onlookers,
                now_ms=self._now_ms,
            )
            self._hub.on_question = self.due_work.reopen_if_sent_late
            await self._hub.start()
        return self._hub

    def delayed_view(self, encode: Encode) -> DelayedView:
        """Finished hands, shown to spectators with all hands open."""
        if self._delayed_view is None:
            self._delayed_view = DelayedView(self.store, self.rooms, encode, now_ms=self._now_ms)
        return self._delayed_view

    def going_down(self) -> None:
        """From now on a socket that closes here has not been left by its player. To be
        called before a server that stops closes its sockets."""
        self.pulse.is_stopping = True

    async def stop(self) -> None:
        await self.pulse.stop()
        if self._delayed_view is not None:
            await self._delayed_view.stop()
        if self._hub is not None:
            await self._hub.stop()
        await self.redis.aclose()


_current: tuple[asyncio.AbstractEventLoop, Process] | None = None


async def current() -> Process:
    """Return the objects of this process, started with ``settings.REDIS_URL`` at the first call.
    Tests run several event loops one after the other: each gets objects of its own."""
    global _current
    loop = asyncio.get_running_loop()
    if _current is None or _current[0] is not loop:
        process = Process(settings.REDIS_URL)
        _current = loop, process
        await process.start()
    return _current[1]


async def announce_receiving() -> None:
    """Tell the other processes that people connect to this one, before the first has come."""
    (await current()).pulse.receives_people = True


async def close_current() -> None:
    """Stop the objects of the running event loop."""
    global _current
    if _current is not None and _current[0] is asyncio.get_running_loop():
        process, _current = _current[1], None
        await process.stop()
