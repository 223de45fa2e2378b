"""A broken subscription is closed, even while a test message to itself is under way."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from redis.exceptions import DataError

from game.redis.clients import connect
from game.redis.subscription import Subscription

pytestmark = pytest.mark.asyncio


async def test_reading_ends_although_a_publish_loses_its_cancellation(redis_url: str) -> None:
    redis = connect(redis_url)
    is_publishing = asyncio.Event()

    class CancellationLosingClient:
        """A client whose second publish, when cancelled, ends as if it had succeeded."""

        published = 0

        def pubsub(self) -> Any:
            return redis.pubsub()

        async def publish(self, channel: str, data: bytes) -> None:
            self.published += 1
            if self.published != 2:
                await redis.publish(channel, data)
                return
            is_publishing.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                return

    async def handle(message: Any) -> None:
        if message["type"] == "message":
            await is_publishing.wait()
            raise ConnectionError("broken")

    client: Any = CancellationLosingClient()
    subscription = Subscription(client, "own")
    pubsub = await subscription.open()
    async with asyncio.timeout(30):
        with pytest.raises(ConnectionError):
            await subscription.read(pubsub, handle)
    await subscription.close(pubsub)
    await redis.aclose()


async def test_failed_opening_gives_its_connection_back(redis_url: str) -> None:
    redis = connect(redis_url, connections=2)
    subscription = Subscription(redis, "own")
    unsendable: Any = object()
    for _ in range(3):
        with pytest.raises(DataError):
            await subscription.open(unsendable)
    await subscription.close(await subscription.open())
    await redis.aclose()
