"""`manage.py verify_wall`: check that nobody chose the walls of recorded games."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.engine.wall_proof import Receipt
from game.management.record_files import add_paths, find_records
from game.records.recorded import RecordError, UnsupportedRecord
from game.records.wall_check import check_record, read_receipt


class Command(BaseCommand):
    requires_system_checks = ()
    help = (
        "Checks records of this site, in any of their formats: whether the walls were fixed before "
        "the game as their proof says, and whether every tile comes from them. Prints what does "
        "not fit. The exit status is 0 if all records fit, 1 if one does not fit or is damaged, "
        "and 2 if none of that, but a record has no proof."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_paths(parser)
        parser.add_argument(
            "--receipt", type=Path, help="a receipt that was saved at the table before the game"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        files = find_records(options["paths"])
        receipt = _read_receipt(options["receipt"])
        statuses = {self._check(file, receipt) for file in files}
        if statuses != {0}:
            sys.exit(1 if 1 in statuses else 2)

    def _check(self, file: Path, receipt: Receipt | None) -> int:
        """Check one file and print the findings. Return its exit status."""
        try:
            report = check_record(file.read_bytes(), receipt)
        except OSError as error:
            self.stdout.write(f"DAMAGED {file}: it cannot be read: {error.strerror}")
            return 1
        except (RecordError, UnsupportedRecord) as error:
            self.stdout.write(f"DAMAGED {file}: {error}")
            return 1
        if report.pages is None:
            self.stdout.write(f"NO PROOF {file}: nothing binds the walls of this game")
            return 2
        for problem in report.problems:
            self.stdout.write(f"DOES NOT FIT {file}: {problem}")
        if report.problems:
            return 1
        seats = ", ".join(map(str, report.pages))
        end = "the game ended" if report.is_over else "the end of the game is not in the record"
        signed = (
            f"signed with {', '.join(report.keys)}" if report.keys else "not signed (version 1)"
        )
        self.stdout.write(
            f"FITS {file}: fixed before the game, draw {report.draws}, pages of seats {seats}; "
            f"hands: {report.hands}, {end}; {signed}"
        )
        return 0


def _read_receipt(path: Path | None) -> Receipt | None:
    if path is None:
        return None
    try:
        return read_receipt(path.read_bytes())
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise CommandError(f"{path}: {error}") from None
