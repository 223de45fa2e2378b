"""A running site to attack, and a table on it with four players."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from game.tables.room import TableId
from tests.kit.processes import RedisServer, Site
from tests.web.site import RunningSite, SignedPerson, serve
from tests.web.tables import AT_ONCE, open_table

PATIENT = replace(AT_ONCE, base_ms=24 * 3_600_000)
"""The player on turn never answers, and the table must not change by itself meanwhile."""


@dataclass(frozen=True)
class TargetTable:
    """The attacked table and the site that serves it."""

    running_site: RunningSite
    table_id: TableId
    people: list[SignedPerson]

    @property
    def url(self) -> str:
        return self.running_site.socket_url(self.table_id)


@pytest.fixture(scope="package")
def target(
    migrated_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TargetTable]:
    """Yield a table with long time limits, on a site with one Redis, one web server and one
    worker."""
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        redis = RedisServer(Path(directory))
        site = Site(redis, tmp_path_factory.mktemp("site"), migrated_database)
        site.env["SOCKETS_PER_ADDRESS"] = "0"
        try:
            redis.start()
            running_site = serve(site)
            people = running_site.sign_in("Anna", "Bruno", "Chika", "Dora")
            table_id = asyncio.run(open_table(redis.url, people, PATIENT))
            yield TargetTable(running_site, table_id, people)
        finally:
            site.stop()
            redis.kill()
