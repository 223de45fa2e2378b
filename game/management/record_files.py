"""Finds the files of records named by a command's arguments."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from django.core.management.base import CommandError, CommandParser

from game.records.reading import record_paths


def add_paths(parser: CommandParser) -> None:
    """Add the argument for files and folders to the command: `options["paths"]`."""
    parser.add_argument("paths", nargs="+", type=Path, help="files, or folders of files")


def find_records(paths: Iterable[Path]) -> list[Path]:
    """Return the record files among these paths and in these folders. Raises CommandError if a path
    does not exist, or if no record is found."""
    try:
        files = list(record_paths(paths))
    except FileNotFoundError as error:
        raise CommandError(str(error)) from None
    if not files:
        raise CommandError("there is no record there")
    return files
