"""Values with one entry for each seat, in the order of the seats."""

from __future__ import annotations

from typing import TypeVar

_T = TypeVar("_T")

BySeat = tuple[_T, ...]
"""As long as the table has players: `BySeat[int]` are the scores of a table, for example."""
