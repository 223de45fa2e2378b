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

__all__ = ["FAILURES", "OUTAGES", "NoScriptError", "ProcessLate", "RedisError"]

FAILURES = (RedisError, RedisClusterException, OSError)
"""Everything that a client raises when Redis cannot be reached or refuses a command."""

OUTAGES = (ConnectionError, TimeoutError, ReadOnlyError, ClusterDownError, RedisClusterException)
"""The failures that show that Redis cannot be used at the moment."""


class ProcessLate(TimeoutError):
    """No reply was read in time, because this process was late and not Redis: it was busy, or other
    programs used the processors."""

    def __init__(self, late_s: float) -> None:
        super().__init__(f"this process could not run for {late_s:.1f} s while it waited for Redis")
