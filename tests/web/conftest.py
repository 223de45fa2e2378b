"""A running site that the tests of a module share; they stop none of its processes."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.processes import RedisServer, Site
from tests.web.players import Client, NewClient
from tests.web.site import Served, serve


@pytest.fixture(scope="module")
def served(migrated_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One Redis, two web servers, one worker."""
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        redis = RedisServer(Path(directory))
        site = Site(redis, tmp_path_factory.mktemp("site"), migrated_database)
        try:
            redis.start()
            yield serve(site, daphnes=2, workers=1)
        finally:
            site.stop()
            redis.kill()


@pytest.fixture
async def new_client() -> AsyncIterator[NewClient]:
    """Makes clients, and cuts their connections at the end."""
    made: list[Client] = []

    def make(url: str, cookie: str = "", **details: Any) -> Client:
        made.append(Client(url, cookie=cookie, **details))
        return made[-1]

    yield make
    for client in made:
        await client.cut()
