"""What a hand is worth, in points: for each aim the chance to get there in the draws that
are left, times what the win would bring. Knows nothing of danger.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from game.analysis.hand_goals import Aim, aims
from game.analysis.shape import advance, next_outs
from game.analysis.visible_tiles import VisibleTiles
from game.engine.state import RIVER_TILE, Meld
from game.engine.tiles import is_red

_POINTS: Final = (
    700,
    1_300,
    2_400,
    4_700,
    7_700,
    8_500,
    12_000,
    12_500,
    16_000,
    16_500,
    24_000,
)
"""Mean points of a non-dealer's win by han, mixed over the usual fu."""
_SPARED: Final = 1_500
"""What a win spares the seat: what another's win, or an exhaustive draw, would cost."""

_OUTSIDE: Final = 53
"""Unseen tiles when the wall is empty: other hands and the dead wall, roughly."""
_OTHERS_END: Final = 0.055
"""Chance that somebody else ends the hand in one go-around."""
_RON_REACH: Final = 1.9
"""How much likelier a wait is met by four seats' tiles than by the own draws alone."""
_CALL_REACH: Final = 1.9
"""The same for the tiles that an open hand may call to get nearer."""
_IMPROVING: Final = 0.3
"""How far the outs of a hand will drift to the usual number before one of them comes."""
_USUAL_OUTS: Final = (5.5, 14.0, 22.0, 30.0, 36.0, 40.0, 44.0)
"""Tiles that advance a hand, by its shanten, on average."""


def points_for(han: float, is_dealer: bool) -> float:
    """Mean points of a win with so many han, fractions interpolated."""
    last = len(_POINTS) - 1
    lower = min(int(han), last)
    upper = min(lower + 1, last)
    points = _POINTS[lower] + (han - lower) * (_POINTS[upper] - _POINTS[lower])
    return points * 1.5 if is_dealer else points


@lru_cache(maxsize=65536)
def chance(distance: int, number: float, later: float, draws: int, reach: float) -> float:
    """Chance to win from `distance` shanten with `number` outs in `draws` go-arounds.

    `later` is the number of outs at the next shanten, `reach` how much the outs gain by
    what others discard (1 for own draws only).
    """
    if distance < 0:
        return 1.0
    result = 0.0
    stay = 1.0
    for turn in range(draws):
        left = draws - turn
        rate = min(0.9, number * reach / (4 * left + _OUTSIDE))
        win = 1.0 if distance == 0 else _then(distance - 1, later, left - 1, reach)
        result += stay * rate * win
        stay *= max(0.0, 1.0 - rate - _OTHERS_END)
    return result


@lru_cache(maxsize=65536)
def _then(distance: int, number: float, draws: int, reach: float) -> float:
    usual = _usual_outs(distance - 1)
    return chance(distance, number, usual, draws, _RON_REACH if distance == 0 else reach)


def _usual_outs(distance: int) -> float:
    return _USUAL_OUTS[max(0, min(distance, len(_USUAL_OUTS) - 1))]


def aim_worth(sight: VisibleTiles, aim: Aim, later: float = 0.0) -> float:
    """The points that this aim is worth by now; `later` as in `chance`, 0 if unknown."""
    if aim.shanten > 0:
        reach = _CALL_REACH if aim.is_open else 1.0
    else:
        reach = 1.0 if is_furiten(sight, aim.wanted) else _RON_REACH
    number = float(aim.outs)
    if aim.shanten > 0:
        number += _IMPROVING * (aim.scope * _usual_outs(aim.shanten) - number)
    following = later or aim.scope * _usual_outs(aim.shanten - 1)
    odds = chance(aim.shanten, round(number, 1), round(following), sight.draws, reach)
    table = sight.table
    points = points_for(aim.han, sight.is_dealer) if not aim.points else float(aim.points)
    extra = 1_000 * table.kyotaku + table.rules.honba_points * table.honba
    return odds * (points + extra + _SPARED)


def is_furiten(sight: VisibleTiles, waits: int) -> bool:
    """Whether the seat has itself discarded one of its waits."""
    return any(waits >> ((entry & RIVER_TILE) >> 1) & 1 for entry in sight.hand.river)


class Outlook(msgspec.Struct, frozen=True, gc=False):
    """The best that can be made of a hand, and how far it is."""

    worth: float
    aim: Aim | None
    """None if no yaku is within reach."""
    shanten: int
    """Of the hand as it is, whatever the yaku."""
    wanted: int
    """Mask of the kinds that lower it."""


def outlook(
    sight: VisibleTiles,
    hand: list[int],
    melds: tuple[Meld, ...],
    dora: int,
    is_deep: bool = False,
) -> Outlook:
    """Weigh the aims of a hand before its draw. `is_deep` also looks at the waits that a
    hand one away from tenpai will have, which takes a hundred times longer."""
    best: Aim | None = None
    best_worth = 0.0
    for aim in aims(sight, hand, melds, dora):
        worth = aim_worth(sight, aim)
        if worth > best_worth or best is None:
            best, best_worth = aim, worth
    if best is not None and is_deep and best.shanten == 1 and best.shape:
        waits = next_outs(list(best.shape), best.wanted, best.allowed, sight.unseen)
        best_worth = aim_worth(sight, best, waits)
    return Outlook(best_worth, best, *advance(hand))


def dora_held(sight: VisibleTiles, tiles: tuple[int, ...], melds: tuple[Meld, ...]) -> int:
    """Dora and red fives among these tiles and melds."""
    number = sum(sight.dora[tile >> 1] + is_red(tile) for tile in tiles)
    for meld in melds:
        number += sum(sight.dora[tile >> 1] + is_red(tile) for tile in meld.tiles)
    return number
