"""`manage.py migrate`: the only command that makes the SQLite file."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.commands import migrate


class Command(migrate.Command):
    def execute(self, *args: Any, **options: Any) -> str | None:
        """Create the SQLite file for its owner only. Connections create no file."""
        if settings.DATABASE_FILE is not None:
            with suppress(OSError):  # the connection reports it
                settings.DATABASE_FILE.touch(mode=0o600)
        return super().execute(*args, **options)
