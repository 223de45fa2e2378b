"""The Redis and the database of a benchmark."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dj_database_url
from django.db import connections

from tests.kit.processes import RedisServer


def use_database(url: str) -> None:
    """Let Django use that database, SQLite with the options of the site."""
    options = dj_database_url.parse(url)
    if "sqlite" in options["ENGINE"]:
        pragmas = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
        options["OPTIONS"] = {"transaction_mode": "IMMEDIATE", "init_command": pragmas}
    connections.close_all()
    connections.settings = connections.configure_settings({"default": dict(options)})
    del connections["default"]


@contextmanager
def own_redis() -> Iterator[RedisServer]:
    """Start a private empty Redis server, and end it afterwards."""
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        server = RedisServer(Path(directory))
        server.start()
        try:
            yield server
        finally:
            server.kill()
