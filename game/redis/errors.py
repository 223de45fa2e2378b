"""The errors of Redis, for packages that do not import redis-py."""

from __future__ import annotations

from redis.exceptions import NoScriptError, RedisClusterException, RedisError

__all__ = ["FAILURES", "NoScriptError", "RedisError"]

FAILURES = (RedisError, RedisClusterException, OSError)
"""Everything that a client raises when Redis cannot be reached or refuses a command."""
