"""Django's cache in the site's Redis, for numbers and short texts that all processes share.

Values are stored as JSON, in which Redis can count. Every error of Redis is raised as an `OSError`,
so that callers need not know redis-py.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import RedisClusterException, RedisError

from game.redis.blocking_clients import shared_client

Timeout = int | object
"""Seconds from now; `DEFAULT_TIMEOUT` means the one in the settings."""
_INCREMENT_SCRIPT: Final = """
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
return redis.call('INCRBY', KEYS[1], ARGV[1])
"""
"""Both commands are one script: if the number expired between them, a new number would never
expire."""


class Cache(BaseCache):
    """The backend for `CACHES`: those methods that the site uses, for whole numbers and texts. Each
    command has one key, as a cluster requires."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._server = server

    def add(
        self,
        key: str,
        value: int | str,
        timeout: Timeout = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> bool:
        added = self._call_with_key(
            "SET",
            key,
            version,
            msgspec.json.encode(value),
            "EX",
            self._timeout_seconds(timeout),
            "NX",
        )
        return added is not None

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        found = self._call_with_key("GET", key, version)
        return default if found is None else msgspec.json.decode(found)

    def set(
        self,
        key: str,
        value: int | str,
        timeout: Timeout = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> None:
        self._call_with_key(
            "SET", key, version, msgspec.json.encode(value), "EX", self._timeout_seconds(timeout)
        )

    def touch(
        self, key: str, timeout: Timeout = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        return bool(self._call_with_key("EXPIRE", key, version, self._timeout_seconds(timeout)))

    def delete(self, key: str, version: int | None = None) -> bool:
        return bool(self._call_with_key("DEL", key, version))

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add `delta` to the stored number and return the sum. Raises ValueError if no number is
        stored."""
        number = self._execute("EVAL", _INCREMENT_SCRIPT, 1, self._full_key(key, version), delta)
        if number is None:
            raise ValueError(f"the cache has no number {key!r}")
        return int(number)

    def _timeout_seconds(self, timeout: Timeout) -> Any:
        return self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout

    def _call_with_key(self, name: str, key: str, version: int | None, *rest: Any) -> Any:
        return self._execute(name, self._full_key(key, version), *rest)

    def _full_key(self, key: str, version: int | None) -> str:
        full_key: str = self.make_and_validate_key(key, version=version)
        return full_key

    def _execute(self, *command: Any) -> Any:
        try:
            client: Any = shared_client(self._server)
            return client.execute_command(*command)
        except NoConnection as error:
            raise ConnectionError(str(error)) from error
        except (RedisError, RedisClusterException) as error:
            raise OSError(str(error)) from error
