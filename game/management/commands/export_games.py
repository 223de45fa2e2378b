"""`manage.py export_games FILE`: write the records of a person's games, or of all, to a zip."""

from __future__ import annotations

import os
import sys
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import IO, Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.models import Player
from game.operations.game_export import export_games, games_to_export
from game.records.formats import FORMATS


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Writes the records of a person's games, or of all games, into one zip file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a new file, or - for standard output")
        parser.add_argument("--person", default="", help="the id or the present name of a player")
        parser.add_argument("--since", type=date.fromisoformat, help="the first day, as 2026-01-31")
        parser.add_argument("--until", type=date.fromisoformat, help="the day after the last")
        parser.add_argument(
            "--format",
            action="append",
            choices=list(FORMATS),
            dest="formats",
            help="may be given several times; mjlog without it",
        )

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        games = games_to_export(
            person=_find_person(options["person"]) if options["person"] else None,
            since=_start_of(options["since"]),
            until=_start_of(options["until"]),
        )
        total = games.count()
        formats = options["formats"] or ["mjlog"]

        def show(done: int) -> None:
            if self.stderr.isatty() and (done % 20 == 0 or done == total):
                bar = "#" * (40 * done // total)
                end = "\n" if done == total else ""
                self.stderr.write(f"\r[{bar:<40}] {done:,} of {total:,} games{end}", ending="")

        if file == "-":
            export_games(games, sys.stdout.buffer, formats, show)
            return
        with _new_file(Path(file)) as out:
            done, files = export_games(games, out, formats, show)
        self.stdout.write(f"{done} games with {files} records are in {file}.")


def _new_file(path: Path) -> IO[bytes]:
    """Open a new file that only its owner can read, because it contains private games too."""
    try:
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None


def _find_person(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        found = list(Player.objects.filter(name=text).values_list("pk", flat=True)[:2])
    if len(found) != 1:
        many = "several players have" if found else "no player has"
        raise CommandError(f"{many} the name {text!r}")
    return found[0]


def _start_of(day: date | None) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), UTC)
