"""Reads truncated JSON up to the point where it breaks off.

Such texts come from programs that stopped while writing, or from partial copies. All values before
the break are complete.
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


def read_whole_values(text: str, at: int) -> tuple[list[Any], bool]:
    """Return the complete values of the array whose first value starts at index `at`, and whether
    the array is closed."""
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


def read_first_value(text: str, name: str) -> Any:
    """Return the first value of the key `name` in this JSON object; None if the key is missing or
    its value incomplete."""
    found = re.search(rf'"{name}"\s*:\s*', text)
    if not found:
        return None
    try:
        value, _ = _DECODER.raw_decode(text, found.end())
    except (ValueError, RecursionError):
        return None
    return value
