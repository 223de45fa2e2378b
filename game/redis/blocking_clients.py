"""Makes blocking clients of Redis, for Django's cache and for checks whether Redis answers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.retry import Retry
from redis.sentinel import Sentinel

from game.redis.addresses import Address, address_of

Client = redis.Redis | RedisCluster

_SHARED_WITHIN_S = 3.0


def client(url: str, *, within_s: float) -> Client:
    """Return a client that raises an error at once instead of trying again.

    Raises AddressError, and for a cluster RedisError if no node answers.
    """
    address = address_of(url)
    limits: dict[str, Any] = {"socket_timeout": within_s, "socket_connect_timeout": within_s}
    if address.kind == "cluster":
        return _cluster(address, limits)
    limits["retry"] = Retry(NoBackoff(), 0)
    if address.kind == "sentinel":
        return _master(address, limits)
    return redis.Redis.from_url(url, **limits)


@lru_cache
def shared_client(url: str) -> Client:
    """Return the client of this process for that address. Any thread may use it."""
    return client(url, within_s=_SHARED_WITHIN_S)


def _cluster(address: Address, limits: dict[str, Any]) -> RedisCluster:
    details = address.details() | limits
    details.pop("db", None)
    return RedisCluster(
        startup_nodes=[ClusterNode(*node) for node in address.nodes],  # type: ignore[no-untyped-call]
        ssl=address.is_secure,
        retry=Retry(NoBackoff(), 1),  # after the slots have been read again
        **details,
    )


def _master(address: Address, limits: dict[str, Any]) -> redis.Redis:
    own = address.sentinel_details() | limits
    sentinels: Any = Sentinel(list(address.nodes), sentinel_kwargs=own)  # type: ignore[no-untyped-call]
    found: redis.Redis = sentinels.master_for(
        address.service, ssl=address.is_secure, **address.details(), **limits
    )
    return found
