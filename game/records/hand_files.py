"""Extracts the record from a text that is an address of tenhou.net/6, or that has a part for each
hand.

Editors and reviewers of tenhou.net/6 write one address or one JSON object for each hand, as lines
or as one array.
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
_PART_PATTERN: Final = re.compile(r'#json=|"log"\s*:')
_KEYS_OF_GAME: Final = ("name", "rule", MARK_KEY)
"""What all parts of a game have in common."""


def extract_record(text: str) -> str:
    """Return the record in a text. Decode an address of tenhou.net/6; merge parts if each hand has
    its own address or JSON; else return the text unchanged. Raises `RecordError` if the hands are
    of different games."""
    parts = _split_parts(text)
    return _merge_parts(parts) if len(parts) > 1 else _decode_address(parts[0]) if parts else text


def _decode_address(text: str) -> str:
    address = _JSON_IN_ADDRESS.fullmatch(text)
    return urllib.parse.unquote(address[1]) if address else text


def _split_parts(text: str) -> list[str]:
    """Return the addresses or JSON objects of single hands; empty if the text does not consist of
    such parts."""
    if len(_PART_PATTERN.findall(text)) < 2 and not text.lstrip().startswith("["):
        return [text]
    if text.lstrip().startswith("["):
        return _split_array(text)
    rows = [row for row in text.splitlines() if row.strip()]
    return rows if all(_is_part(row) for row in rows) else [text]


def _split_array(text: str) -> list[str]:
    if not _PART_PATTERN.search(text):
        return [text]
    try:
        values = msgspec.json.decode(text, type=list[Any])
    except msgspec.DecodeError:
        return [text]
    rows = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in values]
    return rows if all(_is_part(row) for row in rows) else [text]


def _is_part(row: str) -> bool:
    return bool(_JSON_IN_ADDRESS.fullmatch(row)) or (
        row.lstrip().startswith("{") and bool(_PART_PATTERN.search(row))
    )


def _merge_parts(parts: list[str]) -> str:
    """Return one JSON object that contains the hands of all parts."""
    whole: dict[str, Any] = {}
    log: list[Any] = []
    for number, part in enumerate(parts, start=1):
        try:
            file = msgspec.json.decode(_decode_address(part))
        except msgspec.DecodeError as error:
            raise RecordError(f"part {number}: the JSON is damaged: {error}") from None
        hands = file.get("log") if isinstance(file, dict) else None
        if not isinstance(hands, list):
            raise RecordError(f"part {number}: it has no hand")
        whole = whole or file
        for name in _KEYS_OF_GAME:
            if file.get(name) != whole.get(name):
                raise RecordError(f"part {number}: it is of another game, its {name!r} differs")
        log += hands
    return json.dumps({**whole, **file, "log": log}, ensure_ascii=False)
