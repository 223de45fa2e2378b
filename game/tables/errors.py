"""What can go wrong with a table that is nobody's move: the store or the table is not there."""

from __future__ import annotations


class TableError(Exception):
    """The table cannot be reached or used."""


class TablesUnavailable(TableError):
    """Redis cannot be reached, or does not take writes. Try again shortly."""


class DatabaseUnavailable(TablesUnavailable):
    """The database cannot be reached, is locked, or does not take writes. Try again shortly."""


class TableUnreadable(TablesUnavailable):
    """What is stored of the table cannot be read here, as when another version of the program
    has written it: it is left as it is, for who can."""


class NoSuchTable(TableError):
    """No table of that id is running: never opened, or finished a while ago."""
