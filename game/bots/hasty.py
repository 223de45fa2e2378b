"""The bot `hasty`: takes the shortest way to tenpai, declares riichi at once and never folds.

It counts the shanten of its own hand alone, and ignores the number of useful tiles, value, danger
and scores. It calls yakuhai, and with a yakuhai triplet every chi and pon that reduces the shanten.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from game.analysis.shape import shanten
from game.analysis.visible_tiles import VisibleTiles, count_visible
from game.bots import tsumogiri
from game.bots.norths import is_north_better_aside
from game.bots.novice import fit_of
from game.engine.actions import (
    Action,
    CallChi,
    CallPon,
    Confirm,
    DeclareRiichi,
    Discard,
    Pass,
    SetNorthAside,
    ShowTenpai,
    StopGame,
    Win,
)
from game.engine.state import MeldType, Table
from game.engine.tiles import kind_of


def choose(table: Table, seat: int, actions: tuple[Action, ...], rng: random.Random) -> Action:
    """Return the action with the least shanten, or a win. `table` is the view of `seat`."""
    for action_type in (Win, ShowTenpai, StopGame, Confirm):
        for action in actions:
            if isinstance(action, action_type):
                return action
    visible = count_visible(table, seat)
    if any(isinstance(action, Pass) for action in actions):
        return _yakuhai_call(visible, actions) or tsumogiri.choose(table, seat, actions, rng)
    discards = [action for action in actions if isinstance(action, Discard | DeclareRiichi)]
    if not discards:
        return tsumogiri.choose(table, seat, actions, rng)
    if SetNorthAside() in actions and is_north_better_aside(visible, is_threatened=False):
        return SetNorthAside()
    best = _fastest(visible, {action.pai for action in discards})
    same = [action for action in discards if action.pai == best]
    return max(same, key=lambda each: (isinstance(each, DeclareRiichi), each.tsumogiri))


def _fastest(visible: VisibleTiles, tiles: Iterable[int]) -> int:
    """Return the discard that leaves the least shanten, among equals the tile with the fewest
    copies and neighbours."""
    counts = visible.counts.copy()

    def discard_key(tile: int) -> tuple[int, float, int]:
        kind = kind_of(tile)
        counts[kind] -= 1
        least = shanten(counts, visible.players)
        counts[kind] += 1
        return least, fit_of(counts, tile), tile

    return min(tiles, key=discard_key)


def _yakuhai_call(visible: VisibleTiles, actions: tuple[Action, ...]) -> Action | None:
    """Return a call that reduces the shanten, if the hand has a yakuhai triplet or the call makes
    one."""
    has_yaku = any(
        meld.type != MeldType.CHI and visible.yakuhai_han_of(kind_of(meld.tiles[0]))
        for meld in visible.hand.melds
    )
    kind = kind_of(visible.table.claimed)
    now = shanten(visible.counts, visible.players)
    for action in actions:
        if not isinstance(action, CallPon | CallChi):
            continue
        is_yakuhai = isinstance(action, CallPon) and visible.yakuhai_han_of(kind) > 0
        if (has_yaku or is_yakuhai) and _shanten_after(visible, action) < now:
            return action
    return None


def _shanten_after(visible: VisibleTiles, call: CallPon | CallChi) -> int:
    """Return the shanten after the call and its best discard."""
    counts = visible.counts.copy()
    for tile in call.consumed:
        counts[kind_of(tile)] -= 1
    return shanten(counts, visible.players)
