"""Reads a record in any known format, which is detected from the content, and finds records in
folders."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from game.records import majiang, mjai, mjlog, tenhou6
from game.records.hand_files import extract_record
from game.records.recorded import OtherFile, RecordedGame, RecordError

_GZIP: Final = b"\x1f\x8b"
_ZIP: Final = b"PK\x03\x04"
_ANY_GZIP_HEADER: Final = 16 + zlib.MAX_WBITS
_HTML: Final = re.compile(
    r"\s*(?:<\?xml[^>]*>|<!--.*?-->|\s)*<(?:!doctype\s+html|html)\b", re.I | re.S
)
_MAHJONG_SOUL: Final = re.compile(r"\.lq\.|\bRecordNewRound\b|\bRecordDiscardTile\b|majsoul_paipu")
_MAHJONG_SOUL_HEAD: Final = re.compile(r'"accounts"\s*:.*"seat"\s*:', re.DOTALL)


class RecordTooLarge(ValueError):
    """The unpacked record has more bytes than the caller allows."""


def read_recorded_game(raw: bytes, *, max_bytes: int | None = None) -> RecordedGame:
    """Return the recorded game in these bytes: a plain or gzip file, or addresses of tenhou.net/6.

    Raises `RecordError` if the file is damaged or not a record, `UnsupportedRecord` for a game that
    the engine does not play, `RecordTooLarge` if it has more than `max_bytes`, packed or unpacked.
    """
    return read_text(unpack_text(raw, max_bytes=max_bytes))


def read_text(text: str) -> RecordedGame:
    """Return the recorded game in this text. Raises `RecordError` for a damaged record,
    `UnsupportedRecord` for a game that the engine does not play."""
    try:
        return _read_text(text)
    except RecursionError:
        raise RecordError("the JSON is nested too deeply") from None


def _read_text(text: str) -> RecordedGame:
    refuse_other_files(text)
    text = extract_record(text)
    if mjlog.is_mjlog(text):
        return mjlog.read_mjlog(text)
    if majiang.is_majiang(text):
        return majiang.read_majiang(text)
    if tenhou6.is_tenhou6(text):
        return tenhou6.read_tenhou6(text)
    if mjai.is_mjai(text):
        return mjai.read_mjai(text)
    raise RecordError("this is not a record of a known format")


def refuse_other_files(text: str) -> None:
    """Raise `OtherFile` for an HTML page and for an export of Mahjong Soul."""
    if _HTML.match(text):
        raise OtherFile(
            "html", "this is an HTML page: download the record itself, or paste its text"
        )
    if _MAHJONG_SOUL.search(text) or (
        _MAHJONG_SOUL_HEAD.search(text[:20_000]) and '"uuid"' in text[:20_000]
    ):
        raise OtherFile(
            "soul_export",
            "this is an export of Mahjong Soul: convert it to the JSON of tenhou.net/6 first",
        )


def unpack_text(raw: bytes, *, max_bytes: int | None = None) -> str:
    """Return the text in these bytes. Of a truncated gzip file, return the text before the break.

    Raises `RecordError` if the bytes cannot be unpacked, `OtherFile` for a zip archive, and
    `RecordTooLarge` if they have more than `max_bytes`, packed or unpacked.
    """
    if max_bytes is not None and len(raw) > max_bytes:
        raise RecordTooLarge
    if raw.startswith(_ZIP):
        raise OtherFile("zip", "this is a zip archive: unpack it and choose one record in it")
    if raw.startswith(_GZIP):
        raw = _unpack_gzip(raw, max_bytes)
    # Bytes that are not UTF-8 are in names, or the reader of the format refuses them.
    return raw.decode("utf-8-sig", "replace")


def _unpack_gzip(raw: bytes, max_bytes: int | None) -> bytes:
    """Return the content of a gzip file, which may consist of several parts."""
    content = bytearray()
    while raw.startswith(_GZIP):
        part = zlib.decompressobj(_ANY_GZIP_HEADER)
        try:
            # One byte more than allowed shows that the content is too large; 0 is no limit.
            content += part.decompress(
                raw, 0 if max_bytes is None else max_bytes + 1 - len(content)
            )
        except zlib.error as error:
            raise RecordError(f"the file cannot be unpacked: {error}") from None
        if max_bytes is not None and len(content) > max_bytes:
            raise RecordTooLarge
        if not part.eof:
            if not content:
                raise RecordError("the file cannot be unpacked: it ends too early")
            break
        raw = part.unused_data
    return bytes(content)


SUFFIXES: Final = frozenset({".mjlog", ".gz", ".xml", ".json", ".jsonl", ".ndjson", ".mjson"})
_OPENINGS: Final = (
    b"<mjloggm",
    b"<?xml",
    b"\x1f\x8b",
    b'{"type":"start_',
    b'{"title":',
    b"https://tenhou.net/",
)
_BYTES_LOOKED_AT: Final = 64


def record_paths(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files in `paths`, and from folders (at any depth) the files that look like records,
    in order.

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
    """Return whether the suffix or the first bytes are those of a record. Names of mjlog files
    often have no suffix."""
    if path.name.startswith(".") or not path.is_file():
        return False
    if path.suffix.lower() in SUFFIXES:
        return True
    with path.open("rb") as file:
        return file.read(_BYTES_LOOKED_AT).lstrip().startswith(_OPENINGS)
