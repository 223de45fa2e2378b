"""A running site that the tests of this folder share; they stop none of its processes."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from tests.kit.processes import RedisServer, Site
from tests.web.players import Client, NewClient
from tests.web.site import RunningSite, serve

_OF_PROCESSES = (b"heartbeat:", b"receiving")
"""The keys in Redis by which the processes of the site know each other."""


@pytest.fixture(scope="package")
def shared_site(
    migrated_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningSite]:
    """Yield a site with one Redis, two web servers and one worker."""
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        redis = RedisServer(Path(directory))
        site = Site(redis, tmp_path_factory.mktemp("site"), migrated_database)
        try:
            redis.start()
            yield serve(site, daphnes=2, workers=1)
        finally:
            site.stop()
            redis.kill()


@pytest.fixture(scope="module")
def running_site(shared_site: RunningSite) -> RunningSite:
    """Return the shared site without tables and used limits of the module before, whose tables
    would go on."""
    with Redis.from_url(shared_site.redis.url) as redis:
        for key in redis.scan_iter(count=1_000):
            if not key.startswith(_OF_PROCESSES):
                redis.delete(key)
    return shared_site


@pytest.fixture
async def new_client() -> AsyncIterator[NewClient]:
    """Yield a function that makes clients; cut their connections at the end."""
    made: list[Client] = []

    def make(url: str, cookie: str = "", **details: Any) -> Client:
        made.append(Client(url, cookie=cookie, **details))
        return made[-1]

    yield make
    for client in made:
        await client.cut()
