"""What every test may ask for by name, and what the run says at its end."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.processes import RedisServer, Site, migrated


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """A running Redis that belongs to this test alone, empty."""
    # Not below pytest's own directories: their names are too long for a unix socket.
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        server = RedisServer(Path(directory))
        server.start()
        yield server
        server.kill()


@pytest.fixture(scope="session")
def migrated_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with empty tables, to be copied."""
    return migrated(tmp_path_factory.mktemp("database"))


@pytest.fixture
def site(redis_server: RedisServer, migrated_database: Path, tmp_path: Path) -> Iterator[Site]:
    """A site without processes: the test starts as many as it wants of each."""
    made = Site(redis_server, tmp_path, migrated_database)
    yield made
    made.stop()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Repeat above the last line which checks failed before the tests began."""
    failed = os.environ.get("CHECKS_FAILED")
    if failed:
        terminalreporter.section("checks that failed before the tests", red=True, bold=True)
        terminalreporter.line(failed)
