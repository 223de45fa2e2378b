"""Pao: which call makes the discarder liable for the caller's win.

Owns the nine cases in which a discarder becomes liable. Must not know what a liable seat pays
(`game.engine.points`).
"""

from __future__ import annotations

from typing import Final

from game.engine.rules import RuleSet
from game.engine.state import KAN_TYPES, RIVER_TAKEN, RIVER_TILE, Meld, Table
from game.engine.tiles import DRAGONS, HATSU, HONOURS, SUITS, TERMINALS, WINDS, kind_of, mask_of

_GREEN_KINDS: Final = 1 << 19 | 1 << 20 | 1 << 21 | 1 << 23 | 1 << 25 | 1 << HATSU
_MAX_LAST_TILES: Final = 5

RINSHAN: Final = "rinshan"
"""Liable for a win on the replacement tile of the kan just called, with any hand."""
LAST_TILES: Final = "risky_last_tiles"
"""Liable for any win of the caller from now on."""


def liable_for(
    rules: RuleSet,
    melds_before: tuple[Meld, ...],
    called_kind: int,
    *,
    is_kan: bool = False,
    laid: tuple[int, ...] = (),
    is_risky: bool = False,
    is_last: bool = False,
) -> tuple[str, ...]:
    """Return what the discarder of a called tile becomes liable for: yaku ids, `RINSHAN`,
    `LAST_TILES`.

    `melds_before` are the caller's melds before the call, including closed kans. `laid` are the
    tiles of the set just called; without them the set counts as a triplet of `called_kind`.
    `is_risky` means that no other tile of the kind is visible, `is_last` that the wall is nearly
    used up. Do not call this for a closed or added kan: nobody becomes liable for a set made
    without a discard.
    """
    if len(melds_before) < 2 and not (is_kan and rules.pao_rinshan) and not is_risky:
        return ()
    sets = [mask_of(meld.tiles) for meld in melds_before]
    sets.append(mask_of(laid) if laid else 1 << called_kind)
    called, triplets = 1 << called_kind, _triplet_mask(sets)
    is_fourth = len(sets) == 4
    has_three_kans = sum(meld.type in KAN_TYPES for meld in melds_before) == 3
    helps = is_risky and rules.pao_suukantsu_by == "risky_tile" and sets[-1] == called
    cases = (
        ("daisangen", rules.pao_daisangen, called & DRAGONS and triplets & DRAGONS == DRAGONS),
        ("daisuushi", rules.pao_daisuushi, called & WINDS and triplets & WINDS == WINDS),
        ("suukantsu", rules.pao_suukantsu, has_three_kans and (is_kan or helps)),
        ("chinitsu", rules.pao_chinitsu, is_fourth and _are_within(sets, SUITS)),
        ("ryuuiisou", rules.pao_ryuuiisou, is_fourth and _are_within(sets, (_GREEN_KINDS,))),
        ("tsuuiisou", rules.pao_tsuuiisou, is_fourth and _are_within(sets, (HONOURS,))),
        ("chinroutou", rules.pao_chinroutou, is_fourth and _are_within(sets, (TERMINALS,))),
        (RINSHAN, rules.pao_rinshan, is_kan),
        (LAST_TILES, rules.pao_risky_last_tiles, is_risky and is_last),
    )
    return tuple([name for name, is_on, happens in cases if is_on and happens])


def _triplet_mask(sets: list[int]) -> int:
    """Return the mask of the kinds of triplets and kans."""
    mask = 0
    for kinds in sets:
        if kinds.bit_count() == 1:
            mask |= kinds
    return mask


def _are_within(sets: list[int], groups: tuple[int, ...]) -> bool:
    """Return whether all kinds of all sets are within one of the masks `groups`."""
    return any(all(not tiles & ~kinds for tiles in sets) for kinds in groups)


def is_wall_nearly_used_up(table: Table) -> bool:
    """Return whether at most five tiles can still be drawn."""
    return table.left <= _MAX_LAST_TILES


def is_risky_tile(table: Table, kind: int) -> bool:
    """Return whether the open tile, of this kind, is risky: no other tile of the kind is visible in
    rivers and melds. False if no switch depends on it."""
    if not table.rules.pao_risky_last_tiles and table.rules.pao_suukantsu_by != "risky_tile":
        return False
    seen = -1
    for hand in table.hands:
        seen += sum(
            not entry & RIVER_TAKEN and kind_of(entry & RIVER_TILE) == kind for entry in hand.river
        )
        seen += sum(kind_of(tile) == kind for meld in hand.melds for tile in meld.tiles)
    return seen == 0
