"""Errors of the store and of tables. A refused action is not an error: see `outcomes`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from game.redis.errors import FAILURES


class TableError(Exception):
    """The table cannot be reached or used."""


class TablesUnavailable(TableError):
    """Redis cannot be reached or does not accept writes. Try again shortly."""


class DatabaseUnavailable(TablesUnavailable):
    """The database cannot be reached, is locked or does not accept writes. Try again shortly."""


class TableUnreadable(TablesUnavailable):
    """This process cannot read the stored table, for example because another version of the
    program wrote it. The table stays as it is."""


class NoNewTables(TableError):
    """The operator lets the site run empty. The text is the notice for players."""


class SiteBusy(NoNewTables):
    """The site has as many tables as it can serve. Try again in some minutes."""


class NoSuchTable(TableError):
    """No table with that id is running: it was never opened, or ended a while ago."""


@contextmanager
def reaching_redis() -> Iterator[None]:
    """Turn every error of Redis and of the connection into TablesUnavailable."""
    try:
        yield
    except FAILURES as error:
        raise TablesUnavailable(str(error) or type(error).__name__) from error
