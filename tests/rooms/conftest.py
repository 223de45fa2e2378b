"""A real Redis for the tests of rooms: one for all, and one of its own to ill-treat."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from redis import Redis

from game.rooms.process import Process
from tests.rooms.own_redis import OwnRedis
from tests.rooms.staging import FakeTime

MakeProcess = Callable[[str], Awaitable[Process]]


@pytest.fixture(scope="session")
def shared_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnRedis]:
    server = OwnRedis(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def redis_url(shared_redis: OwnRedis) -> str:
    """An empty Redis."""
    Redis.from_url(shared_redis.url).flushall()
    return shared_redis.url


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[OwnRedis]:
    """A Redis that a test may stop, kill and start again."""
    server = OwnRedis(tmp_path)
    server.start()
    yield server
    server.kill()


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
        await process.pulse.beat()
        made.append(process)
        return process

    yield make
    for process in made:
        await process.stop()
