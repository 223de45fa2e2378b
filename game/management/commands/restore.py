"""`manage.py restore DIRECTORY`: put a backup into an empty site that does not run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.management.commands.tables import parse_minutes, parse_notice
from mahjong_site.backup import BackupError, restore_backup

NOTICE: Final = (
    "This game was restored from a backup. The hand that was being played is dealt again, and "
    "the game is not rated."
)


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Puts a backup into the empty Redis and the empty database of a site that does not run."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path, metavar="DIRECTORY")
        parser.add_argument(
            "--without-tables", action="store_true", help="leave running tables out"
        )
        parser.add_argument(
            "--minutes",
            type=parse_minutes,
            default=30,
            help="how long the clocks of restored tables stop; 30 by default",
        )
        parser.add_argument(
            "--notice", type=parse_notice, default=NOTICE, help="text for the players"
        )

    def handle(self, *args: Any, directory: Path, **options: Any) -> None:
        os.umask(0o077)
        try:
            done = restore_backup(
                directory,
                hold_minutes=options["minutes"],
                notice=options["notice"],
                without_tables=options["without_tables"],
            )
        except BackupError as error:
            raise CommandError(str(error)) from None
        lines = [f"The database and {done.running} running tables are restored."]
        if done.archived:
            lines.append(f"{done.archived} games had ended and are in the database.")
        if done.left_out:
            lines.append(f"{done.left_out} running tables were left out.")
        if done.running:
            lines.append(
                f"Their clocks stop for {options['minutes']} minutes. Start the site, and let "
                "them run with: manage.py tables resume"
            )
        self.stdout.write("\n".join(lines))
