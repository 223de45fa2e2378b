"""The points model: rates discards by the value of the remaining hand less the expected cost.

Owns this score, used both to attack and to fold. A hand far from tenpai expects several dangerous
discards before it wins, so its cost is multiplied. Therefore it folds when another seat declares
riichi.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from game.analysis.danger import Threat, discard_costs
from game.analysis.hand_value import Estimate, count_dora, estimate_best_goal
from game.analysis.shape import count_outs
from game.analysis.visible_tiles import VisibleTiles
from game.engine.state import Meld, Riichi
from game.engine.tiles import EAST, count_kinds, kind_of

_DANGEROUS_DISCARDS_PER_SHANTEN: Final = {4: 1.5, 3: 1.0}
"""Number of additional dangerous discards that a hand expects for each shanten, by the number of
players. With three, Careful won more against Hasty by 1.0 than by 0.5, 1.5 or 2.2."""
_REFINE_FROM: Final = 0.7
"""Share of the best value from which an estimate is refined by the waits after the next draw."""
_SHANTEN_LOSS_FACTOR: Final = 0.7
"""Factor for the value after a discard that raises the shanten. Such a hand has many outs, but few
of them improve it, so that its value is overestimated."""
_USEFULNESS_POINTS: Final = 6.0
"""Points subtracted for each step of usefulness of the discarded tile, which decides between
otherwise equal discards."""
_NEAR_DRAW: Final = 6
"""Number of own draws left from which tenpai at an exhaustive draw counts."""
_LATE_END_CHANCE: Final = 0.12
"""Chance that somebody wins in one go-around late in the hand."""
_SHANTEN_POINTS: Final = 40.0
"""Points subtracted for each shanten of a hand without a yaku within reach."""


class RatedDiscard(msgspec.Struct, frozen=True, gc=False):
    """A discard with its score."""

    tile: int
    estimate: Estimate
    """The estimate of the hand after the discard."""
    value: float
    """Value of that hand in points. Comparable only with the other discards of this hand."""
    cost: float
    """Average points that the discard costs by dealing in."""
    score: float
    """Value less cost and less the points for the usefulness of the tile."""

    @property
    def is_affordable(self) -> bool:
        """Whether the value of the remaining hand is at least the cost."""
        return self.value >= self.cost


def rate_discards(
    visible: VisibleTiles,
    tiles: tuple[int, ...],
    melds: tuple[Meld, ...],
    candidates: Iterable[int],
    against: tuple[Threat, ...],
) -> list[RatedDiscard]:
    """Return the rated discards of a hand after its draw, the best first.

    `tiles` are the concealed tiles, `candidates` those of them that may be discarded, `against` the
    seats to defend against.
    """
    counts = count_kinds(tiles)
    dora = count_dora(visible, tiles, melds)
    estimates = {
        tile: _estimate_after(visible, counts, melds, dora, tile, with_next_waits=False)
        for tile in set(candidates)
    }
    least = _REFINE_FROM * max(after.value for after in estimates.values())
    for tile, after in estimates.items():
        if after.shanten <= 1 and after.value >= least:
            estimates[tile] = _estimate_after(
                visible, counts, melds, dora, tile, with_next_waits=True
            )
    costs = discard_costs(visible, against)
    caution = 1.0 + _DANGEROUS_DISCARDS_PER_SHANTEN[visible.players] * max(
        0, min(after.shanten for after in estimates.values())
    )
    least_shanten = _least_shanten(estimates.values())
    draw_worth = _worth_of_tenpai_at_draw(visible)
    rated = []
    for tile, after in estimates.items():
        value = after.value
        if after.goal is None:
            value -= _SHANTEN_POINTS * after.shanten
        else:
            value *= _SHANTEN_LOSS_FACTOR ** (after.goal.shanten - least_shanten[after.goal.name])
        value += draw_worth * _tenpai_probability_at_exhaustive_draw(visible, after)
        cost = caution * costs[kind_of(tile)]
        score = value - cost - _USEFULNESS_POINTS * _usefulness(visible, tile)
        rated.append(RatedDiscard(tile, after, value, cost, score))
    return sorted(rated, key=lambda each: (-each.score, each.tile))


def _worth_of_tenpai_at_draw(visible: VisibleTiles) -> float:
    """Return what tenpai at an exhaustive draw is worth now; 0 more than `_NEAR_DRAW` own draws
    before the exhaustive draw."""
    if visible.stakes is None or visible.own_draws_left > _NEAR_DRAW:
        return 0.0
    tenpais = [hand.riichi != Riichi.NONE for hand in visible.table.hands]
    worth = 0.0
    for mine, sign in ((True, 1), (False, -1)):
        tenpais[visible.seat] = mine
        worth += sign * visible.stakes.draw(tuple(tenpais))
    return max(0.0, worth) * (1 - _LATE_END_CHANCE) ** visible.own_draws_left


def _tenpai_probability_at_exhaustive_draw(visible: VisibleTiles, after: Estimate) -> float:
    """Return the probability that the hand is tenpai when the wall is used up, if nobody wins."""
    if after.shanten <= 0:
        return 1.0
    if after.shanten > 1:
        return 0.0
    unseen = max(1, sum(visible.unseen))
    return (
        1
        - (1 - min(1.0, count_outs(after.useful, visible.unseen) / unseen))
        ** visible.own_draws_left
    )


def _least_shanten(estimates: Iterable[Estimate]) -> dict[str, int]:
    """Return the least shanten of each goal after any of the discards, by name of the goal."""
    least_shanten: dict[str, int] = {}
    for after in estimates:
        if after.goal is not None:
            known = least_shanten.get(after.goal.name, after.goal.shanten)
            least_shanten[after.goal.name] = min(known, after.goal.shanten)
    return least_shanten


def _estimate_after(
    visible: VisibleTiles,
    counts: list[int],
    melds: tuple[Meld, ...],
    dora: int,
    tile: int,
    with_next_waits: bool,
) -> Estimate:
    counts[kind_of(tile)] -= 1
    after = estimate_best_goal(
        visible, counts, melds, dora - visible.dora_in(tile), with_next_waits
    )
    counts[kind_of(tile)] += 1
    return after


def _usefulness(visible: VisibleTiles, tile: int) -> float:
    """Return how useful a tile can become: for future runs, as yakuhai, and as dora even without a
    yaku within reach."""
    kind = kind_of(tile)
    use = 2.0 * visible.dora_in(tile)
    if kind >= EAST:
        return use + (1.2 if visible.yakuhai_han_of(kind) and visible.unseen[kind] > 1 else 0.3)
    return use + (1.0, 2.0, 3.0, 3.0, 3.3)[min(kind % 9, 8 - kind % 9)]
