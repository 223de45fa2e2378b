"""A real Redis that tests of tables share; `redis_server` is one that a test may stop."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from redis import Redis

from game.live.process import Process
from tests.kit.processes import RedisServer
from tests.tables.staging import FakeTime, MakeProcess


@pytest.fixture(scope="session")
def shared_redis() -> Iterator[RedisServer]:
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        server = RedisServer(Path(directory))
        server.start()
        yield server
        server.kill()


@pytest.fixture
def redis_url(shared_redis: RedisServer) -> str:
    """Return the address of an empty Redis."""
    Redis.from_url(shared_redis.url).flushall()
    return shared_redis.url


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest_asyncio.fixture
async def make_process(redis_url: str, time: FakeTime) -> AsyncIterator[MakeProcess]:
    """Make the objects of a server process; its heartbeat is renewed only by the test."""
    made: list[Process] = []

    async def make(name: str) -> Process:
        process = Process(redis_url, now_ms=time, name=name)
        await process.heartbeat.beat()
        made.append(process)
        return process

    yield make
    for process in made:
        await process.stop()
