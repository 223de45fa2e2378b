"""When to declare a kan on the own turn: only if it costs nothing."""

from __future__ import annotations

from game.analysis.danger import Threat
from game.analysis.hand_value import Outlook, dora_held, outlook
from game.analysis.visible_tiles import VisibleTiles
from game.engine.actions import Action, DeclareAnkan, DeclareKakan
from game.engine.state import Meld, MeldType, Riichi
from game.engine.tiles import NO_TILE

_KEPT: float = 0.97
"""Part of the hand's worth that must be left after the kan."""


def harmless_kan(
    sight: VisibleTiles,
    actions: tuple[Action, ...],
    best: Outlook,
    against: tuple[Threat, ...],
) -> Action | None:
    """A kan that leaves the hand as near and as good as the best discard does.

    None while another seat is a serious threat, unless the own hand is tenpai: the new
    dora would serve the other.
    """
    if any(threat.is_serious for threat in against) and best.shanten > 0:
        return None
    for action in actions:
        after = _after(sight, action)
        if after is None:
            continue
        if sight.hand.riichi == Riichi.ACCEPTED:
            return action
        if after.shanten <= best.shanten and after.worth >= _KEPT * best.worth:
            return action
    return None


def _after(sight: VisibleTiles, action: Action) -> Outlook | None:
    counts = sight.counts.copy()
    match action:
        case DeclareAnkan(consumed=consumed):
            kind = consumed[0] >> 1
            counts[kind] -= 4
            meld = Meld(MeldType.ANKAN, consumed, NO_TILE, sight.seat)
            melds = (*sight.hand.melds, meld)
        case DeclareKakan(pai=pai):
            kind = pai >> 1
            counts[kind] -= 1
            melds = sight.hand.melds
        case _:
            return None
    dora = dora_held(sight, sight.tiles, sight.hand.melds)
    return outlook(sight, counts, melds, dora)
