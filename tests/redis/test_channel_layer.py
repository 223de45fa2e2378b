"""The channel layer of the lobby carries messages between processes."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from redis.exceptions import RedisError

from game.redis.channel_layer import ChannelLayer
from tests.kit.processes import RedisServer

pytestmark = pytest.mark.asyncio
MESSAGE = {"type": "page.update"}


async def join_group(layer: ChannelLayer, group: str) -> str:
    channel: str = await layer.new_channel()
    await layer.group_add(group, channel)
    return channel


async def test_message_reaches_the_group_in_every_process_and_no_other(redis_url: str) -> None:
    first, second = ChannelLayer(url=redis_url), ChannelLayer(url=redis_url)
    members = [(layer, await join_group(layer, "lobby")) for layer in (first, second)]
    other = await join_group(second, "person.1")
    await first.group_send("lobby", MESSAGE)
    async with asyncio.timeout(30):
        for layer, channel in members:
            assert await layer.receive(channel) == MESSAGE
    await first.group_send("person.1", MESSAGE | {"n": 2})
    async with asyncio.timeout(30):
        assert await second.receive(other) == MESSAGE | {"n": 2}
    await first.flush()
    await second.flush()


async def test_member_that_left_gets_nothing(redis_url: str) -> None:
    layer = ChannelLayer(url=redis_url)
    left, stays = await join_group(layer, "lobby"), await join_group(layer, "lobby")
    await layer.group_discard("lobby", left)
    await layer.group_send("lobby", MESSAGE)
    async with asyncio.timeout(30):
        assert await layer.receive(stays) == MESSAGE
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await layer.receive(left)
    await layer.flush()


async def test_messages_arrive_again_after_redis_was_restarted(redis_server: RedisServer) -> None:
    layer = ChannelLayer(url=redis_server.url)
    channel = await join_group(layer, "lobby")
    redis_server.kill()
    redis_server.start()
    received = asyncio.create_task(layer.receive(channel))
    async with asyncio.timeout(30):
        while not received.done():
            with contextlib.suppress(RedisError, OSError):
                await layer.group_send("lobby", MESSAGE)
            await asyncio.wait([received], timeout=0.1)
    assert await received == MESSAGE
    await layer.flush()
