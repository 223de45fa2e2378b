"""Whether to take an open tile: only towards a yaku, and only if it brings the hand nearer."""

from __future__ import annotations

from typing import Final

from game.analysis.danger import Threat
from game.analysis.hand_goals import open_aims
from game.analysis.hand_value import dora_held, outlook
from game.analysis.visible_tiles import VisibleTiles
from game.bots.discards import Weighed, weigh
from game.engine.actions import Action, CallChi, CallPon
from game.engine.state import Meld, MeldType
from game.engine.tiles import KINDS

_GAIN: Final = 1.02
"""By how much a call has to raise the worth of the hand."""
_FAR: Final = 99


def worthwhile_call(
    sight: VisibleTiles, actions: tuple[Action, ...], against: tuple[Threat, ...]
) -> Action | None:
    """The call that makes the most of the hand, or None if it is better left alone.

    Open kans are never called: they show a set and a dora, and bring the hand no nearer.
    """
    hand = sight.hand
    dora = dora_held(sight, sight.tiles, hand.melds)
    now = outlook(sight, sight.counts, hand.melds, dora, is_deep=True)
    distance = min(
        (aim.shanten for aim in open_aims(sight, sight.counts, hand.melds, dora)),
        default=_FAR,
    )
    is_threatened = any(threat.is_serious for threat in against)
    best: Action | None = None
    best_score = now.worth * _GAIN
    for action in actions:
        if not isinstance(action, CallChi | CallPon):
            continue
        after = _discard_after(sight, action, against)
        if after is None or after.outlook.aim is None or not after.is_affordable:
            continue
        shanten = after.outlook.aim.shanten
        if shanten >= distance or (is_threatened and shanten > 1):
            continue
        score = after.worth - after.cost
        if score > best_score:
            best, best_score = action, score
    return best


def _discard_after(
    sight: VisibleTiles, call: CallChi | CallPon, against: tuple[Threat, ...]
) -> Weighed | None:
    """The best discard after the call; None if every tile is forbidden."""
    table = sight.table
    rest = list(sight.tiles)
    for tile in call.consumed:
        rest.remove(tile)
    kind = MeldType.CHI if isinstance(call, CallChi) else MeldType.PON
    meld = Meld(kind, tuple(sorted((*call.consumed, table.claimed))), table.claimed, table.turn)
    forbidden = _swaps(sight, call)
    candidates = [tile for tile in rest if not forbidden >> (tile >> 1) & 1]
    if not candidates:
        return None
    return weigh(sight, tuple(rest), (*sight.hand.melds, meld), candidates, against)[0]


def _swaps(sight: VisibleTiles, call: CallChi | CallPon) -> int:
    """Kuikae: the mask of the kinds that may not be discarded after the call."""
    rules = sight.table.rules
    taken = sight.table.claimed >> 1
    forbidden = 0 if rules.kuikae_same_tile else 1 << taken
    if isinstance(call, CallChi) and not rules.kuikae_other_end:
        low, high = sorted(tile >> 1 for tile in call.consumed)
        if high - low == 1:
            other = high + 1 if taken < low else low - 1
            if 0 <= other < KINDS and other // 9 == taken // 9:
                forbidden |= 1 << other
    return forbidden
