"""A real Redis that tests of tables share; `redis_server` is one that a test may stop.

With ``TEST_REDIS=cluster`` it is a Redis Cluster of three masters, and only those tests run that
use it, without those marked `one_redis`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio

from game.live.process import Process
from game.tables import store
from tests.kit.processes import RedisServer
from tests.kit.redises import Cluster
from tests.tables.staging import FakeTime, MakeProcess, SharedRedis, masters

ON_CLUSTER: Final = os.environ.get("TEST_REDIS") == "cluster"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that would be the same on a cluster as on one Redis."""
    if not ON_CLUSTER:
        return
    chosen = {
        item
        for item in items
        if "shared_redis" in getattr(item, "fixturenames", ())
        and item.get_closest_marker("one_redis") is None
    }
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = [item for item in items if item in chosen]


@pytest.fixture(scope="package")
def shared_redis() -> Iterator[SharedRedis]:
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        server = (Cluster if ON_CLUSTER else RedisServer)(Path(directory))
        server.start()
        yield server
        server.kill()


@pytest.fixture
def redis_url(shared_redis: SharedRedis) -> str:
    """Return the address of an empty Redis."""
    for master in masters(shared_redis):
        master.flushall()
    return shared_redis.url


@pytest.fixture(autouse=ON_CLUSTER)
def _claims_wait_for_all_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a node answers later than a claim waits for it. The claim then lacks the
    tables of that node, which the next one returns."""
    monkeypatch.setattr(store, "_CLAIMED_WITHIN_S", 60)


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
