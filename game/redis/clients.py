"""Connections to Redis, whatever stands behind its address, that give up instead of repeating
a command whose outcome is unknown."""

from __future__ import annotations

from typing import Any, Final, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff

from game.redis.addresses import Address, address_of
from game.redis.cluster import Cluster
from game.redis.connection import ANSWER_WITHIN_S

_SENTINEL_WITHIN_S: Final = 1.0


def connect(url: str, *, connections: int = 16) -> Redis:
    """A client with up to so many connections at each server. Raises AddressError."""
    address = address_of(url)
    if address.kind == "cluster":
        cluster = Cluster(address, lambda node: _at_one(node, connections))
        return cast(Redis, cluster)
    if address.kind == "sentinel":
        return _by_sentinels(address, connections)
    return _at_one(url, connections)


def _at_one(url: str, connections: int) -> Redis:
    pool = BlockingConnectionPool.from_url(
        url, max_connections=connections, timeout=ANSWER_WITHIN_S, **_patience(ANSWER_WITHIN_S)
    )
    return Redis.from_pool(pool)


class _Pool(SentinelConnectionPool, BlockingConnectionPool):
    """Connections to whichever server is master; who asks for one too many waits."""

    async def disconnect(self, inuse_connections: bool = True) -> None:
        """All of them at the end, and then those to the sentinels as well; at a change of
        masters only those that nobody uses."""
        await super().disconnect(inuse_connections)
        if inuse_connections:
            for sentinel in self.sentinel_manager.sentinels:
                await sentinel.aclose()


def _by_sentinels(address: Address, connections: int) -> Redis:
    name, password = address.sentinel_login
    own: dict[str, Any] = {"username": name or None, "password": password or None}
    if address.is_secure:
        own |= {one: value for one, value in address.details().items() if one.startswith("ssl_")}
        own["ssl"] = True
    sentinels = Sentinel(list(address.nodes), sentinel_kwargs=own | _patience(_SENTINEL_WITHIN_S))  # type: ignore[no-untyped-call]
    pool = _Pool(
        address.service,
        sentinels,
        max_connections=connections,
        timeout=ANSWER_WITHIN_S,
        ssl=address.is_secure,
        **address.details(),
        **_patience(ANSWER_WITHIN_S),
    )  # type: ignore[no-untyped-call]
    return Redis.from_pool(pool)


def _patience(seconds: float) -> dict[str, Any]:
    return {
        "socket_timeout": seconds,
        "socket_connect_timeout": seconds,
        "retry": Retry(NoBackoff(), 0),
    }
