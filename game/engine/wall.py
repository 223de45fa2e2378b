"""The wall: how 136 tiles are derived from a seed, and which tile lies where.

Owns the layout of a wall and the shuffle. Must not know when tiles are drawn
(`game.engine.decide`).

A wall is 136 bytes, one tile each, in the layout of Tenhou's records, dealt from the end
downward: bytes 135..84 are the four hands (three times four tiles each, then one each, from
the dealer in turn order), 83 the dealer's first draw. Bytes 0..13 are the dead wall:
replacement tiles at 1, 0, 3, 2, indicators at 5, 7, 9, 11, 13, the indicator of the ura
dora below each. Every replacement tile takes one tile from the end of the live wall.

**The shuffle, version 1.** Begin with the tiles in ascending order. For ``i`` from 135 down to 1,
swap tile ``i`` with tile ``j``, where ``j`` is the next number of the stream below ``i + 1``. The
stream is that of the 16-bit big-endian numbers in SHA-256(``b"riichi wall 1"`` + seed + number of
the hand + number of the block, both as four big-endian bytes), for blocks 0, 1, 2...; a number
``n`` counts modulo ``i + 1``, and is skipped if it is not below the greatest multiple of ``i + 1``
that is at most 65,536, so that every ``j`` is equally likely. Hands are numbered from 0. With the
seed, which is published after a game, players can check its walls.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from struct import Struct
from typing import Final

from game.engine.rules import RuleSet
from game.engine.tiles import KINDS, RED_FIVES

TILES: Final = 136
LIVE: Final = 70
"""Tiles that can be drawn after the deal, including the dealer's first draw."""
SEED_BYTES: Final = 32

DEAL: Final = tuple(
    (
        *(TILES - 1 - 16 * turn - 4 * place - number for turn in range(3) for number in range(4)),
        TILES - 49 - place,
    )
    for place in range(4)
)
"""The places of the 13 tiles of each seat, by its distance from the dealer."""
FIRST_DRAW: Final = 83
REPLACEMENT_PLACES: Final = (1, 0, 3, 2, 4, 6, 8, 10, 12)
"""Places of the replacement tiles. From the fifth on they are those of the ura indicators
(`RuleSet.fifth_kan`)."""
REPLACEMENTS: Final = len(REPLACEMENT_PLACES)
INDICATOR_PLACES: Final = (5, 7, 9, 11, 13)
INDICATORS: Final = len(INDICATOR_PLACES)
_SALT: Final = b"riichi wall 1"
_NUMBERS: Final = Struct(">16H")
_LIMITS: Final = tuple((last, 65_536 - 65_536 % (last + 1)) for last in range(TILES - 1, 0, -1))
"""The places to fill, each with the limit that a number of the stream must stay below."""


def tile_set(rules: RuleSet) -> list[int]:
    """Return all 136 tiles in ascending order, with the red fives of these rules."""
    tiles = []
    for kind in range(KINDS):
        reds = rules.red_fives[kind // 9] if kind in RED_FIVES else 0
        tiles += [2 * kind] * (4 - reds) + [2 * kind + 1] * reds
    return tiles


def shuffled(rules: RuleSet, seed: bytes, hand: int) -> bytes:
    """Return the wall of hand number `hand` (from 0) of the game with this seed of 32 bytes."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed is {SEED_BYTES} bytes, not {len(seed)}")
    tiles = tile_set(rules)
    numbers = _numbers(seed, hand)
    for last, limit in _LIMITS:
        number = next(numbers)
        while number >= limit:
            number = next(numbers)
        other = number % (last + 1)
        tiles[last], tiles[other] = tiles[other], tiles[last]
    return bytes(tiles)


def _numbers(seed: bytes, hand: int) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(_SALT + seed + hand.to_bytes(4, "big") + block.to_bytes(4, "big")).digest()
        yield from _NUMBERS.unpack(digest)
        block += 1


def is_wall(rules: RuleSet, wall: bytes) -> bool:
    """Return whether these are the 136 tiles of these rules in any order."""
    return sorted(wall) == tile_set(rules)


def dealt(wall: bytes, place: int) -> tuple[int, ...]:
    """Return the 13 tiles of the seat `place` seats after the dealer, sorted."""
    return tuple(sorted([wall[at] for at in DEAL[place]]))


def live_tile(wall: bytes, left: int, supplements: int) -> int:
    """Return the next tile of the live wall, of which `left` tiles can still be drawn."""
    return wall[FIRST_DRAW - (LIVE - left - supplements)]


def replacement_tile(wall: bytes, supplements: int) -> int:
    """Return the next replacement tile, after `supplements` of them."""
    return wall[REPLACEMENT_PLACES[supplements]]


def indicator(wall: bytes, number: int) -> int:
    """Return dora indicator `number`, counted from 0."""
    return wall[INDICATOR_PLACES[number]]


def ura_indicators(wall: bytes, number: int) -> tuple[int, ...]:
    """Return the first `number` indicators of the ura dora."""
    return tuple(wall[at - 1] for at in INDICATOR_PLACES[:number])
