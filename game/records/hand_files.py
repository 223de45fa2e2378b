"""Finds the record in a text: in an address of tenhou.net/6, or in one part for each hand.

Editors and reviewers of tenhou.net/6 write one address, or one JSON, for each hand: as lines, or as
one array.
"""

from __future__ import annotations

import json
import re
import urllib.parse
from typing import Any, Final

import msgspec

from game.records.own import MARK_KEY
from game.records.recorded import RecordError

ADDRESS: Final = "https://tenhou.net/6/#json="
_JSON_IN_ADDRESS: Final = re.compile(r"\s*https?://[^\s#]*#json=(.*?)(?:&ts=\d+)?\s*", re.DOTALL)
_OF_PART: Final = re.compile(r'#json=|"log"\s*:')
_OF_GAME: Final = ("name", "rule", MARK_KEY)
"""What all parts of a game have in common."""


def record_in(text: str) -> str:
    """Return the record in a text: decoded from an address of tenhou.net/6, merged if each hand has
    an address or JSON of its own, otherwise the text itself. Raises `RecordError` if the hands are
    not of one game."""
    parts = _parts(text)
    return _merged(parts) if len(parts) > 1 else _in_address(parts[0]) if parts else text


def _in_address(text: str) -> str:
    address = _JSON_IN_ADDRESS.fullmatch(text)
    return urllib.parse.unquote(address[1]) if address else text


def _parts(text: str) -> list[str]:
    """Return the addresses and objects of single hands, if the text consists of such parts."""
    if len(_OF_PART.findall(text)) < 2 and not text.lstrip().startswith("["):
        return [text]
    if text.lstrip().startswith("["):
        return _parts_of_array(text)
    rows = [row for row in text.splitlines() if row.strip()]
    return rows if all(_is_part(row) for row in rows) else [text]


def _parts_of_array(text: str) -> list[str]:
    if not _OF_PART.search(text):
        return [text]
    try:
        values = msgspec.json.decode(text, type=list[Any])
    except msgspec.DecodeError:
        return [text]
    rows = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in values]
    return rows if all(_is_part(row) for row in rows) else [text]


def _is_part(row: str) -> bool:
    return bool(_JSON_IN_ADDRESS.fullmatch(row)) or (
        row.lstrip().startswith("{") and bool(_OF_PART.search(row))
    )


def _merged(parts: list[str]) -> str:
    """Return one object with the hands of all parts."""
    whole: dict[str, Any] = {}
    log: list[Any] = []
    for number, part in enumerate(parts, start=1):
        try:
            file = msgspec.json.decode(_in_address(part))
        except msgspec.DecodeError as error:
            raise RecordError(f"part {number}: the JSON is damaged: {error}") from None
        hands = file.get("log") if isinstance(file, dict) else None
        if not isinstance(hands, list):
            raise RecordError(f"part {number}: it has no hand")
        whole = whole or file
        for name in _OF_GAME:
            if file.get(name) != whole.get(name):
                raise RecordError(f"part {number}: it is of another game, its {name!r} differs")
        log += hands
    return json.dumps({**whole, **file, "log": log}, ensure_ascii=False)
