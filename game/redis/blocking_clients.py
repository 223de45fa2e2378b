"""Blocking clients of Redis, whatever stands behind its address: for the cache, and for looking
whether Redis is there."""

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
    """One that reports a failure at once instead of trying again. Raises AddressError, and for
    a cluster RedisError if no node answers."""
    address = address_of(url)
    patience: dict[str, Any] = {"socket_timeout": within_s, "socket_connect_timeout": within_s}
    if address.kind == "cluster":
        return _cluster(address, patience)
    patience["retry"] = Retry(NoBackoff(), 0)
    if address.kind == "sentinel":
        return _master(address, patience)
    return redis.Redis.from_url(url, **patience)


@lru_cache
def shared_client(url: str) -> Client:
    """The one of this process for that address, for any thread."""
    return client(url, within_s=_SHARED_WITHIN_S)


def _cluster(address: Address, patience: dict[str, Any]) -> RedisCluster:
    details = address.details() | patience
    details.pop("db", None)
    return RedisCluster(
        startup_nodes=[ClusterNode(*node) for node in address.nodes],  # type: ignore[no-untyped-call]
        ssl=address.is_secure,
        retry=Retry(NoBackoff(), 1),  # with the map of the cluster read anew
        **details,
    )


def _master(address: Address, patience: dict[str, Any]) -> redis.Redis:
    details = address.details()
    name, password = address.sentinel_login
    own: dict[str, Any] = {"username": name or None, "password": password or None, **patience}
    if address.is_secure:
        own |= {one: value for one, value in details.items() if one.startswith("ssl_")}
        own["ssl"] = details["ssl"] = True
    sentinels: Any = Sentinel(  # type: ignore[no-untyped-call]
        list(address.nodes), sentinel_kwargs=own
    )
    found: redis.Redis = sentinels.master_for(address.service, **details, **patience)
    return found
