"""Reads a record of any known format, which is detected from its content, and finds records among
files and folders."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from game.records import majiang, mjai, mjlog, tenhou6
from game.records.hand_files import record_in
from game.records.recorded import OtherFile, RecordedGame, RecordError

_GZIP: Final = b"\x1f\x8b"
_ZIP: Final = b"PK\x03\x04"
_ANY_GZIP_HEADER: Final = 16 + zlib.MAX_WBITS
_HTML: Final = re.compile(
    r"\s*(?:<\?xml[^>]*>|<!--.*?-->|\s)*<(?:!doctype\s+html|html)\b", re.I | re.S
)
_SOUL: Final = re.compile(r"\.lq\.|\bRecordNewRound\b|\bRecordDiscardTile\b|majsoul_paipu")
_SOUL_HEAD: Final = re.compile(r'"accounts"\s*:.*"seat"\s*:', re.DOTALL)


class RecordTooLarge(ValueError):
    """The unpacked record has more bytes than the caller allows."""


def read(raw: bytes, *, max_bytes: int | None = None) -> RecordedGame:
    """Return the recorded game in these bytes, gzip or plain, or in the addresses of tenhou.net/6
    that contain it.

    Raises `RecordError` if it is damaged or no record at all, `UnsupportedRecord` if it is of
    a game that the engine does not play, `RecordTooLarge` if it has more than `max_bytes`, packed
    or unpacked.
    """
    return read_text(text_of(raw, max_bytes=max_bytes))


def read_text(text: str) -> RecordedGame:
    """Return the recorded game in this text. Raises `RecordError` and `UnsupportedRecord`."""
    try:
        return _read_text(text)
    except RecursionError:
        raise RecordError("the JSON is nested too deeply") from None


def _read_text(text: str) -> RecordedGame:
    refuse_other_files(text)
    text = record_in(text)
    if mjlog.is_mjlog(text):
        return mjlog.read(text)
    if majiang.is_majiang(text):
        return majiang.read(text)
    if tenhou6.is_tenhou6(text):
        return tenhou6.read(text)
    if mjai.is_mjai(text):
        return mjai.read(text)
    raise RecordError("this is not a record of a known format")


def refuse_other_files(text: str) -> None:
    """Raise `OtherFile` for an HTML page and for an export of Mahjong Soul."""
    if _HTML.match(text):
        raise OtherFile(
            "html", "this is an HTML page: download the record itself, or paste its text"
        )
    if _SOUL.search(text) or (_SOUL_HEAD.search(text[:20_000]) and '"uuid"' in text[:20_000]):
        raise OtherFile(
            "soul_export",
            "this is an export of Mahjong Soul: convert it to the JSON of tenhou.net/6 first",
        )


def text_of(raw: bytes, *, max_bytes: int | None = None) -> str:
    """Return the text in these bytes; of a gzip file that ends too early the text before its end.

    Raises `RecordError` if they cannot be unpacked, `OtherFile` for a zip archive, and
    `RecordTooLarge` if they have more than `max_bytes`, packed or unpacked.
    """
    if max_bytes is not None and len(raw) > max_bytes:
        raise RecordTooLarge
    if raw.startswith(_ZIP):
        raise OtherFile("zip", "this is a zip archive: unpack it and choose one record in it")
    if raw.startswith(_GZIP):
        raw = _unpacked(raw, max_bytes)
    # Bytes that are not UTF-8 are in names, or the reader of the format refuses them.
    return raw.decode("utf-8-sig", "replace")


def _unpacked(raw: bytes, max_bytes: int | None) -> bytes:
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
