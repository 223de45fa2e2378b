"""Kuikae: the kinds that may not be discarded right after a call."""

from __future__ import annotations

from game.engine.rules import RuleSet
from game.engine.tiles import EAST, kind_of


def forbidden_kinds(rules: RuleSet, called: int, consumed: tuple[int, ...]) -> int:
    """Return the mask of the kinds that may not be discarded after calling `called` with two tiles
    of the hand: the called kind and, after chi, the kind at the other end of the run."""
    return forbidden_by_switches(rules.kuikae_same_tile, rules.kuikae_other_end, called, consumed)


def forbidden_by_switches(
    same_tile: bool, other_end: bool, called: int, consumed: tuple[int, ...]
) -> int:
    """Return the mask of `forbidden_kinds` for given values of the two kuikae switches."""
    kind = kind_of(called)
    low, high = kind_of(consumed[0]), kind_of(consumed[-1])
    mask = 0 if same_tile else 1 << kind
    if other_end or low == high or kind >= EAST:
        return mask
    if kind < low and high % 9 < 8:
        mask |= 1 << (high + 1)
    elif kind > high and low % 9 > 0:
        mask |= 1 << (low - 1)
    return mask
