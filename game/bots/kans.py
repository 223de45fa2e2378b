"""Decides whether to declare a kan on the own turn; only a kan that costs almost no value."""

from __future__ import annotations

from typing import Final

from game.analysis.danger import Threat
from game.analysis.hand_value import Estimate, count_dora, estimate
from game.analysis.visible_tiles import VisibleTiles
from game.engine.actions import Action, DeclareAnkan, DeclareKakan
from game.engine.state import Meld, MeldType, Riichi
from game.engine.tiles import NO_TILE, kind_of

_MIN_VALUE_SHARE: Final = 0.97
"""Share of the value of the hand that must remain after the kan."""


def free_kan(
    visible: VisibleTiles,
    actions: tuple[Action, ...],
    best: Estimate,
    against: tuple[Threat, ...],
) -> Action | None:
    """Return a kan after which shanten and value are about as good as after the best discard.

    Return None if another seat is a serious threat, unless the hand is tenpai: the new dora would
    help the other seat.
    """
    if any(threat.is_serious for threat in against) and best.shanten > 0:
        return None
    for action in actions:
        after = _estimate_after(visible, action)
        if after is None:
            continue
        if visible.hand.riichi == Riichi.ACCEPTED:
            return action
        if after.shanten <= best.shanten and after.value >= _MIN_VALUE_SHARE * best.value:
            return action
    return None


def _estimate_after(visible: VisibleTiles, action: Action) -> Estimate | None:
    counts = visible.counts.copy()
    match action:
        case DeclareAnkan(consumed=consumed):
            kind = kind_of(consumed[0])
            counts[kind] -= 4
            meld = Meld(MeldType.ANKAN, consumed, NO_TILE, visible.seat)
            melds = (*visible.hand.melds, meld)
        case DeclareKakan(pai=pai):
            kind = kind_of(pai)
            counts[kind] -= 1
            melds = visible.hand.melds
        case _:
            return None
    dora = count_dora(visible, visible.tiles, visible.hand.melds)
    return estimate(visible, counts, melds, dora)
