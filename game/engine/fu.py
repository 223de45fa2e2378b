"""The parts of the fu of a hand, as people count them.

Owns the names of the parts and the tile that each part belongs to. Translates the details of the
scoring package. Must not count fu: `game.engine.value` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from game.engine.tiles import NO_TILE

FuPart = tuple[str, int, int]
"""The cause, the number of fu, and the tile of the part (``NO_TILE`` if it has none)."""

BASE: Final = 20
_OF_WAIT: Final = {"penchan": "penchan", "kanchan": "kanchan", "pair_wait": "tanki"}
_OF_PAIR: Final = {"valued_pair": "pair", "double_valued_pair": "double_pair"}
_OF_SET: Final = {
    "closed_pon": "closed_triplet",
    "closed_terminal_pon": "closed_triplet",
    "open_pon": "open_triplet",
    "open_terminal_pon": "open_triplet",
    "closed_kan": "closed_kan",
    "closed_terminal_kan": "closed_kan",
    "open_kan": "open_kan",
    "open_terminal_kan": "open_kan",
}
_OF_HAND: Final = {"tsumo": "tsumo", "hand_without_fu": "open_pinfu"}


def fu_parts(
    details: Sequence[tuple[str, int]], blocks: Sequence[Sequence[int]], winning_kind: int
) -> tuple[FuPart, ...]:
    """Return the parts of the fu of a hand that is divided into these blocks of kinds.

    `details` are the package's names with their fu, the triplets in the order of the blocks.
    """
    if len(blocks) == 7:
        return (("seven_pairs", details[0][1], NO_TILE),)
    triplets = iter([block[0] for block in blocks if len(block) > 2 and block[0] == block[1]])
    (pair,) = (block[0] for block in blocks if len(block) == 2)
    parts: list[FuPart] = []
    for reason, fu in details:
        if reason == "base":
            parts.insert(0, ("base", BASE, NO_TILE))
            if fu > BASE:
                parts.insert(1, ("closed_ron", fu - BASE, NO_TILE))
        elif reason in _OF_SET:
            parts.append((_OF_SET[reason], fu, 2 * next(triplets)))
        elif reason in _OF_PAIR:
            parts.append((_OF_PAIR[reason], fu, 2 * pair))
        elif reason in _OF_WAIT:
            parts.append((_OF_WAIT[reason], fu, 2 * winning_kind))
        else:
            parts.append((_OF_HAND[reason], fu, NO_TILE))
    return tuple(parts)
