"""Tiles as small integers, and their mjai text at the borders.

A *kind* is 0..33: 0-8 man, 9-17 pin, 18-26 sou, 27-30 East South West North,
31-33 haku hatsu chun. A *tile* is ``2 * kind``, or ``2 * kind + 1`` for a red five, so
that tiles sort in the order of a hand, and copies of a tile are equal.
``HIDDEN`` is a tile that the viewer may not see; ``NO_TILE`` means that there is none.

A *mask* is a set of kinds as an integer: bit ``k`` is set if kind ``k`` is in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

HIDDEN: Final = 68
NO_TILE: Final = -1
KINDS: Final = 34
EAST: Final = 27
NORTH: Final = 30
HAKU: Final = 31
HATSU: Final = 32
CHUN: Final = 33
RED_FIVES: Final = (4, 13, 22)
"""The kinds of which there are red tiles: the fives of man, pin and sou."""

_HONOURS: Final = "ESWNPFC"
_KIND_NAMES: Final = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)) + tuple(
    _HONOURS
)

TILE_TO_TEXT: Final[dict[int, str]] = {2 * kind: name for kind, name in enumerate(_KIND_NAMES)} | {
    2 * kind + 1: f"{_KIND_NAMES[kind]}r" for kind in RED_FIVES
}
TILE_TO_TEXT[HIDDEN] = "?"
TEXT_TO_TILE: Final[dict[str, int]] = {text: tile for tile, text in TILE_TO_TEXT.items()}


def _mask_of_kinds(kinds: list[int]) -> int:
    return sum(1 << kind for kind in kinds)


HONOURS: Final = _mask_of_kinds(list(range(EAST, KINDS)))
WINDS: Final = _mask_of_kinds(list(range(EAST, HAKU)))
DRAGONS: Final = _mask_of_kinds([HAKU, HATSU, CHUN])
TERMINALS: Final = _mask_of_kinds([0, 8, 9, 17, 18, 26])
ORPHANS: Final = TERMINALS | HONOURS
"""Terminals and honours, the tiles of kyushu kyuhai, kokushi and nagashi mangan."""
SUITS: Final = tuple(_mask_of_kinds(list(range(first, first + 9))) for first in (0, 9, 18))
NOT_IN_PLAY: Final = {4: 0, 3: _mask_of_kinds(list(range(1, 8)))}
"""The kinds that are left out, by the number of players: three play without 2m to 8m."""


def kind_of(tile: int) -> int:
    """Return the kind of a tile, red or not."""
    return tile >> 1


def is_red(tile: int) -> bool:
    """Return whether the tile is a red five."""
    return bool(tile & 1) and tile > 0


def count_kinds(tiles: Iterable[int]) -> list[int]:
    """Return how many of these tiles there are of each kind."""
    counts = [0] * KINDS
    for tile in tiles:
        counts[kind_of(tile)] += 1
    return counts


def mask_of(tiles: Iterable[int]) -> int:
    """Return the mask of the kinds among these tiles."""
    mask = 0
    for tile in tiles:
        mask |= 1 << kind_of(tile)
    return mask


@lru_cache(maxsize=4096)
def kinds_in(mask: int) -> tuple[int, ...]:
    """Return the kinds of a mask, in ascending order."""
    return tuple(kind for kind in range(KINDS) if mask >> kind & 1)


def tile_from_text(text: str) -> int:
    """Read a tile in mjai's notation, such as ``5mr`` or ``E``.

    Raises ``ValueError`` that names the text if there is no such tile.
    """
    try:
        return TEXT_TO_TILE[text]
    except KeyError:
        raise ValueError(f"no such tile: {text!r}") from None


def tile_to_text(tile: int) -> str:
    """Write a tile as mjai does; a hidden tile is ``?``."""
    return TILE_TO_TEXT[tile]
