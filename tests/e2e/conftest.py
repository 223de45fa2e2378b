"""One site and one Chromium for all the tests of a module: starting them takes longer than
most of the tests."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.kit import processes
from tools import system

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

QUICK_PACE = "0.2"
"""Pauses and the thinking of bots take this part of their time."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser; each test opens its own contexts."""
    program = system.find(system.CHROMIUM)
    if program is None:
        pytest.fail(system.CHROMIUM.advice)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(migrated_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a site that plays at a quick pace answers."""
    # Not below pytest's own directories: their names are too long for a unix socket.
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        redis = processes.RedisServer(Path(directory))
        redis.start()
        site = processes.Site(redis, tmp_path_factory.mktemp("site"), migrated_database)
        try:
            site.env["TABLE_PACE"] = QUICK_PACE
            served = site.daphne()
            site.worker()
            yield served.url
        finally:
            site.stop()
            redis.kill()
