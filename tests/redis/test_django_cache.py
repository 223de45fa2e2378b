"""Django's cache works on a real Redis."""

from __future__ import annotations

from typing import Any

import pytest
import redis

from game.redis.django_cache import Cache
from tests.kit.processes import RedisServer


def test_number_is_added_once_incremented_extended_and_deleted(redis_server: RedisServer) -> None:
    cache = Cache(redis_server.url, {"TIMEOUT": 60})
    server: Any = redis.Redis.from_url(redis_server.url)
    assert cache.add("tries", 0, timeout=9)
    assert not cache.add("tries", 5)
    assert (cache.incr("tries"), cache.incr("tries", 2), cache.get("tries")) == (1, 3, 3)
    assert 0 < server.ttl(":1:tries") <= 9
    assert cache.touch("tries")
    assert 9 < server.ttl(":1:tries") <= 60
    assert cache.delete("tries")
    assert (cache.get("tries"), cache.get("tries", 7), cache.touch("tries")) == (None, 7, False)
    assert not cache.delete("tries")


def test_text_comes_back_as_it_was_set(redis_server: RedisServer) -> None:
    cache = Cache(redis_server.url, {"TIMEOUT": 60})
    for text in ("aB3_x-", "17", "Äpfel"):
        cache.set("table", text)
        assert cache.get("table") == text


def test_missing_number_cannot_be_incremented(redis_server: RedisServer) -> None:
    with pytest.raises(ValueError, match="no number 'tries'"):
        Cache(redis_server.url, {}).incr("tries")


def test_every_failure_of_redis_is_an_oserror(redis_server: RedisServer) -> None:
    cache = Cache(redis_server.url, {})
    server: Any = redis.Redis.from_url(redis_server.url)
    server.lpush(":1:tries", "x")
    with pytest.raises(OSError, match="WRONGTYPE"):
        cache.get("tries")
    redis_server.kill()
    with pytest.raises(ConnectionError):
        cache.get("tries")
