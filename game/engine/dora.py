"""Bonus han: dora, ura dora and red fives.

Owns what an indicator points to and how bonus tiles are counted. Which indicators lie open,
and when, is not its business; nor is the worth of a hand (`game.engine.value`).
"""

from __future__ import annotations

from collections.abc import Sequence

from game.engine.rules import RuleSet
from game.engine.tiles import EAST, is_red

_HAKU = 31


def indicated_kind(kind: int) -> int:
    """The kind that an indicator of this kind makes dora: the next one, in a circle."""
    if kind < EAST:
        return kind // 9 * 9 + (kind + 1) % 9
    if kind < _HAKU:
        return EAST + (kind - EAST + 1) % 4
    return _HAKU + (kind - _HAKU + 1) % 3


def bonus_han(
    rules: RuleSet, tiles: Sequence[int], dora: Sequence[int], ura: Sequence[int]
) -> list[tuple[str, int]]:
    """The bonus of a hand as ids with their han, without those that bring none.

    `tiles` are all its tiles, melds and winning tile included; `dora` and `ura` are the
    indicators that count for it.
    """
    kinds = [tile >> 1 for tile in tiles]
    found = (
        ("dora", sum(kinds.count(indicated_kind(tile >> 1)) for tile in dora)),
        ("ura", sum(kinds.count(indicated_kind(tile >> 1)) for tile in ura)),
        ("aka", sum(is_red(tile) and rules.red_fives[tile // 18] > 0 for tile in tiles)),
    )
    return [(name, han) for name, han in found if han]
