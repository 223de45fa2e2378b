"""The processes and the Redis that the tests of running tables use."""

from __future__ import annotations

from tests.tables.conftest import make_process, redis_url, shared_redis, time

__all__ = ["make_process", "redis_url", "shared_redis", "time"]
