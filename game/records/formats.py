"""The formats in which players can download a game of this site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from game.records.own import OwnGame
from game.records.writing_mjai import write_mjai
from game.records.writing_mjlog import write_mjlog
from game.records.writing_tenhou6 import write_tenhou6, write_tenhou6_addresses


class Format(NamedTuple):
    """A download format."""

    title: str
    write: Callable[[OwnGame], str]
    """Raises `CannotHold`."""
    suffix: str
    content_type: str


FORMATS: Final[dict[str, Format]] = {
    "mjlog": Format("Tenhou mjlog (XML)", write_mjlog, "mjlog", "application/xml"),
    "tenhou6": Format("tenhou.net/6 (JSON)", write_tenhou6, "json", "application/json"),
    "tenhou6_hands": Format(
        "tenhou.net/6 (one address for each hand)", write_tenhou6_addresses, "txt", "text/plain"
    ),
    "mjai": Format("mjai (JSON lines)", write_mjai, "jsonl", "application/x-ndjson"),
}
TITLES: Final = {kind: form.title for kind, form in FORMATS.items()} | {"majiang": "majiang (JSON)"}
"""By the format of a record that can be read."""
