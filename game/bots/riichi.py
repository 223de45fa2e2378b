"""Decides whether to declare riichi or to keep the hand quiet.

Owns the comparison of both. Riichi adds han and makes a win on a discard possible. But it costs a
stick, warns the other seats, and forces the seat to discard every later draw.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from game.analysis.danger import Threat, discard_costs
from game.analysis.hand_value import avoided_loss, has_discarded_a_wait, points_for, win_probability
from game.analysis.placement import SELF_DRAWN, mean_share, tsumo_share
from game.analysis.shape import count_outs
from game.analysis.visible_tiles import VisibleTiles
from game.bots.discards import RatedDiscard
from game.engine.points import hand_points
from game.engine.progress import last_regular_kyoku
from game.engine.state import STICK_POINTS, Riichi
from game.engine.tiles import KINDS, kinds_in
from game.engine.value import WinContext, value_of

_FURITEN_WAITS: Final = 5
"""Least number of unseen waits for riichi in furiten."""
_LUCK_HAN: Final = {4: 0.65, 3: 0.78}
"""Mean han from ippatsu and ura dora, by the number of players."""
_DECLARED_FACTOR: Final = {4: 1.9, 3: 1.4}
_QUIET_FACTOR: Final = {4: 2.3, 3: 1.6}
"""Ratio of the chance that any seat discards or the seat draws a wait to the chance of its own
draws alone, with riichi and without, by the number of players. Others avoid the waits of a
riichi."""
_LATER_DISCARDS: Final = 5
"""Mean number of own discards between the riichi and the next win, if enough draws are left."""
_LATER_DISCARD_COST: Final = 35.0
"""Mean points that each later discard costs by threats that are not there yet."""
_RESTRAINT: Final = 130.0
_MIN_RESTRAINT: Final = 25.0
"""Points that riichi is worth for each own draw left, because others fold. Measured by playing
hands on from one position with riichi and without (docs/bot-strength.md). `_MIN_RESTRAINT` counts
with another riichi, and in the last hand, in which others play for their place."""


class _MeanWins(NamedTuple):
    """The mean points of wins with riichi (`declared`) and without (`quiet`)."""

    declared: float
    quiet: float
    quiet_ron_outs: int
    """Number of unseen waits on which a ron without riichi has a yaku."""


def is_riichi_better(
    visible: VisibleTiles, best: RatedDiscard, against: tuple[Threat, ...]
) -> bool:
    """Return whether riichi is worth more than the same discard without it."""
    waits = best.estimate.useful
    min_outs = _FURITEN_WAITS if has_discarded_a_wait(visible, waits) else 1
    return count_outs(waits, visible.unseen) >= min_outs and riichi_gain(visible, best, against) > 0


def riichi_gain(visible: VisibleTiles, best: RatedDiscard, against: tuple[Threat, ...]) -> float:
    """Return the worth in points of riichi with this discard less that of the discard alone."""
    waits = best.estimate.useful
    number = count_outs(waits, visible.unseen)
    in_furiten = has_discarded_a_wait(visible, waits)
    win = _mean_wins(visible, best.tile, waits)
    draws = visible.own_draws_left
    players = visible.players
    declared_factor = 1.0 if in_furiten else _DECLARED_FACTOR[players]
    declared_chance = win_probability(0, number, 0, draws, declared_factor, players)
    ron_outs = 0 if in_furiten else win.quiet_ron_outs
    quiet_outs = number + (_QUIET_FACTOR[players] - 1) * ron_outs
    quiet_chance = win_probability(0, round(quiet_outs, 1), 0, draws, 1.0, players)
    gain_scale = loss_scale = 1.0
    if visible.stakes is not None:
        gain_scale, loss_scale = visible.stakes.gain_scale, visible.stakes.loss_scale
    declared = declared_chance * (_worth(visible, win.declared) + avoided_loss(visible))
    declared -= (1 - declared_chance) * STICK_POINTS * loss_scale
    later_danger = _mean_cost(visible, against) / 2 + _LATER_DISCARD_COST * loss_scale
    declared -= min(draws, _LATER_DISCARDS) * later_danger
    declared += _fold_bonus(visible) * draws * gain_scale
    quiet = quiet_chance * (_worth(visible, win.quiet) + avoided_loss(visible))
    return declared - quiet


def _fold_bonus(visible: VisibleTiles) -> float:
    """Return the points that riichi is worth for each own draw left, because others fold."""
    table = visible.table
    others = (table.hands[seat].riichi for seat in table.seats if seat != visible.seat)
    is_last = table.kyoku >= last_regular_kyoku(table.rules)
    if is_last or any(state != Riichi.NONE for state in others):
        return _MIN_RESTRAINT
    return _RESTRAINT


def _worth(visible: VisibleTiles, points: float) -> float:
    """Return the worth of a win for which a discarder would pay `points`."""
    if visible.stakes is not None:
        return visible.stakes.win(points)
    return points * mean_share(visible.table.rules, visible.is_dealer)


def _mean_cost(visible: VisibleTiles, against: tuple[Threat, ...]) -> float:
    """Return the average points that the discard of a random unseen tile costs."""
    costs = discard_costs(visible, against)
    total = sum(visible.unseen)
    return sum(costs[kind] * visible.unseen[kind] for kind in range(KINDS)) / max(1, total)


def _mean_wins(visible: VisibleTiles, discard: int, waits: int) -> _MeanWins:
    table = visible.table
    tiles = list(visible.tiles)
    tiles.remove(discard)
    declared = quiet = 0.0
    total = ron_outs = 0
    drawn = SELF_DRAWN[visible.players]
    for kind in kinds_in(waits):
        copies = visible.unseen[kind]
        if not copies:
            continue
        total += copies

        def points(kind: int, *, riichi: bool, is_tsumo: bool) -> float:
            value = value_of(
                WinContext(
                    rules=table.rules,
                    tiles=tuple(tiles),
                    melds=visible.hand.melds,
                    winning_tile=2 * kind,
                    is_tsumo=is_tsumo,
                    seat_wind=table.wind_of(visible.seat),
                    round_wind=table.round_wind,
                    riichi=riichi,
                    dora=table.dora,
                    honba=table.honba,
                    norths=visible.hand.norths,
                )
            )
            if value is None:
                return 0.0
            exact: float = hand_points(table.rules, value, visible.is_dealer, is_tsumo)
            if is_tsumo:  # `_worth` reduces the points of a ron by what a self-draw pays less
                exact /= tsumo_share(table.rules, visible.is_dealer)
            if not riichi or value.yakuman:
                return exact
            luckier = value.fan + _LUCK_HAN[visible.players]
            return exact * points_for(luckier, False) / points_for(value.fan, False)

        quiet_ron = points(kind, riichi=False, is_tsumo=False)
        quiet_tsumo = points(kind, riichi=False, is_tsumo=True)
        if quiet_ron:
            ron_outs += copies
            quiet += copies * ((1 - drawn) * quiet_ron + drawn * quiet_tsumo)
        else:
            quiet += copies * quiet_tsumo
        declared += copies * (
            (1 - drawn) * points(kind, riichi=True, is_tsumo=False)
            + drawn * points(kind, riichi=True, is_tsumo=True)
        )
    return _MeanWins(declared / max(1, total), quiet / max(1, total), ron_outs)
