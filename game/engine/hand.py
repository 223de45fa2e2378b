"""What the concealed tiles of one seat can become: waits, and what a set can be made of.

Pure functions of tiles and melds, remembered, since only one hand changes at a time.
Knows nothing of yaku, furiten or whose turn it is. The only module of the engine that knows
`xiangting`, which tells how far a hand is from complete.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from xiangting import PlayerCount, calculate_necessary_tiles

from game.engine.state import Hand, Meld
from game.engine.tiles import EAST, HIDDEN, KINDS, ORPHANS

_FOUR: Final = PlayerCount.FOUR
REMEMBERED: Final = 16_384
"""Hands of some thousands of tables."""
_TENPAI_ORPHANS: Final = 12
"""Kinds of terminals and honours in a hand that waits for the thirteenth."""
_BIT_OF: Final = tuple(1 << (tile >> 1) for tile in range(2 * KINDS))
_SUITS: Final = (1 << EAST) - 1
_ABOVE_ONE: Final = sum(1 << kind for kind in range(EAST) if kind % 9 > 0)
_ABOVE_TWO: Final = sum(1 << kind for kind in range(EAST) if kind % 9 > 1)
_BELOW_EIGHT: Final = sum(1 << kind for kind in range(EAST) if kind % 9 < 7)
_BELOW_NINE: Final = sum(1 << kind for kind in range(EAST) if kind % 9 < 8)


@lru_cache(maxsize=REMEMBERED)
def distance(tiles: tuple[int, ...]) -> tuple[int, int]:
    """Tiles to exchange until the concealed tiles are complete (1: tenpai), and the mask of
    the kinds that bring them nearer. Tiles may be 13, 10, 7, 4 or 1, all of them known."""
    counts = [0] * KINDS
    for tile in tiles:
        counts[tile >> 1] += 1
    exchanges, wanted = calculate_necessary_tiles(counts, _FOUR)
    return exchanges, wanted


def waits(tiles: tuple[int, ...], melds: tuple[Meld, ...]) -> int:
    """The mask of the kinds that complete the hand; 0 if it is not tenpai.

    A kind of which the hand holds all four tiles is none of its waits. Right after a call,
    when a discard is still owed, and for hidden tiles, there are no waits.
    """
    wanted = _completing(tiles)
    return wanted & ~_exhausted(tiles, melds) if wanted and melds else wanted


def waits_of(hand: Hand) -> int:
    """`waits` of a seat's hand."""
    return waits(hand.tiles, hand.melds)


@lru_cache(maxsize=REMEMBERED)
def _completing(tiles: tuple[int, ...]) -> int:
    """The mask of the kinds that complete these concealed tiles, melds not looked at."""
    if len(tiles) % 3 != 1 or tiles[-1] == HIDDEN or _is_scattered(tiles):
        return 0
    exchanges, wanted = distance(tiles)
    return wanted if exchanges == 1 else 0


def _is_scattered(tiles: tuple[int, ...]) -> bool:
    """Whether the tiles are surely far from complete: two of them or more stand alone, with no
    other of their kind and none within two of them, and it is not seven pairs or thirteen orphans
    that is being made."""
    ones = twos = 0
    for tile in tiles:
        bit = _BIT_OF[tile]
        twos |= ones & bit
        ones |= bit
    suits = ones & _SUITS
    near = (
        (suits & _BELOW_NINE) << 1
        | (suits & _ABOVE_ONE) >> 1
        | (suits & _BELOW_EIGHT) << 2
        | (suits & _ABOVE_TWO) >> 2
    )
    alone = ones & ~twos & ~near
    if alone.bit_count() < 2 or twos.bit_count() >= 6:
        return False
    return (ones & ORPHANS).bit_count() < _TENPAI_ORPHANS


@lru_cache(maxsize=REMEMBERED)
def _exhausted(tiles: tuple[int, ...], melds: tuple[Meld, ...]) -> int:
    """The mask of the kinds of which the hand holds all four tiles."""
    kinds = [tile >> 1 for tile in tiles]
    kinds += [tile >> 1 for meld in melds for tile in meld.tiles]
    mask = 0
    for kind in set(kinds):
        if kinds.count(kind) == 4:
            mask |= 1 << kind
    return mask


def makes_run(tiles: tuple[int, ...], kind: int) -> bool:
    """Whether one tile of this kind makes a run with two of these."""
    if kind >= EAST:
        return False
    rank = kind % 9
    below, above = rank > 0 and _has(tiles, kind - 1), rank < 8 and _has(tiles, kind + 1)
    return (
        (below and above)
        or (below and rank > 1 and _has(tiles, kind - 2))
        or (above and rank < 7 and _has(tiles, kind + 2))
    )


def _has(tiles: tuple[int, ...], kind: int) -> bool:
    return 2 * kind in tiles or 2 * kind + 1 in tiles


def of_kind(tiles: tuple[int, ...], kind: int) -> tuple[int, ...]:
    """The tiles of this kind, red ones last."""
    return tuple([tile for tile in tiles if tile >> 1 == kind])


def without(tiles: tuple[int, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    """The tiles without the `taken` ones; from hidden tiles as many hidden ones go.

    Raises ``ValueError`` if a tile is not there.
    """
    if tiles and tiles[-1] == HIDDEN:
        return tiles[len(taken) :]
    left = list(tiles)
    for tile in taken:
        left.remove(tile)
    return tuple(left)


def with_tile(tiles: tuple[int, ...], tile: int) -> tuple[int, ...]:
    """The tiles with one more, sorted."""
    return tuple(sorted((*tiles, tile)))


@lru_cache(maxsize=REMEMBERED)
def pairs_of(tiles: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The different pairs that can be laid down of these tiles of one kind."""
    found = {(one, other) for at, one in enumerate(tiles) for other in tiles[at + 1 :]}
    return tuple(sorted(found))


@lru_cache(maxsize=REMEMBERED)
def runs_with(tiles: tuple[int, ...], claimed: int) -> tuple[tuple[int, int], ...]:
    """The different pairs of these tiles that make a run with the claimed one."""
    kind = claimed >> 1
    if kind >= EAST:
        return ()
    rank = kind % 9
    found = set()
    for low, high in ((kind - 2, kind - 1), (kind - 1, kind + 1), (kind + 1, kind + 2)):
        if low < kind - rank or high > kind - rank + 8:
            continue
        for one in of_kind(tiles, low):
            for other in of_kind(tiles, high):
                found.add((one, other))
    return tuple(sorted(found))
