"""The four slots that Tenhou's formats have for each thing by seat, also with three players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from game.engine.state import SEATS

_T = TypeVar("_T")


def in_four_slots(values: Sequence[_T], nothing: _T) -> list[_T]:
    """Return the values by seat, with `nothing` in the slot of a seat that does not exist."""
    return [*values, *[nothing] * (len(SEATS) - len(values))]
