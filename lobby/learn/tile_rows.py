"""Rows of tiles in a short notation, as pages draw them with the tiles of the table.

Digits before a suit (m, p, s, z) are tiles: 0 is a red five, 1z to 7z are East, South, West, North,
white, green and red. A space leaves a gap. A sign before a group says how it is drawn:

- ``<``, ``^``, ``>``: a called set; its first, second or last tile lies sideways, that is, it came
  from the left, from the opposite player or from the right;
- ``#``: a closed kan, its outer tiles face down;
- ``~``: the first tile lies sideways, as a riichi tile does;
- ``!``: the tiles are marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from game.engine.state import Meld, MeldType
from game.engine.tiles import NO_TILE, TILE_TO_TEXT, is_red, kind_of
from game.results.game_text import join_list, tile_name_of_text

_GROUP_PATTERN: Final = re.compile(r"( *)([<^>#~!]?)((?:\d+[mpsz])+)")
_TARGETS: Final = {"<": 3, "^": 2, ">": 1}
_SIGNS: Final = {target: sign for sign, target in _TARGETS.items()}
HONOURS: Final = "ESWNPFC"


@dataclass(frozen=True, slots=True)
class ShownTile:
    """A tile of a row. `name` is that of its picture, '' if it lies face down."""

    name: str
    is_after_gap: bool = False
    is_sideways: bool = False
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of tiles, and its description in words."""

    tiles: tuple[ShownTile, ...]
    label: str


def read_tiles(text: str) -> tuple[int, ...]:
    """Return the tiles of a group without a sign, in its order."""
    found = []
    for ranks, suit in re.findall(r"(\d+)([mpsz])", text):
        first = 9 * "mpsz".index(suit)
        found += [2 * (first + 4) + 1 if r == "0" else 2 * (first + int(r) - 1) for r in ranks]
    return tuple(found)


def read_meld(text: str, seat: int = 0) -> Meld:
    """Return the meld of that seat, such as ``<312m`` or ``#1111z``."""
    sign, tiles = text[0], read_tiles(text[1:])
    if sign == "#":
        return Meld(MeldType.ANKAN, tiles, NO_TILE, seat)
    called = tiles[{"<": 0, "^": 1, ">": -1}[sign]]
    kinds = len({kind_of(tile) for tile in tiles})
    kind = MeldType.DAIMINKAN if len(tiles) == 4 else MeldType.CHI if kinds > 1 else MeldType.PON
    return Meld(kind, tuple(sorted(tiles)), called, (seat + _TARGETS[sign]) % 4)


def shown_row(text: str) -> ShownRow:
    """Read a row written in the notation of this module. Raises ValueError for other texts."""
    tiles: list[ShownTile] = []
    named: list[int] = []
    at = 0
    while at < len(text):
        found = _GROUP_PATTERN.match(text, at)
        if found is None:
            raise ValueError(f"not a row of tiles: {text!r}")
        gap, sign, group = found.groups()
        read = read_tiles(group)
        named += read
        sideways = {"<": 0, "~": 0, "^": 1, ">": len(read) - 1}.get(sign, -1)
        tiles += [
            ShownTile(
                "" if sign == "#" and number in (0, 3) else TILE_TO_TEXT[tile],
                is_after_gap=bool(tiles) and number == 0 and bool(gap or sign in ("!", *"<^>#")),
                is_sideways=number == sideways,
                is_marked=sign == "!",
            )
            for number, tile in enumerate(read)
        ]
        at = found.end()
    return ShownRow(tuple(tiles), join_list([tile_name(tile) for tile in named]))


def row_of_tiles(tiles: tuple[int, ...], winning_tile: int = NO_TILE) -> ShownRow:
    """Return a row of these tiles. If there is a winning tile, it follows after a gap and is
    marked.
    """
    shown = [ShownTile(TILE_TO_TEXT[tile]) for tile in tiles]
    named = list(tiles)
    if winning_tile != NO_TILE:
        named.append(winning_tile)
        name = TILE_TO_TEXT[winning_tile]
        shown.append(ShownTile(name, is_after_gap=True, is_marked=True))
    return ShownRow(tuple(shown), join_list([tile_name(tile) for tile in named]))


def meld_row(meld: Meld) -> ShownRow:
    """Return a meld of seat 0 as it lies on the table."""
    if meld.type == MeldType.ANKAN:
        return shown_row("#" + notation(meld.tiles))
    rest = list(meld.tiles)
    rest.remove(meld.called)
    at = {3: 0, 2: 1, 1: len(rest)}[meld.target]
    rest.insert(at, meld.called)
    return shown_row(_SIGNS[meld.target] + notation(rest))


def notation(tiles: Iterable[int]) -> str:
    """Write these tiles as one group without a sign, in the notation of this module."""
    return "".join(
        f"{0 if is_red(tile) else kind_of(tile) % 9 + 1}{'mpsz'[kind_of(tile) // 9]}"
        for tile in tiles
    )


def tile_name(tile: int) -> str:
    """Name a tile in the reader's language, with the words of the table."""
    return tile_name_of_text(TILE_TO_TEXT[tile])
