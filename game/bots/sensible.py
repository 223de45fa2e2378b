"""A player with sense: takes the nearest way to a win that has a yaku, and folds in time.

Decides what to do with the means of the other modules: `discards` for the tile, `calling`
and `kans` for calls, `danger` for the others' hands. Wins whenever it can.
"""

from __future__ import annotations

import random
from typing import Final

from game.analysis.danger import threats
from game.analysis.hand_value import is_furiten
from game.analysis.shape import kokushi_shanten, orphan_kinds, outs, shanten
from game.analysis.visible_tiles import VisibleTiles, look
from game.bots import tsumogiri
from game.bots.calling import worthwhile_call
from game.bots.discards import Weighed, weigh
from game.bots.kans import harmless_kan
from game.engine.actions import (
    Action,
    Confirm,
    DeclareKyushu,
    DeclareRiichi,
    Discard,
    Pass,
    ShowTenpai,
    Win,
)
from game.engine.state import Table

_KOKUSHI_KINDS: Final = 11
"""Kinds of orphans with which to play on for the thirteen orphans."""
_FAR_SHANTEN: Final = 3
"""From here on a hand full of orphans is rather dealt anew."""
_FURITEN_WAITS: Final = 5
"""Live tiles that make up for being able to win by self-draw only."""


def choose(table: Table, seat: int, actions: tuple[Action, ...], rng: random.Random) -> Action:
    """The action that a sensible player in this seat would take."""
    if len(actions) == 1:
        return actions[0]
    for action in actions:
        if isinstance(action, Win | ShowTenpai | Confirm):
            return action
    sight = look(table, seat)
    passing = next((action for action in actions if isinstance(action, Pass)), None)
    if passing is not None:
        return worthwhile_call(sight, actions, threats(sight)) or passing
    return _own_turn(sight, actions, rng)


def _own_turn(sight: VisibleTiles, actions: tuple[Action, ...], rng: random.Random) -> Action:
    for action in actions:
        if isinstance(action, DeclareKyushu) and _is_hopeless(sight.counts):
            return action
    tiles = [action.pai for action in actions if isinstance(action, Discard)]
    if not tiles:
        return tsumogiri.choose(sight.table, sight.seat, actions, rng)
    against = threats(sight)
    weighed = weigh(sight, sight.tiles, sight.hand.melds, tiles, against)
    best = _one_of_the_best(weighed, rng)
    kan = harmless_kan(sight, actions, best.outlook, against)
    if kan is not None:
        return kan
    return _riichi_with(sight, actions, best) or _discard_of(actions, best.tile)


def _is_hopeless(counts: list[int]) -> bool:
    """Whether nine kinds of orphans are too many for a hand and too few for a yakuman."""
    distance = shanten(counts)
    if orphan_kinds(counts) >= _KOKUSHI_KINDS:
        return False
    return distance >= _FAR_SHANTEN or distance == kokushi_shanten(counts)


def _one_of_the_best(weighed: list[Weighed], rng: random.Random) -> Weighed:
    """Discards that are as good as each other are chosen between by chance."""
    return rng.choice([each for each in weighed if each.score == weighed[0].score])


def _riichi_with(sight: VisibleTiles, actions: tuple[Action, ...], best: Weighed) -> Action | None:
    """Riichi with the best discard, if it is offered and the wait can still come."""
    aim = best.outlook.aim
    if aim is None or aim.shanten > 0:
        return None
    waits = best.outlook.wanted
    needed = _FURITEN_WAITS if is_furiten(sight, waits) else 1
    if outs(waits, sight.unseen) < needed:
        return None
    riichi = [
        action
        for action in actions
        if isinstance(action, DeclareRiichi) and action.pai == best.tile
    ]
    return riichi[-1] if riichi else None


def _discard_of(actions: tuple[Action, ...], tile: int) -> Action:
    """Discard this tile, the one just drawn if it is the same: that tells the least."""
    same = [action for action in actions if isinstance(action, Discard) and action.pai == tile]
    return max(same, key=lambda action: action.tsumogiri)
