"""Computes shanten and useful tiles in the simplest way: by trying every division of the hand.
Tests compare the fast code with this."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Final

KINDS: Final = 34
ORPHAN_KINDS: Final = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)


def plain_shanten(hand: Sequence[int]) -> int:
    """Return the shanten of a hand of 3n + 1 or 3n + 2 concealed tiles."""
    return _shanten(tuple(hand))


@cache
def _shanten(hand: tuple[int, ...]) -> int:
    wanted = sum(hand) // 3
    found = 99
    suits = [_divisions(hand[first : first + 9], True) for first in (0, 9, 18)]
    for divisions in product(*suits, _divisions(hand[27:], False)):
        sets = min(wanted, sum(division[0] for division in divisions))
        parts = sum(division[1] for division in divisions)
        pairs = sum(division[2] for division in divisions)
        if pairs <= 1:
            found = min(found, 2 * (wanted - sets) - min(parts, wanted - sets) - pairs)
    if sum(hand) >= 13:
        pairs = sum(number >= 2 for number in hand)
        kinds = sum(number > 0 for number in hand)
        found = min(found, 6 - pairs + max(0, 7 - kinds))
        held = [hand[kind] for kind in ORPHAN_KINDS]
        found = min(found, 13 - sum(map(bool, held)) - any(number > 1 for number in held))
    return found


def plain_useful(hand: Sequence[int]) -> set[int]:
    """Return the kinds that reduce the shanten, without kinds of which the hand holds all four."""
    now = plain_shanten(hand)
    useful = set()
    for kind in range(KINDS):
        if hand[kind] < 4:
            more = list(hand)
            more[kind] += 1
            if plain_shanten(more) < now:
                useful.add(kind)
    return useful


@cache
def _divisions(suit: tuple[int, ...], has_runs: bool) -> frozenset[tuple[int, int, int]]:
    """Divide the tiles of one suit in every possible way; return the number of sets, partial sets
    and pairs of each division. At most one pair is counted as the pair; others count as partial
    sets."""
    first = next((rank for rank, number in enumerate(suit) if number), None)
    if first is None:
        return frozenset({(0, 0, 0)})
    shapes: list[tuple[tuple[int, ...], tuple[int, int, int]]] = [
        ((1,), (0, 0, 0)),
        ((3,), (1, 0, 0)),
        ((2,), (0, 1, 0)),
        ((2,), (0, 0, 1)),
    ]
    if has_runs:
        shapes += [((1, 1, 1), (1, 0, 0)), ((1, 1), (0, 1, 0)), ((1, 0, 1), (0, 1, 0))]
    found = set()
    for steps, gain in shapes:
        rest = list(suit)
        if first + len(steps) > len(rest):
            continue
        for step, number in enumerate(steps):
            rest[first + step] -= number
        if min(rest) >= 0:
            for division in _divisions(tuple(rest), has_runs):
                if division[2] + gain[2] <= 1:
                    found.add((division[0] + gain[0], division[1] + gain[1], division[2] + gain[2]))
    return frozenset(found)
