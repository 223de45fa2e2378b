"""The channel layer of the lobby: channels_redis' own, over whatever REDIS_URL names.

Each process listens at one server. In a cluster that is any of the nodes, since they pass on to
each other what is published; when it fails, another one takes its place. What is said meanwhile
is lost, which a channel layer may do.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any, Final

from channels_redis.pubsub import (
    RedisPubSubChannelLayer,
    RedisPubSubLoopLayer,
    RedisSingleShardConnection,
)
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from game.redis.clients import connect

log = logging.getLogger(__name__)

_LISTEN_S: Final = 5.0
_AGAIN_AFTER_S: Final = 0.5


class ChannelLayer(RedisPubSubChannelLayer):  # type: ignore[misc]  # channels_redis has no types
    """The back end for `CHANNEL_LAYERS`; `url` is an address as `game.redis.addresses` reads it."""

    def __init__(self, *, url: str) -> None:
        super().__init__(hosts=[url])
        self._url = url

    def _get_layer(self) -> Any:
        layer = super()._get_layer()
        if not isinstance(layer._shards[0], _Connection):
            layer._shards = [_Connection(self._url, layer)]
        return layer


class _Connection(RedisSingleShardConnection):  # type: ignore[misc]
    """One subscription, made anew when it breaks."""

    _redis: Redis | None
    _pubsub: PubSub | None

    def __init__(self, url: str, layer: RedisPubSubLoopLayer) -> None:
        super().__init__(url, layer)
        self._has_work = asyncio.Event()

    def _ensure_redis(self) -> None:
        if self._redis is None:
            self._redis = connect(self.host, connections=8)
        if self._pubsub is None:
            self._pubsub = self._redis.pubsub()

    async def subscribe(self, channel: str) -> None:
        try:
            await super().subscribe(channel)
        except (RedisError, OSError):
            async with self._lock:
                await self._drop()
            raise
        self._has_work.set()

    async def flush(self) -> None:
        async with self._lock:
            await self._drop()
        await super().flush()

    async def _do_receiving(self) -> None:
        """Until cancelled."""
        is_broken = False
        while True:
            try:
                if is_broken:
                    await self._subscribe_anew()
                    log.warning("the lobby hears from Redis again")
                    is_broken = False
                await self._read()
            except Exception as error:  # whatever it is, the next subscription is a new one
                if not is_broken:
                    log.warning("the lobby does not hear from Redis: %s", error)
                is_broken = True
                await asyncio.sleep(_AGAIN_AFTER_S)

    async def _read(self) -> None:
        """Hand on what is heard, until the subscription breaks."""
        is_tested = False
        while True:
            pubsub = self._pubsub
            if pubsub is None or not pubsub.subscribed:
                self._has_work.clear()
                await self._has_work.wait()
                continue
            message = await pubsub.get_message(timeout=_LISTEN_S)
            if message is not None:
                is_tested = False
                if message["type"] == "message":
                    self._receive_message(message)
            elif is_tested:
                raise ConnectionError("no answer to a ping")
            else:
                is_tested = True
                await pubsub.ping()

    async def _subscribe_anew(self) -> None:
        async with self._lock:
            await self._drop()
            self._ensure_redis()
            if self._pubsub is not None and self._subscribed_to:
                await self._pubsub.subscribe(*self._subscribed_to)

    async def _drop(self) -> None:
        pubsub, self._pubsub = self._pubsub, None
        if pubsub is not None:
            with contextlib.suppress(RedisError, OSError):
                await pubsub.aclose()  # type: ignore[no-untyped-call]
