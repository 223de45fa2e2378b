"""The backend of the lobby over a real Redis, with a clock that the test moves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count
from typing import Any

import pytest
import pytest_asyncio

from game.live.process import close_current
from lobby.play.backend import Backend
from tests.lobby.backends import NewBackend
from tests.tables.conftest import make_process, redis_url, shared_redis, time
from tests.tables.staging import MakeProcess

__all__ = ["make_process", "redis_url", "shared_redis", "time"]


@pytest.fixture
def new_backend(make_process: MakeProcess) -> NewBackend:
    numbers = count()

    async def make() -> Backend:
        return Backend(await make_process(f"p{next(numbers)}"))

    return make


@pytest_asyncio.fixture
async def backend(new_backend: NewBackend) -> Backend:
    """Return the backend of the first process."""
    return await new_backend()


@pytest_asyncio.fixture
async def pages(redis_url: str, settings: Any) -> AsyncIterator[None]:
    """Let views and sockets of this process reach the same Redis, at the real time."""
    settings.REDIS_URL = redis_url
    yield
    await close_current()
