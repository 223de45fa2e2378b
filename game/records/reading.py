"""Reads a record of any known format, which is detected from its content."""

from __future__ import annotations

import gzip
import zlib

from game.records import mjai, mjlog, tenhou6
from game.records.recorded import RecordedGame, RecordError

_GZIP = b"\x1f\x8b"


def read(raw: bytes) -> RecordedGame:
    """Return the recorded game in these bytes, gzip or plain.

    Raises `RecordError` if it is damaged or no record at all, `UnsupportedRecord` if it is of
    a game that the engine does not play.
    """
    text = text_of(raw)
    if mjlog.is_mjlog(text):
        return mjlog.read(text)
    if tenhou6.is_tenhou6(text):
        return tenhou6.read(text)
    if mjai.is_mjai(text):
        return mjai.read(text)
    raise RecordError("this is not a record of a known format")


def text_of(raw: bytes) -> str:
    """Return the text in these bytes. Raises `RecordError` if they cannot be unpacked."""
    try:
        if raw.startswith(_GZIP):
            raw = gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as error:
        raise RecordError(f"the file cannot be unpacked: {error}") from None
    # Bytes that are not UTF-8 are in names, or the reader of the format refuses them.
    return raw.decode("utf-8-sig", "replace")
