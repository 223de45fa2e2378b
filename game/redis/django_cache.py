"""Django's cache in the site's Redis, for counters that all processes share.

Every error of Redis is raised as an `OSError`, so that callers need not know redis-py.
"""

from __future__ import annotations

from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import RedisClusterException, RedisError

from game.redis.blocking_clients import shared_client


class _Client(RedisCacheClient):
    """The commands that the site uses. Each has one key, as a cluster requires."""

    _servers: list[str]

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        return shared_client(self._servers[0])

    def add(self, *args: Any) -> Any:
        return _call(super().add, *args)

    def get(self, *args: Any) -> Any:
        return _call(super().get, *args)

    def set(self, *args: Any) -> Any:
        return _call(super().set, *args)

    def incr(self, *args: Any) -> Any:
        return _call(super().incr, *args)

    def delete(self, *args: Any) -> Any:
        return _call(super().delete, *args)

    def touch(self, *args: Any) -> Any:
        return _call(super().touch, *args)


class Cache(RedisCache):
    """The back end for `CACHES`."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__([server], params)  # Django would split the address at commas
        self._class = _Client


def _call(command: Any, *args: Any) -> Any:
    try:
        return command(*args)
    except NoConnection as error:
        raise ConnectionError(str(error)) from error
    except (RedisError, RedisClusterException) as error:
        raise OSError(str(error)) from error
