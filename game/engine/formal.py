"""Formal tenpai: whether a hand counts as tenpai at an exhaustive draw.

Owns the switch `own_four_is_noten`, which decides about a wait for a fifth tile of a kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from game.engine.hand import CACHE_SIZE, shape, waits
from game.engine.rules import RuleSet
from game.engine.state import Hand, Meld
from game.engine.tiles import EAST, HIDDEN, KINDS, count_kinds, kind_of, kinds_in


def is_tenpai(rules: RuleSet, hand: Hand) -> bool:
    """Return whether the hand is tenpai under these rules."""
    return are_tenpai(rules, hand.tiles, hand.melds)


def are_tenpai(rules: RuleSet, tiles: tuple[int, ...], melds: tuple[Meld, ...]) -> bool:
    """Return whether these concealed tiles and melds are tenpai. `own_four_is_noten` decides about
    a hand that holds all four tiles of each of its waits."""
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
    """Return whether a fifth tile of a kind completes sets and a pair."""
    if len(tiles) % 3 != 1 or tiles[-1] == HIDDEN:
        return False
    counts = count_kinds(tiles)
    return any(
        _are_sets_and_pair(_changed(counts, {kind: 1})) for kind in kinds_in(shape(tiles).quads)
    )


def _are_sets_and_pair(counts: list[int]) -> bool:
    return any(
        _are_sets(_changed(counts, {kind: -2})) for kind in range(KINDS) if counts[kind] >= 2
    )


def _are_sets(counts: list[int]) -> bool:
    low = next((kind for kind in range(KINDS) if counts[kind]), None)
    return low is None or any(_are_sets(rest) for rest in _without_set(counts, low))


def _without_set(counts: list[int], low: int) -> Iterator[list[int]]:
    """Yield the counts without a set whose lowest kind is `low`."""
    if counts[low] >= 3:
        yield _changed(counts, {low: -3})
    if low < EAST and low % 9 <= 6 and counts[low + 1] and counts[low + 2]:
        yield _changed(counts, {low: -1, low + 1: -1, low + 2: -1})


def _changed(counts: list[int], by: dict[int, int]) -> list[int]:
    return [count + by.get(kind, 0) for kind, count in enumerate(counts)]
