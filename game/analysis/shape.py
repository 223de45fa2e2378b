"""Shanten and useful tiles.

Owns how far a hand is from complete and which kinds bring it nearer. A hand is a list of 34 counts
of its concealed tiles by kind; with each meld it has three tiles fewer. `players` says which kinds
there are. Must not know yaku, other seats or the value of a win.
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

PLAYER_COUNTS: Final = {4: PlayerCount.FOUR, 3: PlayerCount.THREE}
"""The argument of xiangting by the number of players."""
_MIN_KOKUSHI_ORPHANS: Final = 9
"""Terminals and honours from which kokushi is the only goal of a hand."""
_MIN_KOKUSHI_SHANTEN: Final = 4
"""Least kokushi shanten of a hand with fewer orphans than `_MIN_KOKUSHI_ORPHANS`."""


def shanten(counts: list[int], players: int) -> int:
    """Return the shanten of the hand; -1 if it is complete."""
    return calculate_replacement_number(counts, PLAYER_COUNTS[players]) - 1


def shanten_and_useful(counts: list[int], players: int) -> tuple[int, int]:
    """Return the shanten of a hand before its draw, and the mask of the kinds that reduce it.

    Kinds that only kokushi could use count only if kokushi is the hand's only goal; otherwise a
    poor hand would keep isolated honours.
    """
    distance, mask = calculate_necessary_tiles(counts, PLAYER_COUNTS[players])
    hand_shanten = distance - 1
    if hand_shanten >= _MIN_KOKUSHI_SHANTEN and sum(counts) >= 13 and not goes_for_kokushi(counts):
        mask &= ~_isolated_orphans(counts)
    return hand_shanten, mask


def goes_for_kokushi(counts: Sequence[int]) -> bool:
    """Return whether the hand has so many orphans that kokushi is its only goal."""
    return sum(counts[kind] for kind in kinds_in(ORPHANS)) >= _MIN_KOKUSHI_ORPHANS


def _isolated_orphans(counts: list[int]) -> int:
    """Return the mask of the terminals and honours that would have no copy and no neighbour in the
    hand."""
    mask = 0
    for kind in kinds_in(ORPHANS):
        rank = kind % 9
        if kind >= EAST:
            has_neighbour = counts[kind] > 0
        elif rank == 0:
            has_neighbour = sum(counts[kind : kind + 3]) > 0
        else:
            has_neighbour = sum(counts[kind - 2 : kind + 1]) > 0
        if not has_neighbour:
            mask |= 1 << kind
    return mask


def shanten_and_unneeded(counts: list[int], players: int) -> tuple[int, int]:
    """Return the shanten of a hand after its draw, and the mask of the kinds that it can discard
    without raising the shanten."""
    distance, mask = calculate_unnecessary_tiles(counts, PLAYER_COUNTS[players])
    return distance - 1, mask


def count_outs(mask: int, unseen: Sequence[int]) -> int:
    """Count the unseen tiles of the kinds in `mask`. `unseen` are the copies by kind."""
    return sum(unseen[kind] for kind in kinds_in(mask))


def mean_next_outs(
    counts: list[int], mask: int, allowed: int, unseen: Sequence[int], players: int
) -> float:
    """Return the mean number of outs after drawing a tile of `mask` and making the best discard.
    Only kinds of `allowed` count as outs. `counts` is changed during the call and restored."""
    total = weight = 0
    for kind in kinds_in(mask):
        copies = unseen[kind]
        if not copies:
            continue
        counts[kind] += 1
        total += copies * _best_outs(counts, allowed, unseen, players)
        counts[kind] -= 1
        weight += copies
    return total / weight if weight else 0.0


def _best_outs(counts: list[int], allowed: int, unseen: Sequence[int], players: int) -> int:
    best = 0
    for kind in kinds_in(shanten_and_unneeded(counts, players)[1]):
        counts[kind] -= 1
        best = max(best, count_outs(shanten_and_useful(counts, players)[1] & allowed, unseen))
        counts[kind] += 1
    return best


def replace_unusable_tiles(
    counts: list[int], allowed: int, fillers: tuple[int, ...]
) -> list[int] | None:
    """Return the hand with every tile outside `allowed` replaced by a tile that fits nothing.

    The shanten of the result is the shanten with tiles of `allowed` only. `fillers` are kinds
    outside `allowed` that do not combine with each other. Return None if more tiles are to be
    replaced than there are fillers.
    """
    inside = [number if allowed >> kind & 1 else 0 for kind, number in enumerate(counts)]
    for filler in fillers[: sum(counts) - sum(inside)]:
        inside[filler] = 1
    return inside if sum(inside) == sum(counts) else None


def triplet_shanten(counts: list[int], sets_needed: int) -> tuple[int, int]:
    """Return the shanten of a hand before its draw for the goal of `sets_needed` triplets and a
    pair, and the mask of the kinds that reduce it."""
    triplets = sum(number >= 3 for number in counts)
    pairs = sum(number == 2 for number in counts)
    missing = max(0, sets_needed - triplets)
    has_head = pairs > missing or triplets > sets_needed
    distance = 2 * missing - min(pairs, missing) + (not has_head)
    useful = 0
    for kind in range(KINDS):
        if counts[kind] == 2 or (counts[kind] == 1 and pairs <= missing):
            useful |= 1 << kind
    return distance - 1, useful


def orphan_kinds(counts: Sequence[int]) -> int:
    """Return the number of kinds of terminals and honours in the hand."""
    return sum(counts[kind] > 0 for kind in kinds_in(ORPHANS))


def kokushi_shanten(counts: Sequence[int]) -> int:
    """Return the shanten of the hand for kokushi."""
    has_pair = any(counts[kind] > 1 for kind in kinds_in(ORPHANS))
    return 13 - orphan_kinds(counts) - has_pair
