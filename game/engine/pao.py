"""Who becomes responsible for somebody else's yakuman (pao).

Owns the moment at which a discarder becomes liable. What a liable seat pays is the
business of `game.engine.points`.
"""

from __future__ import annotations

from game.engine.rules import RuleSet
from game.engine.state import Meld, MeldType
from game.engine.tiles import DRAGONS, WINDS

_KANS = (MeldType.DAIMINKAN, MeldType.ANKAN, MeldType.KAKAN)


def liable_for(
    rules: RuleSet, melds_before: tuple[Meld, ...], called_kind: int, *, is_kan: bool = False
) -> tuple[str, ...]:
    """The yakuman for which the discarder of a called tile becomes responsible.

    `melds_before` are the caller's sets before the call, closed kans among them: they lie
    open as well. The call is a pon, or an open kan if `is_kan`; sets that a player makes
    or extends alone make nobody liable, so this is not asked for a closed or added kan.
    """
    exposed = 1 << called_kind
    for meld in melds_before:
        if meld.type != MeldType.CHI:
            exposed |= 1 << (meld.tiles[0] >> 1)
    called = 1 << called_kind
    liable = []
    if rules.pao_daisangen and called & DRAGONS and exposed & DRAGONS == DRAGONS:
        liable.append("daisangen")
    if rules.pao_daisuushi and called & WINDS and exposed & WINDS == WINDS:
        liable.append("daisuushi")
    if rules.pao_suukantsu and is_kan and sum(meld.type in _KANS for meld in melds_before) == 3:
        liable.append("suukantsu")
    return tuple(liable)
