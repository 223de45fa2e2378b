"""Decides by points whether to call; only calls that lead to a yaku and reduce the shanten.

Owns the hand after a call: the meld, the concealed tiles and the best discard.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from game.analysis.danger import Threat
from game.analysis.hand_goals import open_goals
from game.analysis.hand_value import count_dora, estimate_best_goal
from game.analysis.visible_tiles import VisibleTiles
from game.bots.discards import RatedDiscard, rate_discards
from game.engine.actions import Action, CallChi, CallPon
from game.engine.kuikae import forbidden_kinds
from game.engine.state import Meld, MeldType
from game.engine.tiles import kind_of

_MIN_GAIN: Final = 1.02
"""Factor by which a call has to raise the value of the hand."""
_NO_GOAL_SHANTEN: Final = 99
"""Stands for the shanten of a hand without a goal that allows calls; above every real shanten."""


class CallOption(NamedTuple):
    """The hand after a call."""

    meld: Meld
    rest: tuple[int, ...]
    """The concealed tiles after the call, before the discard."""
    discard: RatedDiscard
    """The discard with the highest score."""


def best_call(
    visible: VisibleTiles, actions: tuple[Action, ...], against: tuple[Threat, ...]
) -> Action | None:
    """Return the call with the highest value, or None if passing is better.

    Open kans are never called: they show a set, add a dora, and do not reduce the shanten.
    """
    hand = visible.hand
    dora = count_dora(visible, visible.tiles, hand.melds)
    now = estimate_best_goal(visible, visible.counts, hand.melds, dora, with_next_waits=True)
    open_shanten = min(
        (goal.shanten for goal in open_goals(visible, visible.counts, hand.melds, dora)),
        default=_NO_GOAL_SHANTEN,
    )
    is_threatened = any(threat.is_serious for threat in against)
    best: Action | None = None
    best_score = now.value * _MIN_GAIN
    for action in actions:
        if not isinstance(action, CallChi | CallPon):
            continue
        option = call_option(visible, action, against)
        if option is None:
            continue
        after = option.discard
        if after.estimate.goal is None or not after.is_affordable:
            continue
        shanten = after.estimate.goal.shanten
        if shanten >= open_shanten or (is_threatened and shanten > 1):
            continue
        score = after.value - after.cost
        if score > best_score:
            best, best_score = action, score
    return best


def call_option(
    visible: VisibleTiles, call: CallChi | CallPon, against: tuple[Threat, ...]
) -> CallOption | None:
    """Return the hand after the call with its best discard. Return None if kuikae forbids every
    discard."""
    table = visible.table
    rest = list(visible.tiles)
    for tile in call.consumed:
        rest.remove(tile)
    kind = MeldType.CHI if isinstance(call, CallChi) else MeldType.PON
    meld = Meld(kind, tuple(sorted((*call.consumed, table.claimed))), table.claimed, table.turn)
    forbidden = forbidden_kinds(table.rules, table.claimed, call.consumed)
    candidates = [tile for tile in rest if not forbidden >> kind_of(tile) & 1]
    if not candidates:
        return None
    melds = (*visible.hand.melds, meld)
    discard = rate_discards(visible, tuple(rest), melds, candidates, against)[0]
    return CallOption(meld, tuple(rest), discard)
