"""The walls: how their tiles are derived from a seed, and which tile lies where.

Owns the layouts and the shuffle. Must not know when tiles are drawn (`game.engine.decide`).

A wall is one byte for each tile, in the layout of Tenhou's records, dealt from the end downward:
first the hands (three times four tiles each, then one each, from the dealer in turn order), then
the live wall, from the dealer's first draw. The dead wall is at the beginning: the replacement
tiles, and the dora indicators, each with the indicator of the ura dora below. Every replacement
tile takes one tile from the end of the live wall.

**Version 1** of the layout is that of four players: 136 tiles, of which 70 can be drawn after the
deal. The replacement tiles lie at 1, 0, 3, 2, the indicators at 5, 7, 9, 11, 13.

**Version 2** is that of three players: 108 tiles, without 2m to 8m, of which 55 can be drawn. The
replacement tiles lie at 1, 0, 3, 2, 5, 4, 7, 6, the indicators at 9, 11, 13, 15, 17. Indicators
that are not turned lie in the live wall, but are never reached: with `k` replacement tiles drawn,
its last tile is at 14 + `k`.

**The shuffle.** Begin with the tiles in ascending order. For ``i`` from the last place down to 1,
swap tile ``i`` with tile ``j``, where ``j`` is the next number of the stream below ``i + 1``. The
stream is that of the 16-bit big-endian numbers in SHA-256(``b"riichi wall "`` + the version of the
layout as a digit + seed + number of the hand + number of the block, both as four big-endian bytes),
for blocks 0, 1, 2...; a number ``n`` counts modulo ``i + 1``, and is skipped if it is not below the
greatest multiple of ``i + 1`` that is at most 65,536, so that every ``j`` is equally likely. Hands
are numbered from 0. With the seed, which is published after a game, players can check its walls.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from struct import Struct
from typing import Final, NamedTuple

from game.engine.rules import RuleSet
from game.engine.tiles import KINDS, NOT_IN_PLAY, RED_FIVES

SEED_BYTES: Final = 32
_NUMBERS: Final = Struct(">16H")
_DEAD_WALL_TILES: Final = 14
"""Tiles that are not drawn, at any time."""


class Layout(NamedTuple):
    """Where the tiles of a wall lie."""

    tiles: int
    live: int
    """Tiles that can be drawn after the deal, including the dealer's first draw."""
    deal: tuple[tuple[int, ...], ...]
    """The places of the 13 tiles of each seat, by its distance from the dealer."""
    first_draw: int
    replacements: tuple[int, ...]
    """Places of the replacement tiles. With four players the fifth and later ones are those of the
    ura indicators (`RuleSet.fifth_kan`)."""
    indicators: tuple[int, ...]
    salt: bytes
    limits: tuple[tuple[int, int], ...]
    """The places that the shuffle fills, each with the limit that a number of the stream must stay
    below."""


def _make_layout(
    version: int, players: int, replacements: tuple[int, ...], indicators: tuple[int, ...]
) -> Layout:
    tiles = 4 * (KINDS - NOT_IN_PLAY[players].bit_count())
    fours, first_draw = 4 * players, tiles - 13 * players - 1
    deal = tuple(
        (
            *(tiles - 1 - fours * turn - 4 * at - tile for turn in range(3) for tile in range(4)),
            tiles - 1 - 3 * fours - at,
        )
        for at in range(players)
    )
    limits = tuple((last, 65_536 - 65_536 % (last + 1)) for last in range(tiles - 1, 0, -1))
    live, salt = first_draw + 1 - _DEAD_WALL_TILES, b"riichi wall %d" % version
    return Layout(tiles, live, deal, first_draw, replacements, indicators, salt, limits)


LAYOUTS: Final = {
    4: _make_layout(1, 4, (1, 0, 3, 2, 4, 6, 8, 10, 12), (5, 7, 9, 11, 13)),
    3: _make_layout(2, 3, (1, 0, 3, 2, 5, 4, 7, 6), (9, 11, 13, 15, 17)),
}
"""The layouts by the number of players."""
_LAYOUT_OF_WALL: Final = {layout.tiles: layout for layout in LAYOUTS.values()}
"""The same layouts by the number of tiles."""


def tile_set(rules: RuleSet) -> list[int]:
    """Return all tiles in ascending order, with the red fives of these rules."""
    tiles = []
    for kind in range(KINDS):
        reds = rules.red_fives[kind // 9] if kind in RED_FIVES else 0
        if not NOT_IN_PLAY[rules.players] >> kind & 1:
            tiles += [2 * kind] * (4 - reds) + [2 * kind + 1] * reds
    return tiles


def shuffled_wall(rules: RuleSet, seed: bytes, hand: int) -> bytes:
    """Return the wall of hand number `hand` (from 0) of the game with this 32-byte seed."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed is {SEED_BYTES} bytes, not {len(seed)}")
    layout, tiles = LAYOUTS[rules.players], tile_set(rules)
    numbers = _random_numbers(layout.salt, seed, hand)
    for last, limit in layout.limits:
        number = next(numbers)
        while number >= limit:
            number = next(numbers)
        other = number % (last + 1)
        tiles[last], tiles[other] = tiles[other], tiles[last]
    return bytes(tiles)


def _random_numbers(salt: bytes, seed: bytes, hand: int) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(salt + seed + hand.to_bytes(4, "big") + block.to_bytes(4, "big")).digest()
        yield from _NUMBERS.unpack(digest)
        block += 1


def is_complete_wall(rules: RuleSet, wall: bytes) -> bool:
    """Return whether the wall has exactly the tiles of these rules, in any order."""
    return sorted(wall) == tile_set(rules)


def dealt_tiles(wall: bytes, place: int) -> tuple[int, ...]:
    """Return the 13 sorted tiles dealt to a seat. `place` is 0 for the dealer, 1 for the next seat,
    and so on."""
    return tuple(sorted([wall[at] for at in _LAYOUT_OF_WALL[len(wall)].deal[place]]))


def live_tile(wall: bytes, left: int, supplements: int) -> int:
    """Return the next tile of the live wall, when `left` tiles can still be drawn and `supplements`
    replacement tiles have been drawn."""
    layout = _LAYOUT_OF_WALL[len(wall)]
    return wall[layout.first_draw - (layout.live - left - supplements)]


def replacement_tile(wall: bytes, supplements: int) -> int:
    """Return the next replacement tile, when `supplements` of them have been drawn."""
    return wall[_LAYOUT_OF_WALL[len(wall)].replacements[supplements]]


def dora_indicator(wall: bytes, number: int) -> int:
    """Return dora indicator `number`, counted from 0."""
    return wall[_LAYOUT_OF_WALL[len(wall)].indicators[number]]


def ura_indicators(wall: bytes, number: int) -> tuple[int, ...]:
    """Return the first `number` ura indicators."""
    return tuple(wall[at - 1] for at in _LAYOUT_OF_WALL[len(wall)].indicators[:number])
