"""What can go wrong with a table that is nobody's move: the store or the table is not there."""

from __future__ import annotations


class RoomsError(Exception):
    """The table cannot be reached or used."""


class RoomsUnavailable(RoomsError):
    """Redis cannot be reached, or does not take writes. Try again shortly."""


class NoSuchTable(RoomsError):
    """No table of that id is running: never opened, or finished a while ago."""


class TableFrozen(RoomsError):
    """The table met a fault of the program and is left as it is."""
