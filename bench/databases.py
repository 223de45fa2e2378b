"""Connects Django to a database of a benchmark."""

from __future__ import annotations

import dj_database_url
from django.db import connections


def use_database(url: str) -> None:
    """Let Django use that database, SQLite with the options of the site."""
    options = dj_database_url.parse(url)
    if "sqlite" in options["ENGINE"]:
        pragmas = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
        options["OPTIONS"] = {"transaction_mode": "IMMEDIATE", "init_command": pragmas}
    connections.close_all()
    connections.settings = connections.configure_settings({"default": dict(options)})
    del connections["default"]
