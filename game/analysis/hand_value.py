"""The expected value of a hand in points.

Owns the chance to reach each goal in the draws that are left, and the points of the win. Must not
know danger.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from game.analysis.hand_goals import Goal, goals_of
from game.analysis.placement import mean_share
from game.analysis.shape import mean_next_outs, shanten_and_useful
from game.analysis.visible_tiles import VisibleTiles
from game.engine.state import RIVER_TILE, STICK_POINTS, Meld
from game.engine.tiles import NORTH, kind_of

_POINTS_BY_HAN: Final = (
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
"""Mean points of a non-dealer's win by han, for the usual fu."""

_OUTS_CORRECTION: Final = 0.3
"""Share of the difference to `_Pace.usual_outs` by which the outs are corrected, because they
change before one is drawn."""


class _Pace(NamedTuple):
    """How fast hands are completed."""

    unseen_at_end: int
    """Approximate number of unseen tiles when the wall is empty: other hands and the dead wall."""
    others_end: float
    """Chance that another seat ends the hand in one go-around."""
    ron_factor: float
    """Ratio of the chance that any seat discards or the seat draws a wait to the chance of its own
    draws alone."""
    call_factor: float
    """Ratio of the chance that a hand with open melds calls or draws a useful tile to the chance of
    its own draws alone."""
    usual_outs: tuple[float, ...]
    """Mean number of outs by shanten."""
    avoided_loss: int
    """Points that a win saves on average, because no other seat wins and the hand is not drawn."""


_PACES: Final = {
    4: _Pace(53, 0.055, 1.9, 1.9, (5.5, 14.0, 22.0, 30.0, 36.0, 40.0, 44.0), 1_500),
    3: _Pace(38, 0.08, 1.4, 1.0, (5.0, 13.4, 24.3, 38.7, 51.0, 59.0, 59.0), 2_500),
}
"""By the number of players. Those of three fit the share of wins, by shanten, of 62,000 hands after
a discard in 216 recorded games."""


def points_for(han: float, is_dealer: bool) -> float:
    """Return the mean points of a win with `han`, interpolated for fractions."""
    last = len(_POINTS_BY_HAN) - 1
    lower = min(int(han), last)
    upper = min(lower + 1, last)
    points = _POINTS_BY_HAN[lower] + (han - lower) * (_POINTS_BY_HAN[upper] - _POINTS_BY_HAN[lower])
    return points * 1.5 if is_dealer else points


@lru_cache(maxsize=65536)
def win_probability(
    shanten: int, outs: float, later_outs: float, go_arounds: int, factor: float, players: int
) -> float:
    """Return the chance to win from this shanten within a number of go-arounds.

    `outs` is the number of outs now, `later_outs` the number after the shanten falls by 1. `factor`
    multiplies the outs because tiles that others discard count too (1: own draws only).
    """
    if shanten < 0:
        return 1.0
    pace = _PACES[players]
    result = 0.0
    stay = 1.0
    for turn in range(go_arounds):
        left = go_arounds - turn
        rate = min(0.9, outs * factor / (players * left + pace.unseen_at_end))
        win = (
            1.0
            if shanten == 0
            else _next_win_probability(shanten - 1, later_outs, left - 1, factor, players)
        )
        result += stay * rate * win
        stay *= max(0.0, 1.0 - rate - pace.others_end)
    return result


@lru_cache(maxsize=65536)
def _next_win_probability(
    shanten: int, outs: float, go_arounds: int, factor: float, players: int
) -> float:
    pace = _PACES[players]
    if shanten == 0:
        factor = pace.ron_factor
    later_outs = _usual_outs(pace, shanten - 1)
    return win_probability(shanten, outs, later_outs, go_arounds, factor, players)


def _usual_outs(pace: _Pace, shanten: int) -> float:
    return pace.usual_outs[max(0, min(shanten, len(pace.usual_outs) - 1))]


def goal_value(visible: VisibleTiles, goal: Goal, later_outs: float = 0.0) -> float:
    """Return the expected points of this goal. `later_outs` is the number of outs after the shanten
    falls by 1; 0 if it is not known."""
    pace = _PACES[visible.players]
    if goal.shanten > 0:
        factor = pace.call_factor if goal.is_open else 1.0
    else:
        factor = 1.0 if has_discarded_a_wait(visible, goal.useful) else pace.ron_factor
    outs = float(goal.outs)
    if goal.shanten > 0:
        outs += _OUTS_CORRECTION * (goal.outs_share * _usual_outs(pace, goal.shanten) - outs)
    later_outs = later_outs or goal.outs_share * _usual_outs(pace, goal.shanten - 1)
    chance = win_probability(
        goal.shanten,
        round(outs, 1),
        round(later_outs),
        visible.own_draws_left,
        factor,
        visible.players,
    )
    table = visible.table
    points = points_for(goal.han, visible.is_dealer) if not goal.points else float(goal.points)
    if visible.stakes is not None:
        return chance * max(0.0, visible.stakes.win(points) + avoided_loss(visible))
    extra = STICK_POINTS * table.kyotaku + table.rules.honba_points * table.honba
    points *= mean_share(table.rules, visible.is_dealer)
    return chance * (points + extra + pace.avoided_loss)


def avoided_loss(visible: VisibleTiles) -> float:
    """Return the points that a player saves by winning before others do (`_Pace.avoided_loss`),
    adjusted to the place in the game."""
    saved = _PACES[visible.players].avoided_loss
    return saved * (visible.stakes.gain_scale if visible.stakes is not None else 1.0)


def has_discarded_a_wait(visible: VisibleTiles, waits: int) -> bool:
    """Return whether the seat has discarded one of its waits."""
    return any(waits >> kind_of(entry & RIVER_TILE) & 1 for entry in visible.hand.river)


class Estimate(msgspec.Struct, frozen=True, gc=False):
    """The best goal of a hand with its value, and the shanten of the hand."""

    value: float
    goal: Goal | None
    """None if no yaku is within reach."""
    shanten: int
    """Shanten of the hand, with or without a yaku."""
    useful: int
    """Mask of the kinds that reduce this shanten."""


def estimate_best_goal(
    visible: VisibleTiles,
    hand: list[int],
    melds: tuple[Meld, ...],
    dora: int,
    with_next_waits: bool = False,
) -> Estimate:
    """Return the goal with the highest value for a hand before its draw.

    `with_next_waits` computes for a goal at 1-shanten the mean number of waits after the next
    useful tile, instead of the usual number. This takes about a hundred times longer.
    """
    best: Goal | None = None
    best_value = 0.0
    for goal in goals_of(visible, hand, melds, dora):
        value = goal_value(visible, goal)
        if value > best_value or best is None:
            best, best_value = goal, value
    if best is not None and with_next_waits and best.shanten == 1 and best.shape:
        waits = mean_next_outs(
            list(best.shape), best.useful, best.allowed, visible.unseen, visible.players
        )
        best_value = goal_value(visible, best, waits)
    return Estimate(best_value, best, *shanten_and_useful(hand, visible.players))


def count_dora(visible: VisibleTiles, tiles: tuple[int, ...], melds: tuple[Meld, ...]) -> int:
    """Return the number of dora and red fives among these tiles and melds, and in the norths that
    the seat has set aside."""
    melded = [tile for meld in melds for tile in meld.tiles]
    norths = visible.hand.norths * (1 + visible.dora[NORTH]) if visible.hand.norths else 0
    return sum(map(visible.dora_in, (*tiles, *melded))) + norths
