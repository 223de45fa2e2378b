"""The lobby over a real Redis, with a clock that the test moves."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from redis import Redis

from game.live.process import Process, close_current
from lobby.matchmaking.backend import Backend
from tests.kit.processes import RedisServer
from tests.tables.staging import FakeTime

NewBackend = Callable[[], Awaitable[Backend]]


@pytest.fixture(scope="session")
def lobby_redis() -> Iterator[RedisServer]:
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        server = RedisServer(Path(directory))
        server.start()
        yield server
        server.kill()


@pytest.fixture
def redis_url(lobby_redis: RedisServer) -> str:
    """An empty Redis."""
    Redis.from_url(lobby_redis.url).flushall()
    return lobby_redis.url


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest_asyncio.fixture
async def new_backend(redis_url: str, time: FakeTime) -> AsyncIterator[NewBackend]:
    """Makes the house as other processes see it."""
    made: list[Process] = []

    async def make() -> Backend:
        process = Process(redis_url, now_ms=time, name=f"p{len(made)}")
        await process.heartbeat.beat()
        made.append(process)
        return Backend(process)

    yield make
    for process in made:
        await process.stop()


@pytest_asyncio.fixture
async def backend(new_backend: NewBackend) -> Backend:
    """The house as one process sees it."""
    return await new_backend()


@pytest_asyncio.fixture
async def pages(redis_url: str, settings: Any) -> AsyncIterator[None]:
    """Views and sockets of this process reach the same Redis, at the real time."""
    settings.REDIS_URL = redis_url
    yield
    await close_current()
