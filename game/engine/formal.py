"""Formal tenpai: whether a hand counts as tenpai at an exhaustive draw.

Owns the switch `own_four_is_noten`, which decides about a wait for a fifth tile of a kind.
"""

from __future__ import annotations

from functools import lru_cache

from game.engine.hand import CACHE_SIZE, remove_tiles, runs_with, shape, waits
from game.engine.rules import RuleSet
from game.engine.state import Hand, Meld
from game.engine.tiles import kind_of, kinds_in


def is_tenpai(rules: RuleSet, hand: Hand) -> bool:
    """Return whether the hand is tenpai under these rules."""
    return are_tiles_tenpai(rules, hand.tiles, hand.melds)


def are_tiles_tenpai(rules: RuleSet, tiles: tuple[int, ...], melds: tuple[Meld, ...]) -> bool:
    """Return whether these concealed tiles and melds are tenpai. If the hand holds all four tiles
    of each of its waits, `own_four_is_noten` decides."""
    if waits(tiles, melds):
        return True
    has = shape(tiles)
    match rules.own_four_is_noten:
        case "concealed":
            return has.completing != 0
        case "off":
            return has.completing != 0 or (has.quads != 0 and _waits_for_a_fifth(tiles))
        case _:
            return False


def may_wait_for_a_fifth(rules: RuleSet, tiles: tuple[int, ...], drawn: int) -> bool:
    """Return whether a wait for a fifth tile of a kind can make these tiles tenpai after a discard:
    the rules must count it, and all four tiles of a kind must be concealed."""
    has = shape(tiles)
    return rules.own_four_is_noten == "off" and bool(
        has.quads or has.triplets >> kind_of(drawn) & 1
    )


@lru_cache(maxsize=CACHE_SIZE)
def _waits_for_a_fifth(tiles: tuple[int, ...]) -> bool:
    """Return whether a fifth tile of a kind would complete the hand.

    Of five equal tiles at least one is part of a set. Remove that set, and the remaining tiles,
    which hold at most three of the kind, are tenpai and wait for it.
    """
    plain = tuple([2 * kind_of(tile) for tile in tiles])
    return any(
        shape(remove_tiles(plain, (2 * kind, *others))).completing >> kind & 1
        for kind in kinds_in(shape(plain).quads)
        for others in ((2 * kind, 2 * kind), *runs_with(plain, 2 * kind))
    )
