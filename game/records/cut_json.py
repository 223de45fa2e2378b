"""Reads the beginning of JSON that ends too early.

Programs that stop, and copies of a part of a text, leave JSON without its end. The values before
that are whole.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

TRUNCATED: Final = "Input data was truncated"
"""What `msgspec` says about JSON without its end."""
_DECODER: Final = json.JSONDecoder()
_GAP: Final = re.compile(r"[\s,]*")
_NO_VALUE: Final = re.compile(r"\s*[\]}]")


def whole_values(text: str, at: int) -> tuple[list[Any], bool]:
    """Return the values of the array whose first value is at this place, as far as they are whole,
    and whether the array has its end."""
    values = list[Any]()
    while True:
        gap = _GAP.match(text, at)
        at = gap.end() if gap else at
        if _NO_VALUE.match(text, at):
            return values, True
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return values, False
        values.append(value)


def value_of(text: str, name: str) -> Any:
    """Return the first value under this name in the text of an object; None if there is none or it
    is not whole."""
    found = re.search(rf'"{name}"\s*:\s*', text)
    if not found:
        return None
    try:
        value, _ = _DECODER.raw_decode(text, found.end())
    except (ValueError, RecursionError):
        return None
    return value
