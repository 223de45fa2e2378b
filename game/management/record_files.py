"""The files of records that a command is given: the argument, and the errors if there is none."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import CommandError, CommandParser

from game.records.reading import records_in


def add_paths(parser: CommandParser) -> None:
    """Let the command take files and folders, as `options["paths"]`."""
    parser.add_argument("paths", nargs="+", type=Path, help="files, or folders of files")


def find_records(paths: Iterable[Path]) -> list[Path]:
    """Return the records among these files and in these folders. Raises CommandError if there is
    none, or if a path does not exist."""
    try:
        files = list(records_in(paths))
    except FileNotFoundError as error:
        raise CommandError(str(error)) from None
    if not files:
        raise CommandError("there is no record there")
    return files
