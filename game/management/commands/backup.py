"""`manage.py backup DIRECTORY`: write running tables, the database and, if asked for, the key."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from mahjong_site.backup import BackupError, make_backup


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Writes a backup of the site, which may run meanwhile, into a new directory."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path, metavar="DIRECTORY", help="new or empty")
        parser.add_argument(
            "--with-key",
            action="store_true",
            help="copy the key in DATA_DIR too: with it, whoever has the backup can read it all",
        )

    def handle(self, *args: Any, directory: Path, with_key: bool, **options: Any) -> None:
        os.umask(0o077)
        try:
            made = make_backup(directory, with_key=with_key)
        except BackupError as error:
            raise CommandError(str(error)) from None
        key = "with the key" if with_key else "without the key: keep a copy of it elsewhere"
        self.stdout.write(
            f"The {made.database} database and {made.tables} running tables are in {directory}, "
            f"{key}."
        )
