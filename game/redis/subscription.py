"""Reads a subscription to Redis until its connection breaks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from redis.asyncio.client import PubSub

_IDLE_S: Final = 5.0
"""After so long without a message the connection is tested with a ping."""


async def read_messages(pubsub: PubSub) -> AsyncIterator[dict[str, Any]]:
    """Yield each message as redis-py gives it. Raises RedisError and OSError."""
    is_tested = False
    while True:
        message = await pubsub.get_message(timeout=_IDLE_S)
        if message is not None:
            is_tested = False
            yield message
        elif is_tested:
            raise ConnectionError("no answer to a ping")
        else:
            is_tested = True
            await pubsub.ping()
