"""Reads the keys of rows that forms send."""

from __future__ import annotations

from typing import Final

_MAX_DIGITS: Final = 18
"""The most digits of a key, so that it fits into a column of 64 bits."""


def read_key(text: str) -> int:
    """Return the key of a row. Return 0, which is the key of no row, for a text that is not a
    key."""
    is_key = text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS
    return int(text) if is_key else 0
