"""Bonus han: dora, ura dora and red fives.

Owns which kind an indicator indicates and how bonus tiles are counted. Must not know when
indicators are turned (`game.engine.decide`) or the value of a hand (`game.engine.value`).
"""

from __future__ import annotations

from collections.abc import Sequence

from game.engine.rules import RuleSet
from game.engine.tiles import EAST, HAKU, is_red, kind_of


def indicated_kind(kind: int) -> int:
    """Return the kind that becomes dora by an indicator of this kind: the next one, in a circle."""
    if kind < EAST:
        return kind // 9 * 9 + (kind + 1) % 9
    if kind < HAKU:
        return EAST + (kind - EAST + 1) % 4
    return HAKU + (kind - HAKU + 1) % 3


def bonus_han(
    rules: RuleSet, tiles: Sequence[int], dora: Sequence[int], ura: Sequence[int]
) -> list[tuple[str, int]]:
    """Return the bonus of a hand as ids with their han, without those of 0 han.

    `tiles` are all its tiles, including melds and the winning tile. `dora` and `ura` are the
    indicators that count for the hand.
    """
    kinds = [kind_of(tile) for tile in tiles]
    found = (
        ("dora", sum(kinds.count(indicated_kind(kind_of(tile))) for tile in dora)),
        ("ura", sum(kinds.count(indicated_kind(kind_of(tile))) for tile in ura)),
        ("aka", sum(is_red(tile) and rules.red_fives[tile // 18] > 0 for tile in tiles)),
    )
    return [(name, han) for name, han in found if han]
