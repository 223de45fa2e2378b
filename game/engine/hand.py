"""The concealed tiles of one seat: waits, tenpai and the tiles that form sets.

Owns pure functions of tiles and melds. Results are cached, because only one hand changes at a time.
Must not know yaku, furiten or turns. The only module of the engine that uses `xiangting`, which
computes how far a hand is from complete.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec
from xiangting import PlayerCount, calculate_necessary_tiles

from game.engine.state import Hand, Meld, MeldType
from game.engine.tiles import EAST, HIDDEN, KINDS, NO_TILE, count_kinds, kind_of

_FOUR_PLAYERS: Final = PlayerCount.FOUR
CACHE_SIZE: Final = 16_384
"""Cached results of each function: enough for the hands of some thousands of tables."""
_KIND_BIT_OF_TILE: Final = tuple(1 << kind_of(tile) for tile in range(2 * KINDS))
_SUITS_MASK: Final = (1 << EAST) - 1
_RANKS_ABOVE_ONE: Final = sum(1 << kind for kind in range(EAST) if kind % 9 > 0)
_RANKS_ABOVE_TWO: Final = sum(1 << kind for kind in range(EAST) if kind % 9 > 1)
_RANKS_BELOW_EIGHT: Final = sum(1 << kind for kind in range(EAST) if kind % 9 < 7)
_RANKS_BELOW_NINE: Final = sum(1 << kind for kind in range(EAST) if kind % 9 < 8)


@lru_cache(maxsize=CACHE_SIZE)
def distance(tiles: tuple[int, ...]) -> tuple[int, int]:
    """Return how many tiles must be exchanged to complete the hand (1: tenpai), and the mask of the
    kinds that reduce this number. `tiles` are 13, 10, 7, 4 or 1 known concealed tiles."""
    exchanges, wanted = calculate_necessary_tiles(count_kinds(tiles), _FOUR_PLAYERS)
    return exchanges, wanted


class Shape(msgspec.Struct, frozen=True, gc=False):
    """Masks of kinds for concealed tiles, without the melds."""

    completing: int
    """Kinds that complete the tiles."""
    kinds: int
    """Kinds of which there is a tile."""
    pairs: int
    """Kinds of which there are two or more tiles."""
    triplets: int
    quads: int
    runs: int
    """Kinds of which a tile makes a run with two of the tiles."""


_EMPTY_SHAPE: Final = Shape(0, 0, 0, 0, 0, 0)


@lru_cache(maxsize=CACHE_SIZE)
def shape(tiles: tuple[int, ...]) -> Shape:
    """Return the shape of these concealed tiles; an empty one if they are hidden. Right after a
    call, before the discard, no tile completes them."""
    if not tiles or tiles[-1] == HIDDEN:
        return _EMPTY_SHAPE
    ones = twos = threes = fours = 0
    for tile in tiles:
        bit = _KIND_BIT_OF_TILE[tile]
        if not ones & bit:
            ones |= bit
        elif not twos & bit:
            twos |= bit
        elif not threes & bit:
            threes |= bit
        else:
            fours |= bit
    suits = ones & _SUITS_MASK
    above, below = (suits & _RANKS_BELOW_NINE) << 1, (suits & _RANKS_ABOVE_ONE) >> 1
    two_above, two_below = (suits & _RANKS_BELOW_EIGHT) << 2, (suits & _RANKS_ABOVE_TWO) >> 2
    exchanges, wanted = distance(tiles) if len(tiles) % 3 == 1 else (0, 0)
    runs = (above & below) | (above & two_above) | (below & two_below)
    return Shape(wanted if exchanges == 1 else 0, ones, twos, threes, fours, runs)


def waits(tiles: tuple[int, ...], melds: tuple[Meld, ...]) -> int:
    """Return the mask of the kinds that complete the hand; 0 if it is not tenpai.

    A kind of which the hand holds all four tiles is not a wait. There are no waits right after a
    call, before the discard, or for hidden tiles.
    """
    wanted = shape(tiles).completing
    return wanted & ~_kinds_held_completely(tiles, melds) if wanted and melds else wanted


def waits_of(hand: Hand) -> int:
    """Return the `waits` of a seat's hand."""
    return waits(hand.tiles, hand.melds)


@lru_cache(maxsize=CACHE_SIZE)
def _kinds_held_completely(tiles: tuple[int, ...], melds: tuple[Meld, ...]) -> int:
    """Return the mask of the kinds of which the hand holds all four tiles."""
    kinds = [kind_of(tile) for tile in tiles]
    kinds += [kind_of(tile) for meld in melds for tile in meld.tiles]
    mask = 0
    for kind in set(kinds):
        if kinds.count(kind) == 4:
            mask |= 1 << kind
    return mask


def is_closed(melds: tuple[Meld, ...]) -> bool:
    """Return whether the hand is closed. Closed kans leave it closed."""
    return not melds or all(meld.type == MeldType.ANKAN for meld in melds)


def tiles_of_kind(tiles: tuple[int, ...], kind: int) -> tuple[int, ...]:
    """Return the tiles of this kind, red ones last."""
    return tuple([tile for tile in tiles if kind_of(tile) == kind])


def remove_tiles(tiles: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    """Remove `taken`; from a hidden hand, remove that many hidden tiles.

    Raises ``ValueError`` if a tile is missing.
    """
    if tiles and tiles[-1] == HIDDEN:
        return tiles[len(taken) :]
    left = list(tiles)
    for tile in taken:
        left.remove(tile)
    return tuple(left)


def with_tile(tiles: tuple[int, ...], tile: int) -> tuple[int, ...]:
    return tuple(sorted((*tiles, tile)))


def after_discard(
    tiles: tuple[int, ...], drawn: int, pai: int, *, tsumogiri: bool
) -> tuple[int, ...]:
    """Return the concealed tiles after a discard. `drawn` is the drawn tile, or ``NO_TILE`` after a
    call. Raises ``ValueError`` if the hand does not hold `pai`."""
    if tsumogiri or (drawn != NO_TILE and tiles[-1] == HIDDEN):
        return tiles
    left = remove_tiles(tiles, (pai,))
    return left if drawn == NO_TILE else with_tile(left, drawn)


def distinct_pairs(tiles: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return the distinct pairs among these tiles of one kind (a red five differs from a plain
    one)."""
    found = {(first, second) for at, first in enumerate(tiles) for second in tiles[at + 1 :]}
    return tuple(sorted(found))


def runs_with(tiles: tuple[int, ...], claimed: int) -> tuple[tuple[int, int], ...]:
    """Return the distinct pairs of these tiles that form a run with the claimed tile."""
    kind = kind_of(claimed)
    if kind >= EAST:
        return ()
    rank = kind % 9
    found = set()
    for low, high in ((kind - 2, kind - 1), (kind - 1, kind + 1), (kind + 1, kind + 2)):
        if low < kind - rank or high > kind - rank + 8:
            continue
        for lower in tiles_of_kind(tiles, low):
            for higher in tiles_of_kind(tiles, high):
                found.add((lower, higher))
    return tuple(sorted(found))
