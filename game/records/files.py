"""Finds records among files and folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

SUFFIXES: Final = frozenset({".mjlog", ".gz", ".xml", ".json", ".jsonl", ".ndjson", ".mjson"})
_OPENINGS: Final = (
    b"<mjloggm",
    b"<?xml",
    b"\x1f\x8b",
    b'{"type":"start_',
    b'{"title":',
    b"https://tenhou.net/",
)
_LOOKED_AT: Final = 64


def records_in(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files of `paths`, and the likely records in its folders and below, in order.

    Raises ``FileNotFoundError`` with the first path that does not exist.
    """
    for path in paths:
        if path.is_dir():
            yield from (file for file in sorted(path.rglob("*")) if _looks_like_record(file))
        elif path.exists():
            yield path
        else:
            raise FileNotFoundError(f"there is no file or folder {path}")


def _looks_like_record(path: Path) -> bool:
    """Return whether the name or the first bytes are those of a record. Names of mjlog often have
    no suffix."""
    if path.name.startswith(".") or not path.is_file():
        return False
    if path.suffix.lower() in SUFFIXES:
        return True
    with path.open("rb") as file:
        return file.read(_LOOKED_AT).lstrip().startswith(_OPENINGS)
