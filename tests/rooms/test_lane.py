"""Commands that are asked for together travel together, and each gets its own reply."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from redis.exceptions import ConnectionError, ResponseError

from game.rooms.connections import connect
from game.rooms.lane import Lane
from tests.kit.processes import RedisServer

pytestmark = pytest.mark.asyncio


async def test_each_gets_its_own_reply_in_the_order_of_asking(redis_url: str) -> None:
    redis = connect(redis_url)
    lane = Lane(redis)
    replies = await asyncio.gather(*(lane.call("RPUSH", "list", n) for n in range(50)))
    assert replies == list(range(1, 51))
    assert await lane.call("LRANGE", "list", 0, -1) == [str(n).encode() for n in range(50)]
    await redis.aclose()


async def test_a_wrong_command_is_nobody_elses_concern(redis_url: str) -> None:
    redis = connect(redis_url)
    lane = Lane(redis)
    calls = (lane.call("SET", "a", 1), lane.call("LPUSH", "a", 1), lane.call("GET", "a"))
    replies: list[Any] = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(replies[1], ResponseError)
    assert replies[2] == b"1"
    await redis.aclose()


async def test_who_gives_up_waiting_keeps_nobody_from_a_reply(redis_url: str) -> None:
    redis = connect(redis_url)
    lane = Lane(redis)
    given_up = asyncio.create_task(lane.call("INCR", "n"))
    waits = asyncio.create_task(lane.call("INCR", "n"))
    await asyncio.sleep(0)
    given_up.cancel()
    assert await waits == 2
    await redis.aclose()


async def test_all_on_the_way_learn_of_a_broken_connection_and_the_next_are_served(
    redis_server: RedisServer,
) -> None:
    redis = connect(redis_server.url)
    lane = Lane(redis)
    await lane.call("SET", "a", 1)
    redis_server.kill()
    replies = await asyncio.gather(
        *(lane.call("GET", "a") for _ in range(3)), return_exceptions=True
    )
    assert all(isinstance(reply, ConnectionError) for reply in replies)
    redis_server.start()
    assert await lane.call("GET", "a") == b"1"
    await redis.aclose()
