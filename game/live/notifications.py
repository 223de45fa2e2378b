"""Subscribes this process to the channels of tables in Redis.

A notification contains a table's new head, or says that its chat or its sockets have changed.
Notifications may be lost, doubled or late: they only make changes visible sooner.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Any, Final

from game.redis.cancellation import cancel_and_wait
from game.redis.clients import ANSWER_WITHIN_S, PubSub, Redis
from game.redis.errors import RedisError
from game.redis.subscription import Subscription
from game.tables.errors import TablesUnavailable
from game.tables.keys import TableKeys
from game.tables.room import TableId

log = logging.getLogger(__name__)

_BACKOFF_S: Final = (0.1, 0.2, 0.5)


class Notifications:
    """Subscribes to the tables that have sockets in this process."""

    def __init__(
        self,
        redis: Redis,
        *,
        on_change: Callable[[TableId, str], None],
        on_missed: Callable[[], None],
    ) -> None:
        """`on_change` is called with the table and the message of each notification, `on_missed`
        when notifications may have been lost."""
        self._on_change = on_change
        self._on_missed = on_missed
        self._tables: dict[str, TableId] = {}
        self._subscribed: dict[str, asyncio.Event] = {}
        self._pubsub: PubSub | None = None
        self._sending = asyncio.Lock()
        self._pending_channels: set[str] = set()
        self._syncing: asyncio.Task[None] | None = None
        self._is_broken = False
        self._task: asyncio.Task[None] | None = None
        self._own_channel = f"hub:{secrets.token_hex(6)}"
        self._subscription = Subscription(redis, self._own_channel)

    async def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="notifications")

    async def stop(self) -> None:
        await cancel_and_wait([self._task, self._syncing])

    async def listen_to(self, table_id: TableId) -> None:
        """Subscribe to the table and wait for the confirmation. Raises TablesUnavailable."""
        channel = TableKeys.of(table_id).channel
        if self._is_broken:
            raise TablesUnavailable("the subscription to Redis is broken")
        subscribed = self._subscribed.get(channel)
        if subscribed is None:
            subscribed = self._subscribed[channel] = asyncio.Event()
            self._tables[channel] = table_id
            self._request_sync(channel)
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                await subscribed.wait()
        except TimeoutError as error:
            raise TablesUnavailable("Redis does not answer a subscription") from error

    @property
    def age_s(self) -> float:
        """Seconds since the last message; the subscription sends itself one every 0.25 s."""
        return self._subscription.age_s

    def own_channel(self, table_id: TableId) -> str:
        """Return the channel of this process, if it is subscribed to the table's channel; otherwise
        ''."""
        subscribed = self._subscribed.get(TableKeys.of(table_id).channel)
        if subscribed is None or not subscribed.is_set() or self._is_broken:
            return ""
        return self._own_channel

    def keep_only(self, is_wanted: Callable[[TableId], bool]) -> None:
        """Unsubscribe from every table for which `is_wanted` is false."""
        for channel, table_id in list(self._tables.items()):
            if not is_wanted(table_id):
                del self._tables[channel], self._subscribed[channel]
                self._request_sync(channel)

    def _request_sync(self, channel: str) -> None:
        """Subscribe to the channel if it is in `_tables`, otherwise unsubscribe. Changes that are
        requested while a command runs are sent together in the next one. Returns at once."""
        self._pending_channels.add(channel)
        if self._syncing is None or self._syncing.done():
            self._syncing = asyncio.create_task(self._sync_subscription(), name="subscriptions")

    async def _sync_subscription(self) -> None:
        while self._pending_channels:
            async with self._sending:
                channels, self._pending_channels = self._pending_channels, set()
                pubsub = self._pubsub
                wanted = channels & self._tables.keys()
                if pubsub is None:
                    return  # the reader will subscribe to all wanted channels
                try:
                    if wanted:
                        await pubsub.subscribe(*wanted)
                    if unwanted := channels - wanted:
                        await pubsub.unsubscribe(*unwanted)
                except (RedisError, OSError):
                    return  # the reader gets the same error, and subscribes to all again

    async def _run(self) -> None:
        failures = 0
        while True:
            pubsub: PubSub | None = None
            try:
                async with self._sending:
                    pubsub = await self._subscription.open(*self._tables)
                    self._pubsub = pubsub
                if failures:
                    log.warning("listening to Redis again")
                    self._on_missed()
                failures, self._is_broken = 0, False
                await self._subscription.read(pubsub, self._handle)
            except (RedisError, OSError) as error:
                if not failures:
                    log.warning("the subscription to Redis broke: %s", error)
                failures, self._is_broken = failures + 1, True
            except Exception:
                log.exception("a notification could not be read")
                failures, self._is_broken = failures + 1, True
            finally:
                self._pubsub = None
                if pubsub is not None:
                    await asyncio.shield(self._subscription.close(pubsub))
            if failures > 1:
                await asyncio.sleep(_BACKOFF_S[min(failures, len(_BACKOFF_S)) - 1])

    async def _handle(self, message: Any) -> None:
        kind = message["type"]
        if kind not in ("message", "subscribe"):
            return
        channel = message["channel"].decode()
        if kind == "subscribe":
            if channel in self._subscribed:
                self._subscribed[channel].set()
        elif channel in self._tables:
            self._on_change(self._tables[channel], message["data"].decode())
