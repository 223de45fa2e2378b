"""Kuikae: the discards that are forbidden right after a call."""

from __future__ import annotations

from game.engine.rules import RuleSet
from game.engine.tiles import EAST


def forbidden_kinds(rules: RuleSet, called: int, consumed: tuple[int, ...]) -> int:
    """The mask of the kinds that may not be discarded after calling `called` with two tiles
    of the own hand: the called kind, and of a run the one at its other end."""
    return forbidden_by(rules.kuikae_same_tile, rules.kuikae_other_end, called, consumed)


def forbidden_by(same_tile: bool, other_end: bool, called: int, consumed: tuple[int, ...]) -> int:
    """As `forbidden_kinds`, of the two switches alone."""
    kind = called >> 1
    low, high = consumed[0] >> 1, consumed[-1] >> 1
    mask = 0 if same_tile else 1 << kind
    if other_end or low == high or kind >= EAST:
        return mask
    if kind < low and high % 9 < 8:
        mask |= 1 << (high + 1)
    elif kind > high and low % 9 > 0:
        mask |= 1 << (low - 1)
    return mask
