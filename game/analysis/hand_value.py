"""The expected value of a hand in points.

Owns the chance to reach each goal in the draws that are left, and the points of the win. Must not
know danger.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from game.analysis.hand_goals import Goal, goals_of
from game.analysis.shape import next_outs, shanten_and_useful
from game.analysis.visible_tiles import VisibleTiles
from game.engine.state import RIVER_TILE, STICK, Meld
from game.engine.tiles import kind_of

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
"""Mean points of a non-dealer's win by han, over the usual fu."""
AVOIDED_LOSS: Final = 1_500
"""The mean loss that a win avoids: another seat's win or an exhaustive draw."""

_OUTSIDE: Final = 53
"""Approximate number of unseen tiles when the wall is empty: other hands and the dead wall."""
_OTHERS_END: Final = 0.055
"""Chance that another seat ends the hand in one go-around."""
_RON_FACTOR: Final = 1.9
"""How much more often a wait comes from all four seats than from the seat's own draws alone."""
_CALL_FACTOR: Final = 1.9
"""The same factor for tiles that an open hand can call."""
_IMPROVING: Final = 0.3
"""How far the outs of a hand move towards the usual number before one of them comes."""
_USUAL_OUTS: Final = (5.5, 14.0, 22.0, 30.0, 36.0, 40.0, 44.0)
"""Mean number of useful tiles by shanten."""


def points_for(han: float, is_dealer: bool) -> float:
    """Return the mean points of a win with so many han, fractions interpolated."""
    last = len(_POINTS) - 1
    lower = min(int(han), last)
    upper = min(lower + 1, last)
    points = _POINTS[lower] + (han - lower) * (_POINTS[upper] - _POINTS[lower])
    return points * 1.5 if is_dealer else points


@lru_cache(maxsize=65536)
def win_probability(distance: int, number: float, later: float, draws: int, factor: float) -> float:
    """Return the chance to win from `distance` shanten with `number` outs in `draws` go-arounds.

    `later` is the number of outs at the next shanten. `factor` is how much the outs gain by the
    discards of others (1 for own draws only).
    """
    if distance < 0:
        return 1.0
    result = 0.0
    stay = 1.0
    for turn in range(draws):
        left = draws - turn
        rate = min(0.9, number * factor / (4 * left + _OUTSIDE))
        win = 1.0 if distance == 0 else _next_win_probability(distance - 1, later, left - 1, factor)
        result += stay * rate * win
        stay *= max(0.0, 1.0 - rate - _OTHERS_END)
    return result


@lru_cache(maxsize=65536)
def _next_win_probability(distance: int, number: float, draws: int, factor: float) -> float:
    usual = _usual_outs(distance - 1)
    return win_probability(distance, number, usual, draws, _RON_FACTOR if distance == 0 else factor)


def _usual_outs(distance: int) -> float:
    return _USUAL_OUTS[max(0, min(distance, len(_USUAL_OUTS) - 1))]


def goal_value(visible: VisibleTiles, goal: Goal, later: float = 0.0) -> float:
    """Return the expected points of this goal. `later` is as in `win_probability`, 0 if unknown."""
    if goal.shanten > 0:
        factor = _CALL_FACTOR if goal.is_open else 1.0
    else:
        factor = 1.0 if is_furiten(visible, goal.wanted) else _RON_FACTOR
    number = float(goal.outs)
    if goal.shanten > 0:
        number += _IMPROVING * (goal.outs_share * _usual_outs(goal.shanten) - number)
    following = later or goal.outs_share * _usual_outs(goal.shanten - 1)
    odds = win_probability(goal.shanten, round(number, 1), round(following), visible.draws, factor)
    table = visible.table
    points = points_for(goal.han, visible.is_dealer) if not goal.points else float(goal.points)
    if visible.stakes is not None:
        return odds * max(0.0, visible.stakes.win(points) + avoided_loss(visible))
    extra = STICK * table.kyotaku + table.rules.honba_points * table.honba
    return odds * (points + extra + AVOIDED_LOSS)


def avoided_loss(visible: VisibleTiles) -> float:
    """Return the worth of what a win avoids."""
    return AVOIDED_LOSS * (visible.stakes.gain_scale if visible.stakes is not None else 1.0)


def is_furiten(visible: VisibleTiles, waits: int) -> bool:
    """Return whether the seat has discarded one of its waits."""
    return any(waits >> kind_of(entry & RIVER_TILE) & 1 for entry in visible.hand.river)


class Estimate(msgspec.Struct, frozen=True, gc=False):
    """The best goal of a hand with its value, and the shanten of the hand."""

    value: float
    goal: Goal | None
    """None if no yaku is within reach."""
    shanten: int
    """Shanten of the hand, whatever its yaku."""
    wanted: int
    """Mask of the kinds that reduce the shanten."""


def estimate(
    visible: VisibleTiles,
    hand: list[int],
    melds: tuple[Meld, ...],
    dora: int,
    is_deep: bool = False,
) -> Estimate:
    """Choose the goal with the highest value for a hand before its draw. `is_deep` also computes
    the waits that a hand at 1 shanten will have, which takes about a hundred times longer."""
    best: Goal | None = None
    best_value = 0.0
    for goal in goals_of(visible, hand, melds, dora):
        value = goal_value(visible, goal)
        if value > best_value or best is None:
            best, best_value = goal, value
    if best is not None and is_deep and best.shanten == 1 and best.shape:
        waits = next_outs(list(best.shape), best.wanted, best.allowed, visible.unseen)
        best_value = goal_value(visible, best, waits)
    return Estimate(best_value, best, *shanten_and_useful(hand))


def count_dora(visible: VisibleTiles, tiles: tuple[int, ...], melds: tuple[Meld, ...]) -> int:
    """Return the number of dora and red fives among these tiles and melds."""
    melded = [tile for meld in melds for tile in meld.tiles]
    return sum(map(visible.dora_in, (*tiles, *melded)))
