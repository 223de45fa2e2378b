"""The tiles of tenhou.net/6: two digits, suit and rank, and 51 to 53 for the red fives."""

from __future__ import annotations

from typing import Any, Final

_SUITS: Final = 3
_HONOURS: Final = 4
_REDS: Final = 5


def tile_of(number: Any) -> int:
    """Return the engine's tile of this number."""
    if isinstance(number, int):
        suit, rank = divmod(number, 10)
        if 1 <= suit <= _SUITS and 1 <= rank <= 9:
            return 2 * (9 * (suit - 1) + rank - 1)
        if suit == _HONOURS and 1 <= rank <= 7:
            return 2 * (27 + rank - 1)
        if suit == _REDS and 1 <= rank <= _SUITS:
            return 2 * (9 * (rank - 1) + 4) + 1
    raise ValueError(f"there is no tile {number!r}")


def tiles_of(digits: str) -> list[int]:
    """Return the tiles of a text of digits, two for each."""
    if len(digits) % 2 or not digits.isdecimal():
        raise ValueError(f"there are no tiles {digits!r}")
    return [tile_of(int(digits[at : at + 2])) for at in range(0, len(digits), 2)]
