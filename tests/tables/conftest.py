"""A real Redis for the tests of rooms, shared; `redis_server` is one to ill-treat."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from redis import Redis

from game.live.process import Process
from tests.kit.processes import RedisServer
from tests.tables.staging import FakeTime

MakeProcess = Callable[[str], Awaitable[Process]]


@pytest.fixture(scope="session")
def shared_redis() -> Iterator[RedisServer]:
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        server = RedisServer(Path(directory))
        server.start()
        yield server
        server.kill()


@pytest.fixture
def redis_url(shared_redis: RedisServer) -> str:
    """An empty Redis."""
    Redis.from_url(shared_redis.url).flushall()
    return shared_redis.url


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest_asyncio.fixture
async def make_process(redis_url: str, time: FakeTime) -> AsyncIterator[MakeProcess]:
    """Makes server processes, as far as tables are concerned, that share the fake time.

    They beat only when a test says so.
    """
    made: list[Process] = []

    async def make(name: str) -> Process:
        process = Process(redis_url, now_ms=time, name=name)
        await process.heartbeat.beat()
        made.append(process)
        return process

    yield make
    for process in made:
        await process.stop()
