"""The channel layer of the lobby: sends messages to groups through Redis.

Messages to groups are published on one channel of Redis, to which all processes subscribe. Within a
process, the in-memory layer of Channels delivers them. In a cluster a process subscribes at any
node, because nodes forward published messages. Messages sent while the subscription is broken are
lost, which Channels allows.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from typing import Any, Final

from channels.layers import InMemoryChannelLayer
from redis.asyncio import Redis

from game.redis.cancellation import cancel_and_wait
from game.redis.clients import ANSWER_WITHIN_S, PubSub, connect
from game.redis.errors import FAILURES
from game.redis.subscription import Subscription

log = logging.getLogger(__name__)

_CHANNEL: Final = "lobby:groups"
_GROUP_EXPIRY_S: Final = 10 * 365 * 86_400
"""The expiry of groups, so long that they never expire: members leave them when their sockets
close."""
_AGAIN_AFTER_S: Final = 0.5


class ChannelLayer(InMemoryChannelLayer):  # type: ignore[misc]  # channels has no types
    """The backend for `CHANNEL_LAYERS`; `url` is an address as in `game.redis.addresses`."""

    def __init__(self, *, url: str) -> None:
        super().__init__(group_expiry=_GROUP_EXPIRY_S)
        self._url = url
        self._loop: asyncio.AbstractEventLoop | None = None
        self._redis: Redis
        self._reader: asyncio.Task[None] | None = None
        self._is_subscribed = asyncio.Event()

    async def group_add(self, group: str, channel: str) -> None:
        """Add the channel to the group. Returns once this process is subscribed, so that messages
        can arrive. Raises TimeoutError."""
        redis = self._client()
        if self._reader is None:
            self._reader = asyncio.create_task(self._run(redis), name="lobby")
        async with asyncio.timeout(ANSWER_WITHIN_S):
            await self._is_subscribed.wait()
        await super().group_add(group, channel)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send a message that can be encoded as JSON. Raises RedisError and OSError."""
        await self._client().publish(_CHANNEL, json.dumps([group, message]))

    async def flush(self) -> None:
        await super().flush()
        await cancel_and_wait([self._reader])
        if self._loop is not None:
            await self._redis.aclose()
        self._loop = self._reader = None

    def _client(self) -> Redis:
        """Return the client of the running event loop. There may be several: commands of
        `manage.py` run event loops one after the other."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._reader = loop, None
            self._redis, self._is_subscribed = connect(self._url, connections=8), asyncio.Event()
        return self._redis

    async def _run(self, redis: Redis) -> None:
        subscription = Subscription(redis, f"{_CHANNEL}:{secrets.token_hex(6)}")
        failures = 0
        while True:
            pubsub: PubSub | None = None
            try:
                pubsub = await subscription.open(_CHANNEL)
                if failures:
                    log.warning("messages to the lobby arrive again")
                failures = 0
                await subscription.read(pubsub, self._handle)
            except FAILURES as error:
                if not failures:
                    log.warning("messages to the lobby do not arrive from Redis: %s", error)
                failures += 1
            except Exception:
                log.exception("a message to the lobby could not be delivered")
                failures += 1
            finally:
                self._is_subscribed.clear()
                if pubsub is not None:
                    await subscription.close(pubsub)
            if failures > 1:
                await asyncio.sleep(_AGAIN_AFTER_S)

    async def _handle(self, message: Any) -> None:
        channel = message["channel"]
        if message["type"] == "subscribe" and channel == _CHANNEL.encode():
            self._is_subscribed.set()
        elif message["type"] == "message" and channel == _CHANNEL.encode():
            await super().group_send(*json.loads(message["data"]))
