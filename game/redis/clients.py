"""Makes asynchronous clients of one server, of a master named by sentinels, or of a cluster.

A client never repeats a command whose outcome is unknown: it raises the error instead.
"""

from __future__ import annotations

from typing import Any, Final, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff

from game.redis.addresses import Address, parse_address
from game.redis.cluster import Cluster

__all__ = ["ANSWER_WITHIN_S", "PubSub", "Redis", "connect"]

ANSWER_WITHIN_S: Final = 3.0
"""If a reply takes longer, Redis counts as unavailable."""
_SENTINEL_ANSWERS_WITHIN_S: Final = 1.0


def connect(url: str, *, connections: int = 16) -> Redis:
    """Return a client with at most `connections` connections to each server. Raises AddressError.

    A command without a reply after `ANSWER_WITHIN_S` raises an error.
    """
    address = parse_address(url)
    if address.kind == "cluster":
        cluster = Cluster(  # type: ignore[abstract]  # see `Cluster.pipeline`
            address, lambda node: _client_of_server(node, connections)
        )
        return cast(Redis, cluster)
    if address.kind == "sentinel":
        return _client_of_sentinels(address, connections)
    return _client_of_server(url, connections)


def _client_of_server(url: str, connections: int) -> Redis:
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=connections,
        timeout=ANSWER_WITHIN_S,
        **_time_limits(ANSWER_WITHIN_S),
    )
    return Redis.from_pool(pool)


class _Pool(SentinelConnectionPool, BlockingConnectionPool):
    """Connections to the current master. A task waits while all of them are in use."""

    async def disconnect(self, inuse_connections: bool = True) -> None:
        """Close the unused connections; with `inuse_connections`, also those in use and those to
        the sentinels. After a change of masters redis-py passes False."""
        await super().disconnect(inuse_connections)
        if inuse_connections:
            for sentinel in self.sentinel_manager.sentinels:
                await sentinel.aclose()


def _client_of_sentinels(address: Address, connections: int) -> Redis:
    own = address.sentinel_options() | _time_limits(_SENTINEL_ANSWERS_WITHIN_S)
    sentinels = Sentinel(list(address.nodes), sentinel_kwargs=own)  # type: ignore[no-untyped-call]
    pool = _Pool(
        address.service,
        sentinels,
        max_connections=connections,
        timeout=ANSWER_WITHIN_S,
        ssl=address.is_secure,
        **address.connection_options(),
        **_time_limits(ANSWER_WITHIN_S),
    )  # type: ignore[no-untyped-call]
    return Redis.from_pool(pool)


def _time_limits(seconds: float) -> dict[str, Any]:
    return {
        "socket_timeout": seconds,
        "socket_connect_timeout": seconds,
        "retry": Retry(NoBackoff(), 0),
    }
