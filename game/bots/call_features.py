"""The features of calls: what a strong player looks at before a chi or a pon.

Owns the numbers from which the network `calls` rates each possible call; passing has the rating 0.
They describe the hand before the call, and the hand after the call and its best discard.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from game.analysis.danger import Threat
from game.analysis.hand_goals import Goal, goals_of, open_goals, yakuhai_han_of_hand
from game.analysis.hand_value import count_dora, goal_value
from game.analysis.shape import count_outs, shanten_and_useful
from game.analysis.visible_tiles import VisibleTiles
from game.bots.discards import RatedDiscard
from game.bots.features import situation_of
from game.engine.state import Meld, MeldType
from game.engine.tiles import EAST, KINDS, ORPHANS, count_kinds, kind_of, kinds_in

_GOALS: Final = ("closed", "tanyao", "flush", "yakuhai", "yakuhai_pair", "toitoi")
_OPEN_GOALS: Final = _GOALS[1:]
_FAR_SHANTEN: Final = 5
"""Stands for the shanten of a goal that is out of reach."""


def passing_features(visible: VisibleTiles, against: tuple[Threat, ...]) -> list[float]:
    """Return the features of the hand before a call. All calls of one discard share them."""
    counts, melds = visible.counts, visible.hand.melds
    dora = count_dora(visible, visible.tiles, melds)
    shanten, useful = shanten_and_useful(counts, visible.players)
    goals = goals_of(visible, counts, melds, dora)
    values = {goal.name: goal_value(visible, goal) for goal in goals}
    return [
        *situation_of(visible, melds, against),
        *(shanten == number for number in range(5)),
        count_outs(useful, visible.unseen) / 20,
        dora / 3,
        *_count_features(visible, counts),
        *(shanten / 3 for shanten in _shanten_by_goal(goals, _GOALS)),
        max([*values.values(), 0.0]) / 3_000,
        values.get("closed", 0.0) / 3_000,
        yakuhai_han_of_hand(visible, counts, melds),
        *(
            (visible.table.turn - visible.seat) % len(visible.table.hands) == step
            for step in (1, 2)
        ),
    ]


def call_features(
    visible: VisibleTiles, meld: Meld, rest: tuple[int, ...], after: RatedDiscard
) -> list[float]:
    """Return the features of the call that makes `meld`. `rest` are the concealed tiles after the
    call, and `after` is the discard that follows."""
    kind = kind_of(meld.called)
    melds = (*visible.hand.melds, meld)
    counts = count_kinds(rest)
    counts[kind_of(after.tile)] -= 1
    dora = count_dora(visible, rest, melds)
    goals = open_goals(visible, counts, melds, dora - visible.dora_in(after.tile))
    goal = after.estimate.goal
    shanten = after.estimate.shanten
    return [
        meld.type == MeldType.PON,
        visible.yakuhai_han_of(kind),
        kind >= EAST,
        kind < EAST and ORPHANS >> kind & 1,
        visible.unseen[kind] / 3,
        sum(map(visible.dora_in, meld.tiles)) / 2,
        shanten_and_useful(visible.counts, visible.players)[0] - shanten,
        *(shanten == number for number in range(-1, 4)),
        count_outs(after.estimate.useful, visible.unseen) / 20,
        (goal.shanten if goal else _FAR_SHANTEN) / 3,
        (goal.outs if goal else 0) / 20,
        (goal.han if goal else 0) / 4,
        *(goal is not None and goal.name == name for name in _GOALS),
        *(shanten / 3 for shanten in _shanten_by_goal(goals, _OPEN_GOALS)),
        after.value / 3_000,
        after.cost / 1_000,
        visible.dora_in(after.tile),
        dora / 3,
        *_count_features(visible, counts),
    ]


def _shanten_by_goal(goals: Iterable[Goal], names: tuple[str, ...]) -> Iterable[int]:
    """Return the least shanten of each goal in `names`, in their order."""
    found = dict.fromkeys(names, _FAR_SHANTEN)
    for goal in goals:
        if goal.name in found:
            found[goal.name] = min(found[goal.name], goal.shanten)
    return found.values()


def _count_features(visible: VisibleTiles, counts: list[int]) -> list[float]:
    """Return features for the number of pairs, of terminals and honours, and of yakuhai pairs."""
    return [
        sum(number >= 2 for number in counts) / 3,
        sum(counts[kind] for kind in kinds_in(ORPHANS)) / 5,
        sum(counts[kind] >= 2 and visible.yakuhai_han_of(kind) > 0 for kind in range(EAST, KINDS)),
    ]
