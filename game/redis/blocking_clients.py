"""Makes blocking clients of Redis, for Django's cache and for checks whether Redis answers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.retry import Retry
from redis.sentinel import Sentinel

from game.redis.addresses import Address, parse_address

Client = redis.Redis | RedisCluster

_SHARED_WITHIN_S = 3.0


def client(url: str, *, within_s: float) -> Client:
    """Return a new client. It waits at most `within_s` seconds and never repeats a command.

    Raises AddressError, and for a cluster RedisError if no node answers.
    """
    address = parse_address(url)
    limits: dict[str, Any] = {"socket_timeout": within_s, "socket_connect_timeout": within_s}
    if address.kind == "cluster":
        return _cluster_client(address, limits)
    limits["retry"] = Retry(NoBackoff(), 0)
    if address.kind == "sentinel":
        return _master_client(address, limits)
    return redis.Redis.from_url(url, **limits)


@lru_cache
def shared_client(url: str) -> Client:
    """Return this process's client for that address. All threads share it."""
    return client(url, within_s=_SHARED_WITHIN_S)


def _cluster_client(address: Address, limits: dict[str, Any]) -> RedisCluster:
    details = address.connection_options() | limits
    details.pop("db", None)
    return RedisCluster(
        startup_nodes=[ClusterNode(*node) for node in address.nodes],  # type: ignore[no-untyped-call]
        ssl=address.is_secure,
        retry=Retry(NoBackoff(), 1),  # after the slots have been read again
        **details,
    )


def _master_client(address: Address, limits: dict[str, Any]) -> redis.Redis:
    own = address.sentinel_options() | limits
    sentinels: Any = Sentinel(list(address.nodes), sentinel_kwargs=own)  # type: ignore[no-untyped-call]
    found: redis.Redis = sentinels.master_for(
        address.service, ssl=address.is_secure, **address.connection_options(), **limits
    )
    return found
