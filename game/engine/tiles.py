"""Tiles as small integers, and their mjai text at the borders.

A *kind* is 0..33: 0-8 man, 9-17 pin, 18-26 sou, 27-30 East South West North,
31-33 haku hatsu chun. A *tile* is ``2 * kind``, or ``2 * kind + 1`` for a red five, so
that tiles sort as a hand is laid out and copies of a tile cannot be told apart.
``HIDDEN`` stands for a tile the viewer may not see; ``NO_TILE`` for the absence of one.

A *mask* is an integer whose bit ``k`` speaks of kind ``k``.
"""

from __future__ import annotations

from typing import Final, NewType

Tile = NewType("Tile", int)
Kind = NewType("Kind", int)

HIDDEN: Final = Tile(68)
NO_TILE: Final = Tile(-1)
KINDS: Final = 34
EAST: Final = Kind(27)

_HONOURS: Final = "ESWNPFC"
_KIND_NAMES: Final = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)) + tuple(
    _HONOURS
)

TILE_TO_TEXT: Final[dict[int, str]] = {2 * kind: name for kind, name in enumerate(_KIND_NAMES)} | {
    2 * kind + 1: f"{_KIND_NAMES[kind]}r" for kind in (4, 13, 22)
}
TILE_TO_TEXT[HIDDEN] = "?"
TEXT_TO_TILE: Final[dict[str, Tile]] = {text: Tile(tile) for tile, text in TILE_TO_TEXT.items()}


def _mask(kinds: list[int]) -> int:
    return sum(1 << kind for kind in kinds)


HONOURS: Final = _mask(list(range(27, 34)))
WINDS: Final = _mask([27, 28, 29, 30])
DRAGONS: Final = _mask([31, 32, 33])
TERMINALS: Final = _mask([0, 8, 9, 17, 18, 26])
ORPHANS: Final = TERMINALS | HONOURS
"""Terminals and honours, the tiles of kyushu kyuhai, kokushi and nagashi mangan."""
SUITS: Final = tuple(_mask(list(range(first, first + 9))) for first in (0, 9, 18))


def kind_of(tile: int) -> int:
    """The kind of a tile, red or not."""
    return tile >> 1


def is_red(tile: int) -> bool:
    """Whether the tile is a red five."""
    return bool(tile & 1) and tile > 0


def is_honour(kind: int) -> bool:
    """Whether the kind is a wind or a dragon."""
    return kind >= EAST


def mask_of(tiles: tuple[int, ...]) -> int:
    """The mask of the kinds among these tiles."""
    mask = 0
    for tile in tiles:
        mask |= 1 << (tile >> 1)
    return mask


def kinds_in(mask: int) -> tuple[int, ...]:
    """The kinds of a mask, in ascending order."""
    return tuple(kind for kind in range(KINDS) if mask >> kind & 1)


def tile_from_text(text: str) -> Tile:
    """Read a tile in mjai's writing, such as ``5mr`` or ``E``.

    Raises ``ValueError`` that names the text if there is no such tile.
    """
    try:
        return TEXT_TO_TILE[text]
    except KeyError:
        raise ValueError(f"no such tile: {text!r}") from None


def tile_to_text(tile: int) -> str:
    """Write a tile as mjai does; a hidden tile is ``?``."""
    return TILE_TO_TEXT[tile]
