"""Cleans the text that people write to each other."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

MAX_LINE_CHARS: Final = 200
"""The longest line of chat."""
_MARKS_IN_A_ROW: Final = 3
_JOINERS: Final = frozenset("\u200c\u200d")
"""Joining characters, which some scripts and emoji need."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SPACES: Final = re.compile(r"\s+")


def plain(text: str) -> str:
    """Return the text in NFC on one line, without control and direction characters and with at
    most three accents in a row. It may be empty."""
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", _SPACES.sub(" ", text)):
        kind = unicodedata.category(sign)
        if kind in _UNSEEN and sign not in _JOINERS:
            continue
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks <= _MARKS_IN_A_ROW:
            kept.append(sign)
    plain_text = _SPACES.sub(" ", "".join(kept)).strip(" \u200c\u200d")
    return unicodedata.normalize("NFC", plain_text)
