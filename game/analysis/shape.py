"""Shanten and useful tiles.

Owns how far a hand is from complete and which kinds bring it nearer. Hands are lists of 34 counts
of concealed tiles; each open meld means three tiles fewer. Must not know yaku, other seats or the
value of a win.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from xiangting import (
    PlayerCount,
    calculate_necessary_tiles,
    calculate_replacement_number,
    calculate_unnecessary_tiles,
)

from game.engine.tiles import EAST, KINDS, ORPHANS, kinds_in

_FOUR: Final = PlayerCount.FOUR
_MANY_ORPHANS: Final = 9
_NEVER_ORPHANS: Final = 4
"""Least shanten of kokushi with fewer orphans than `_MANY_ORPHANS`."""


def shanten(hand: list[int]) -> int:
    """Return the shanten of the hand; -1 if it is complete."""
    return calculate_replacement_number(hand, _FOUR) - 1


def shanten_and_useful(hand: list[int]) -> tuple[int, int]:
    """Return the shanten of a hand before its draw, and the mask of the kinds that reduce it.

    Kinds that only kokushi could use count only for a hand of many orphans; otherwise a poor hand
    would keep isolated honours.
    """
    replacement, mask = calculate_necessary_tiles(hand, _FOUR)
    distance = replacement - 1
    if distance >= _NEVER_ORPHANS and sum(hand) >= 13 and not is_orphaned(hand):
        mask &= ~_isolated_orphans(hand)
    return distance, mask


def is_orphaned(hand: Sequence[int]) -> bool:
    """Return whether the hand has so many orphans that kokushi is its only goal."""
    return sum(hand[kind] for kind in kinds_in(ORPHANS)) >= _MANY_ORPHANS


def _isolated_orphans(hand: list[int]) -> int:
    """Return the mask of the orphans that would be isolated in the hand."""
    mask = 0
    for kind in kinds_in(ORPHANS):
        rank = kind % 9
        if kind >= EAST:
            has_company = hand[kind] > 0
        elif rank == 0:
            has_company = sum(hand[kind : kind + 3]) > 0
        else:
            has_company = sum(hand[kind - 2 : kind + 1]) > 0
        if not has_company:
            mask |= 1 << kind
    return mask


def shanten_and_unneeded(hand: list[int]) -> tuple[int, int]:
    """Return the shanten of a hand after its draw, and the mask of the kinds that it does not
    need."""
    replacement, mask = calculate_unnecessary_tiles(hand, _FOUR)
    return replacement - 1, mask


def outs(mask: int, unseen: Sequence[int]) -> int:
    """Return the number of unseen tiles of these kinds."""
    return sum(unseen[kind] for kind in kinds_in(mask))


def next_outs(hand: list[int], mask: int, allowed: int, unseen: Sequence[int]) -> float:
    """Return the mean number of outs after one of the kinds in `mask` has come, with the best
    discard after each. Only `allowed` kinds count. `hand` is unchanged."""
    total = weight = 0
    for kind in kinds_in(mask):
        copies = unseen[kind]
        if not copies:
            continue
        hand[kind] += 1
        total += copies * _best_outs(hand, allowed, unseen)
        hand[kind] -= 1
        weight += copies
    return total / weight if weight else 0.0


def _best_outs(hand: list[int], allowed: int, unseen: Sequence[int]) -> int:
    best = 0
    for kind in kinds_in(shanten_and_unneeded(hand)[1]):
        hand[kind] -= 1
        best = max(best, outs(shanten_and_useful(hand)[1] & allowed, unseen))
        hand[kind] += 1
    return best


def restricted(hand: list[int], allowed: int, fillers: tuple[int, ...]) -> list[int] | None:
    """Return the hand with every tile outside `allowed` replaced by one that fits nothing.

    What the hand then lacks is lacking within `allowed`. `fillers` are kinds outside of it that do
    not combine with each other. None if more tiles are to be replaced than there are fillers.
    """
    inside = [number if allowed >> kind & 1 else 0 for kind, number in enumerate(hand)]
    for filler in fillers[: sum(hand) - sum(inside)]:
        inside[filler] = 1
    return inside if sum(inside) == sum(hand) else None


def triplet_shanten(hand: list[int], sets_needed: int) -> tuple[int, int]:
    """Return the same as `shanten_and_useful` for a hand of `sets_needed` triplets and a pair."""
    triplets = sum(number >= 3 for number in hand)
    pairs = sum(number == 2 for number in hand)
    missing = max(0, sets_needed - triplets)
    has_head = pairs > missing or triplets > sets_needed
    exchanges = 2 * missing - min(pairs, missing) + (not has_head)
    wanted = 0
    for kind in range(KINDS):
        if hand[kind] == 2 or (hand[kind] == 1 and pairs <= missing):
            wanted |= 1 << kind
    return exchanges - 1, wanted


def orphan_kinds(hand: Sequence[int]) -> int:
    """Return the number of kinds of terminals and honours in the hand."""
    return sum(hand[kind] > 0 for kind in kinds_in(ORPHANS))


def kokushi_shanten(hand: Sequence[int]) -> int:
    """Return the shanten of the hand for kokushi."""
    has_pair = any(hand[kind] > 1 for kind in kinds_in(ORPHANS))
    return 13 - orphan_kinds(hand) - has_pair
