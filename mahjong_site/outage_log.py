"""Shortens and limits the log lines of an outage of the database or of Redis.

The filter belongs to the log's handler, so that lines of every logger pass it. During an outage all
tracebacks say the same as their last lines, and a busy site would write thousands of them.
"""

from __future__ import annotations

import time
from logging import WARNING, Filter, LogRecord
from threading import Lock
from typing import Final

from django.db import DatabaseError, InterfaceError

from game.identity.seat_proofs import ProofsUnavailable
from game.redis.errors import OUTAGES
from game.tables import database
from game.tables.errors import TablesUnavailable, TableUnreadable
from lobby.accounts.rate_limits import LimitsUnavailable

ONE_LINE_EVERY_S: Final = 1.0
_KILLED_MESSAGE: Final = (
    "Application instance %r for connection %s took too long to shut down and was killed."
)
"""Daphne's line for each connection that was closed while its request waited, as for a database
that does not answer. It holds the whole state of the request."""


class OutageFilter(Filter):
    """Shortens each warning or error of an outage to one line, and lets one a second pass. The next
    one says how many were left out. Other lines pass unchanged."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = Lock()
        self._written_at = float("-inf")
        self._left_out = 0

    def filter(self, record: LogRecord) -> bool:
        if record.levelno < WARNING:
            return True
        is_of_outage = _shorten(record)
        with self._lock:
            now = time.monotonic()
            if is_of_outage and now - self._written_at < ONE_LINE_EVERY_S:
                self._left_out += 1
                return False
            if is_of_outage or record.name == database.__name__:
                self._written_at = now
            if self._left_out:
                record.msg = f"{record.msg} [{self._left_out} lines of an outage were left out]"
                self._left_out = 0
        return True


def is_outage(error: BaseException) -> bool:
    """Return whether the error or one of its causes means that the database or Redis cannot be
    used."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, TableUnreadable):
        if isinstance(cause, (TablesUnavailable, LimitsUnavailable, ProofsUnavailable, *OUTAGES)):
            return True
        if isinstance(cause, (DatabaseError, InterfaceError)):
            return database.is_database_unavailable(cause)
        cause = cause.__cause__
    return False


def _shorten(record: LogRecord) -> bool:
    """Return whether the record is about an outage. If so, shorten it to one line: no traceback,
    and only the first line of each text."""
    if record.msg == _KILLED_MESSAGE:
        record.msg, record.args = "Daphne ended requests that waited too long", ()
        return True
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and is_outage(error):
        text = _first_line(record.getMessage())
        reason = f"{type(error).__name__}: {_first_line(str(error))}"
        record.msg, record.args = "%s: %s", (text, reason)
        record.exc_info = record.exc_text = None
        return True
    args = record.args if isinstance(record.args, tuple) else ()
    return any(isinstance(arg, BaseException) and is_outage(arg) for arg in args)


def _first_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[0]
