"""How far a hand is from complete, and which tiles bring it nearer.

Hands are lists of 34 counts of concealed tiles only; every open set is three tiles fewer.
Knows nothing of yaku, of other seats or of what a win is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
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
"""With fewer orphans than `_MANY_ORPHANS`, the thirteen orphans are at least so far."""


@lru_cache(maxsize=4096)
def kinds(mask: int) -> tuple[int, ...]:
    """The kinds of a mask, remembered: the same masks come up again and again."""
    return kinds_in(mask)


def shanten(hand: list[int]) -> int:
    """Tiles to exchange until tenpai; -1 for a complete hand."""
    return calculate_replacement_number(hand, _FOUR) - 1


def advance(hand: list[int]) -> tuple[int, int]:
    """Of a hand before its draw: its shanten, and the mask of the kinds that lower it.

    Kinds that only the thirteen orphans could use do not count unless the hand is on its
    way there; they would make a poor hand keep its odd honours.
    """
    replacement, mask = calculate_necessary_tiles(hand, _FOUR)
    distance = replacement - 1
    if distance >= _NEVER_ORPHANS and sum(hand) >= 13 and not is_orphaned(hand):
        mask &= ~_lonely_orphans(hand)
    return distance, mask


def is_orphaned(hand: Sequence[int]) -> bool:
    """Whether so much of the hand is orphans that nothing else will come of it."""
    return sum(hand[kind] for kind in kinds(ORPHANS)) >= _MANY_ORPHANS


def _lonely_orphans(hand: list[int]) -> int:
    """The mask of orphans that would stand alone in the hand."""
    mask = 0
    for kind in kinds(ORPHANS):
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


def spare(hand: list[int]) -> tuple[int, int]:
    """Of a hand after its draw: its shanten, and the mask of the kinds it need not keep."""
    replacement, mask = calculate_unnecessary_tiles(hand, _FOUR)
    return replacement - 1, mask


def outs(mask: int, unseen: Sequence[int]) -> int:
    """How many tiles of these kinds are still to be seen."""
    return sum(unseen[kind] for kind in kinds(mask))


def next_outs(hand: list[int], mask: int, allowed: int, unseen: Sequence[int]) -> float:
    """How many tiles will advance the hand once one of `mask` has come in: the mean over
    the tiles that can come, with the best discard after each. Only `allowed` kinds count.
    `hand` is unchanged."""
    total = weight = 0
    for kind in kinds(mask):
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
    for kind in kinds(spare(hand)[1]):
        hand[kind] -= 1
        best = max(best, outs(advance(hand)[1] & allowed, unseen))
        hand[kind] += 1
    return best


def confined(hand: list[int], allowed: int, fillers: tuple[int, ...]) -> list[int] | None:
    """The hand with every tile outside `allowed` turned into one that fits nothing.

    What is then lacking is lacking within `allowed`. `fillers` are kinds outside of it of
    which no two combine; with more tiles to turn than fillers the answer is None.
    """
    inside = [number if allowed >> kind & 1 else 0 for kind, number in enumerate(hand)]
    for filler in fillers[: sum(hand) - sum(inside)]:
        inside[filler] = 1
    return inside if sum(inside) == sum(hand) else None


def triplet_shanten(hand: list[int], sets_needed: int) -> tuple[int, int]:
    """As `advance`, for a hand of triplets only: `sets_needed` of them and a pair."""
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
    """How many kinds of terminals and honours the hand has."""
    return sum(hand[kind] > 0 for kind in kinds(ORPHANS))


def kokushi_shanten(hand: Sequence[int]) -> int:
    """Tiles to exchange until tenpai for the thirteen orphans."""
    has_pair = any(hand[kind] > 1 for kind in kinds(ORPHANS))
    return 13 - orphan_kinds(hand) - has_pair
