"""The parts of the fu of a hand, as players count them.

Owns the names of the parts and the tile that each part belongs to. Translates the scoring package's
details into these parts. Must not count fu: `game.engine.value` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from game.engine.tiles import NO_TILE

FuPart = tuple[str, int, int]
"""The cause, the number of fu, and the tile of the part (``NO_TILE`` if it has none)."""

BASE_FU: Final = 20
_WAIT_PARTS: Final = {"penchan": "penchan", "kanchan": "kanchan", "pair_wait": "tanki"}
_PAIR_PARTS: Final = {"valued_pair": "pair", "double_valued_pair": "double_pair"}
_SET_PARTS: Final = {
    "closed_pon": "closed_triplet",
    "closed_terminal_pon": "closed_triplet",
    "open_pon": "open_triplet",
    "open_terminal_pon": "open_triplet",
    "closed_kan": "closed_kan",
    "closed_terminal_kan": "closed_kan",
    "open_kan": "open_kan",
    "open_terminal_kan": "open_kan",
}
_HAND_PARTS: Final = {"tsumo": "tsumo", "hand_without_fu": "open_pinfu"}


def fu_parts(
    details: Sequence[tuple[str, int]], blocks: Sequence[Sequence[int]], winning_kind: int
) -> tuple[FuPart, ...]:
    """Return the parts of the fu of a hand divided into these blocks of kinds.

    `details` are the scoring package's names with their fu, with the triplets in the order of the
    blocks.
    """
    if len(blocks) == 7:
        return (("seven_pairs", details[0][1], NO_TILE),)
    triplets = iter([block[0] for block in blocks if len(block) > 2 and block[0] == block[1]])
    (pair,) = (block[0] for block in blocks if len(block) == 2)
    parts: list[FuPart] = []
    for reason, fu in details:
        if reason == "base":
            parts.insert(0, ("base", BASE_FU, NO_TILE))
            if fu > BASE_FU:
                parts.insert(1, ("closed_ron", fu - BASE_FU, NO_TILE))
        elif reason in _SET_PARTS:
            parts.append((_SET_PARTS[reason], fu, 2 * next(triplets)))
        elif reason in _PAIR_PARTS:
            parts.append((_PAIR_PARTS[reason], fu, 2 * pair))
        elif reason in _WAIT_PARTS:
            parts.append((_WAIT_PARTS[reason], fu, 2 * winning_kind))
        else:
            parts.append((_HAND_PARTS[reason], fu, NO_TILE))
    return tuple(parts)
