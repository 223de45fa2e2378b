"""The bot `hasty`: takes the shortest way to tenpai, declares riichi at once and never folds.

It counts the shanten and the tiles that reduce it, and looks at its own hand alone: no discards of
others, no value, no danger, no scores. It calls yakuhai, and everything that brings it nearer once
it has one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from game.analysis.shape import outs, shanten, shanten_and_useful
from game.analysis.visible_tiles import COPIES, VisibleTiles, count_visible
from game.bots import tsumogiri
from game.engine.actions import (
    Action,
    CallChi,
    CallPon,
    Confirm,
    DeclareRiichi,
    Discard,
    Pass,
    ShowTenpai,
    Win,
)
from game.engine.state import MeldType, Table
from game.engine.tiles import EAST, kind_of


def choose(table: Table, seat: int, actions: tuple[Action, ...], rng: random.Random) -> Action:
    """Return the action that brings this seat nearest to a win."""
    for wanted in (Win, ShowTenpai, Confirm):
        for action in actions:
            if isinstance(action, wanted):
                return action
    visible = count_visible(table, seat)
    if any(isinstance(action, Pass) for action in actions):
        return _call(visible, actions) or tsumogiri.choose(table, seat, actions, rng)
    discards = [action for action in actions if isinstance(action, Discard | DeclareRiichi)]
    if not discards:
        return tsumogiri.choose(table, seat, actions, rng)
    best = _fastest(visible, {action.pai for action in discards})
    same = [action for action in discards if action.pai == best]
    return max(same, key=lambda each: (isinstance(each, DeclareRiichi), each.tsumogiri))


def _fastest(visible: VisibleTiles, tiles: Iterable[int]) -> int:
    """Return the discard that leaves the least shanten and the most useful tiles."""
    counts = visible.counts.copy()
    left = [COPIES - mine for mine in counts]

    def loss(tile: int) -> tuple[int, int, int, int]:
        kind = kind_of(tile)
        counts[kind] -= 1
        distance, wanted = shanten_and_useful(counts)
        counts[kind] += 1
        middle = 0 if kind >= EAST else 1 + min(kind % 9, 8 - kind % 9)
        return distance, -outs(wanted, left), middle, tile

    return min(tiles, key=loss)


def _call(visible: VisibleTiles, actions: tuple[Action, ...]) -> Action | None:
    """Return a call that reduces the shanten, if the hand has a yakuhai or gets one by it."""
    has_yaku = any(
        meld.type != MeldType.CHI and visible.is_yakuhai(kind_of(meld.tiles[0]))
        for meld in visible.hand.melds
    )
    kind = kind_of(visible.table.claimed)
    distance = shanten(visible.counts)
    for action in actions:
        if not isinstance(action, CallPon | CallChi):
            continue
        is_yakuhai = isinstance(action, CallPon) and visible.is_yakuhai(kind) > 0
        if (has_yaku or is_yakuhai) and _after(visible, action) < distance:
            return action
    return None


def _after(visible: VisibleTiles, call: CallPon | CallChi) -> int:
    """Return the shanten after the call and its best discard."""
    counts = visible.counts.copy()
    for tile in call.consumed:
        counts[kind_of(tile)] -= 1
    return shanten(counts)
