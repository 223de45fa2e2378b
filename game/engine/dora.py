"""Bonus han: dora, ura dora, red fives and norths set aside.

Owns which kind an indicator indicates and how bonus tiles are counted. Must not know when
indicators are turned (`game.engine.decide`) or the value of a hand (`game.engine.value`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from game.engine.rules import RuleSet
from game.engine.tiles import (
    DRAGONS,
    KINDS,
    NORTH,
    NOT_IN_PLAY,
    SUITS,
    WINDS,
    is_red,
    kind_of,
    kinds_in,
)

_DORA_CIRCLES: Final = (*SUITS, WINDS, DRAGONS)


def _next_kinds(players: int) -> tuple[int, ...]:
    following = [0] * KINDS
    for circle in _DORA_CIRCLES:
        kinds = kinds_in(circle & ~NOT_IN_PLAY[players])
        for kind, after in zip(kinds, (*kinds[1:], kinds[0]), strict=True):
            following[kind] = after
    return tuple(following)


_INDICATED_KINDS: Final = {players: _next_kinds(players) for players in NOT_IN_PLAY}


def indicated_kind(kind: int, players: int) -> int:
    """Return the dora kind that this indicator kind points to: the next kind in play, in a
    circle."""
    return _INDICATED_KINDS[players][kind]


def bonus_han(
    rules: RuleSet, tiles: Sequence[int], dora: Sequence[int], ura: Sequence[int], norths: int = 0
) -> list[tuple[str, int]]:
    """Return the bonus of a hand as pairs of an id and its han, without entries of 0 han.

    `tiles` are all tiles of the hand, including melds and the winning tile, without the `norths`
    set aside. `dora` and `ura` are the indicators that count for the hand.
    """
    kinds = [kind_of(tile) for tile in tiles] + [NORTH] * norths
    indicated = _INDICATED_KINDS[rules.players]
    found = (
        ("nukidora", norths),
        ("dora", sum(kinds.count(indicated[kind_of(tile)]) for tile in dora)),
        ("ura", sum(kinds.count(indicated[kind_of(tile)]) for tile in ura)),
        ("aka", sum(is_red(tile) and rules.red_fives[tile // 18] > 0 for tile in tiles)),
    )
    return [(name, han) for name, han in found if han]
