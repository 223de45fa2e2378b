"""The errors of Redis, for packages that do not import redis-py."""

from __future__ import annotations

from redis.exceptions import (
    ClusterDownError,
    ConnectionError,
    NoScriptError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    TimeoutError,
)

__all__ = ["FAILURES", "OUTAGES", "NoScriptError", "RedisError"]

FAILURES = (RedisError, RedisClusterException, OSError)
"""Everything that a client raises when Redis cannot be reached or refuses a command."""

OUTAGES = (ConnectionError, TimeoutError, ReadOnlyError, ClusterDownError, RedisClusterException)
"""The failures that show that Redis cannot be used at the moment."""
