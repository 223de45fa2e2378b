"""A running site that the tests of bots share, and bot accounts there."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bot_socket.bot_client import Bot, register_bots
from tests.kit.processes import RedisServer, Site
from tests.web.site import RunningSite, serve

_LETTERS = "abcdefghjkmnpqrstuxyz"
"""Letters of bot names; no two look alike."""
_NAMES = tuple(f"{name}{letter}" for name in ("Manue", "Trio") for letter in _LETTERS)
FIRST_OF_THREE = len(_LETTERS)
"""The place in `all_bots` of the first bots that play at tables of three."""


@pytest.fixture(scope="package")
def running_site(
    migrated_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningSite]:
    """Yield a site with one Redis, two web servers and one worker."""
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        redis = RedisServer(Path(directory))
        site = Site(redis, tmp_path_factory.mktemp("site"), migrated_database)
        site.env["BOTS_PER_ACCOUNT"] = str(len(_NAMES))
        try:
            redis.start()
            yield serve(site, daphnes=2, workers=1)
        finally:
            site.stop()
            redis.kill()


@pytest.fixture(scope="package")
def all_bots(running_site: RunningSite) -> list[Bot]:
    """Return bots of one owner. Each module takes some of them."""
    return register_bots(running_site, "Owner", *_NAMES)
