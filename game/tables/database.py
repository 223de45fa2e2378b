"""Checks whether the database can be used: encoding, history of migrations, and writes.

Must not know what the database contains.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import DatabaseError, InterfaceError, InternalError, OperationalError

from game.tables.errors import DatabaseUnavailable

log = logging.getLogger(__name__)

_LOG_AGAIN_AFTER_S: Final = 60.0
_LOCK_WAIT_MS: Final = 1_000
"""How long `can_write` waits for another writer of an SQLite file. Readiness checks must be
quick."""
_READ_ONLY_TRANSACTION: Final = "25006"
"""PostgreSQL's error code for a write to a standby server or a read-only database."""

FIRST_MIGRATION: Final = "0001_first_release"
"""The migration of `game` and of `lobby` that makes all tables."""
LAST_COMMIT_WITH_EARLIER_MIGRATIONS: Final = "a7520348"
_LAST_EARLIER_MIGRATIONS: Final = {
    "game": "0026_one_form_of_figures",
    "lobby": "0033_late_entries",
}

_logged_at: float | None = None
"""When this process last logged that the database cannot be used; None while it can."""


@contextmanager
def reaching_database() -> Iterator[None]:
    """Turn errors of a database that cannot be used into DatabaseUnavailable, and log them at most
    once a minute. Other errors are raised unchanged."""
    try:
        yield
    except (DatabaseError, InterfaceError) as error:
        if not is_database_unavailable(error):
            raise
        raise note_database_unavailable(error) from error


def is_database_unavailable(error: BaseException) -> bool:
    """Return whether the error is temporary: the database cannot be reached, is locked for too
    long, or is read-only. Any other error is a bug."""
    if isinstance(error, InternalError):
        return getattr(error.__cause__, "sqlstate", None) == _READ_ONLY_TRANSACTION
    return isinstance(error, (OperationalError, InterfaceError))


def note_database_unavailable(error: BaseException) -> DatabaseUnavailable:
    """Log in one line that the database cannot be used, at most once a minute. Return the
    DatabaseUnavailable for the caller to raise."""
    global _logged_at
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
    now = time.monotonic()
    if _logged_at is None or now - _logged_at >= _LOG_AGAIN_AFTER_S:
        _logged_at = now
        log.warning("the database cannot be used: %s", reason)
    return DatabaseUnavailable(f"the database cannot be used: {reason}")


def note_write_success() -> None:
    """If writes had failed before, log that the database can be written again."""
    global _logged_at
    if _logged_at is not None:
        _logged_at = None
        log.warning("the database can be used again")


def can_write() -> bool:
    """Return whether the database answers and would accept a write. Writes nothing."""
    try:
        is_writable = _can_write_to_file() if connection.vendor == "sqlite" else _is_primary()
    except (DatabaseError, InterfaceError) as error:
        if not is_database_unavailable(error):
            raise
        note_database_unavailable(error)
        return False
    if is_writable:
        note_write_success()
    return is_writable


def _can_write_to_file() -> bool:
    """Write a page of an SQLite file unchanged, and roll back. The lock for writing alone proves
    nothing: SQLite grants it for some read-only files."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        (usual_ms,) = cursor.fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {_LOCK_WAIT_MS}")
        try:
            with transaction.atomic():
                cursor.execute("PRAGMA user_version")
                (number,) = cursor.fetchone()
                cursor.execute(f"PRAGMA user_version = {number}")
                transaction.set_rollback(True)
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {usual_ms}")
    return True


def _is_primary() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        return bool(cursor.fetchone() == ("off",))


def check_encoding(using: str, **_: Any) -> None:
    """Refuse a PostgreSQL database whose encoding lacks characters of names. Called before each
    migration, which is part of every start. Raises ImproperlyConfigured."""
    if connections[using].vendor != "postgresql":
        return
    with connections[using].cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        (encoding,) = cursor.fetchone()
    if encoding != "UTF8":
        raise ImproperlyConfigured(
            f"The database has the encoding {encoding}; names of people need UTF8. "
            "Create it with ENCODING 'UTF8'."
        )


def check_history(using: str = DEFAULT_DB_ALIAS, **_: Any) -> None:
    """Refuse a database from before release 0.2.0 that was not migrated to the last of the earlier
    migrations, which this release no longer contains. Called before each migration. Raises
    ImproperlyConfigured."""
    try:
        applied = set(MigrationRecorder(connections[using]).applied_migrations())
    except (DatabaseError, InterfaceError) as error:
        if not is_database_unavailable(error):
            raise
        note_database_unavailable(error)
        return
    for app, last in _LAST_EARLIER_MIGRATIONS.items():
        is_earlier = any(name == app for name, _migration in applied)
        if is_earlier and (app, last) not in applied and (app, FIRST_MIGRATION) not in applied:
            raise ImproperlyConfigured(
                "The database is from before 0.2.0. Check out the commit "
                f"{LAST_COMMIT_WITH_EARLIER_MIGRATIONS}, run `manage.py migrate` there, then "
                'update ("Updating" in docs/operations.md).'
            )


def check_history_at_start() -> None:
    """Call `check_history` in a process that starts without a migration, then close this thread's
    database connection, which nothing else uses. Raises ImproperlyConfigured."""
    check_history()
    connections.close_all()
