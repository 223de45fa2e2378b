"""Decides whether to set a north aside, at tables of three.

A north set aside is a dora and is replaced at once, so bots keep one only for a hand that it
belongs to, or as a safe tile. The bounds follow strong players at 6,084 such turns of 216 recorded
games: they set 94 % of single norths aside while nobody is in riichi and they hold fewer than eight
kinds of terminals and honours.
"""

from __future__ import annotations

from typing import Final

from game.analysis.shape import orphan_kinds, shanten
from game.analysis.visible_tiles import VisibleTiles
from game.engine.state import Riichi
from game.engine.tiles import NORTH, SUITS, kinds_in

_KOKUSHI_KINDS: Final = 9
"""Kinds of terminals and honours from which north is kept for kokushi. With nine, players keep 77 %
of single norths, with ten all, with eight 23 %."""
_FOLDING_SHANTEN: Final = 2
"""Shanten from which a north is kept as a safe tile against a serious threat. Players keep 62 %
against riichi at 2-shanten, 78 % at 3-shanten, but only 15 % at 1-shanten."""
_NEAR_SHANTEN: Final = 1
"""Up to this shanten, two or three norths stay as a pair or a triplet if the hand needs them.
Players keep all 24 in tenpai; at 1-shanten they keep 50 % of pairs and 77 % of triplets, farther
away 20 %."""
_FLUSH_TILES: Final = 8
"""Tiles of a suit with which two or three norths stay for a flush. With eight, players keep 59 % of
pairs, with nine or more 83 %."""


def is_north_better_aside(visible: VisibleTiles, *, is_threatened: bool) -> bool:
    """Return whether to set a north aside. The seat is on turn after a draw and may do so."""
    counts = visible.counts
    if visible.hand.riichi == Riichi.ACCEPTED:
        return True
    if orphan_kinds(counts) >= _KOKUSHI_KINDS:
        return False
    least = shanten(counts, visible.players)
    if is_threatened and least >= _FOLDING_SHANTEN:
        return False
    if counts[NORTH] == 1:
        return True
    rest = counts.copy()
    rest[NORTH] -= 1
    if shanten(rest, visible.players) <= least:
        return True
    in_suits = (sum(counts[kind] for kind in kinds_in(suit)) for suit in SUITS)
    return least > _NEAR_SHANTEN and max(in_suits) < _FLUSH_TILES
