"""A subscription to channels of Redis, which sends itself messages to test whether it still works.

In a cluster those messages are published at other nodes, so that they also show whether the node of
the subscription still belongs to the cluster. A removed node answers, but receives no messages.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.client import PubSub

from game.redis.cancellation import cancel_and_wait
from game.redis.cluster import Cluster
from game.redis.errors import FAILURES

BEAT_EVERY_S: Final = 0.25
SILENT_AFTER_S: Final = 0.75
"""A subscription without a message for this time counts as broken."""
_MIN_SILENT_READS: Final = 3
"""A subscription counts as broken only after this many reads without a message: after a stall of
this process, messages may be unread."""
_OPENED_WITHIN_S: Final = 1.0


class Subscription:
    """A subscription with one connection at a time. After `read` has raised, the caller opens it
    again with `open`."""

    def __init__(self, redis: Redis, own_channel: str) -> None:
        self._redis = redis
        self._own_channel = own_channel
        self._last: PubSub | None = None
        self._received_at = time.monotonic()

    @property
    def age_s(self) -> float:
        """Seconds since the last message came."""
        return time.monotonic() - self._received_at

    async def open(self, *channels: str) -> PubSub:
        """Subscribe to these channels (in a cluster, at another node than before) and return the
        connection. Raises RedisError and OSError."""
        async with asyncio.timeout(_OPENED_WITHIN_S):
            if self._last is not None and isinstance(self._redis, Cluster):
                pubsub = await self._redis.pubsub_elsewhere(self._last)
            else:
                pubsub = self._redis.pubsub()
            self._last = pubsub
            try:
                await pubsub.subscribe(self._own_channel, *channels)
            except BaseException:
                await asyncio.shield(self.close(pubsub))  # otherwise its connection stays in use
                raise
        return pubsub

    async def read(self, pubsub: PubSub, handle: Callable[[Any], Awaitable[None]]) -> None:
        """Call `handle` with each message (a dict of redis-py) until the connection breaks or goes
        silent. Raises RedisError and OSError."""
        beats = asyncio.create_task(self._beat(pubsub), name="subscription")
        try:
            received_at, reads = time.monotonic(), 0
            while True:
                message = await pubsub.get_message(timeout=BEAT_EVERY_S)
                reads += 1
                now = time.monotonic()
                if message is not None and message["type"] == "message":
                    self._received_at, received_at, reads = now, now, 0
                elif reads >= _MIN_SILENT_READS and now - received_at >= SILENT_AFTER_S:
                    raise ConnectionError(f"no message for {SILENT_AFTER_S * 1000:.0f} ms")
                if message is not None:
                    await handle(message)
        finally:
            await cancel_and_wait([beats])

    async def close(self, pubsub: PubSub) -> None:
        """Close that connection."""
        with contextlib.suppress(*FAILURES):
            await pubsub.aclose()  # type: ignore[no-untyped-call]

    async def _beat(self, pubsub: PubSub) -> None:
        while True:
            next_at = time.monotonic() + BEAT_EVERY_S
            with contextlib.suppress(*FAILURES):
                async with asyncio.timeout(BEAT_EVERY_S):
                    if isinstance(self._redis, Cluster):
                        await self._redis.publish_to(pubsub, self._own_channel)
                    else:
                        await self._redis.publish(self._own_channel, b"")
            await asyncio.sleep(max(0.0, next_at - time.monotonic()))
