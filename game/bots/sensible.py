"""The bot `sensible`: takes the nearest way to a win with a yaku, and folds in time.

Owns the order of its decisions: win if possible, then calls (`calling`, `kans`), then discards
(`discards`) and riichi. `game.analysis` rates hands and danger.
"""

from __future__ import annotations

import random
from typing import Final

from game.analysis.danger import threats
from game.analysis.hand_value import is_furiten
from game.analysis.shape import kokushi_shanten, orphan_kinds, outs, shanten
from game.analysis.visible_tiles import VisibleTiles, count_visible
from game.bots import tsumogiri
from game.bots.calling import best_call
from game.bots.discards import RatedDiscard, rate_discards
from game.bots.kans import free_kan
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
"""Kinds of orphans from which it plays for kokushi."""
_FAR_SHANTEN: Final = 3
"""Shanten from which it aborts a hand full of orphans."""
_FURITEN_WAITS: Final = 5
"""Unseen waiting tiles that are enough for riichi in furiten."""


def choose(table: Table, seat: int, actions: tuple[Action, ...], rng: random.Random) -> Action:
    """Return the action that the bot takes in this seat."""
    if len(actions) == 1:
        return actions[0]
    for action in actions:
        if isinstance(action, Win | ShowTenpai | Confirm):
            return action
    visible = count_visible(table, seat)
    passing = next((action for action in actions if isinstance(action, Pass)), None)
    if passing is not None:
        return best_call(visible, actions, threats(visible)) or passing
    return _own_turn(visible, actions, rng)


def _own_turn(visible: VisibleTiles, actions: tuple[Action, ...], rng: random.Random) -> Action:
    for action in actions:
        if isinstance(action, DeclareKyushu) and _is_hopeless(visible.counts):
            return action
    tiles = [action.pai for action in actions if isinstance(action, Discard)]
    if not tiles:
        return tsumogiri.choose(visible.table, visible.seat, actions, rng)
    against = threats(visible)
    rated = rate_discards(visible, visible.tiles, visible.hand.melds, tiles, against)
    best = _choose_among_best(rated, rng)
    kan = free_kan(visible, actions, best.estimate, against)
    if kan is not None:
        return kan
    return _riichi_with(visible, actions, best) or _discard_of(actions, best.tile)


def _is_hopeless(counts: list[int]) -> bool:
    """Return whether nine kinds of orphans are too many for an ordinary hand and too few for
    kokushi."""
    distance = shanten(counts)
    if orphan_kinds(counts) >= _KOKUSHI_KINDS:
        return False
    return distance >= _FAR_SHANTEN or distance == kokushi_shanten(counts)


def _choose_among_best(rated: list[RatedDiscard], rng: random.Random) -> RatedDiscard:
    """Return one of the discards with the best score, at random."""
    return rng.choice([each for each in rated if each.score == rated[0].score])


def _riichi_with(
    visible: VisibleTiles, actions: tuple[Action, ...], best: RatedDiscard
) -> Action | None:
    """Return riichi with the best discard, if it is legal and a waiting tile is unseen."""
    goal = best.estimate.goal
    if goal is None or goal.shanten > 0:
        return None
    waits = best.estimate.wanted
    needed = _FURITEN_WAITS if is_furiten(visible, waits) else 1
    if outs(waits, visible.unseen) < needed:
        return None
    riichi = [
        action
        for action in actions
        if isinstance(action, DeclareRiichi) and action.pai == best.tile
    ]
    return riichi[-1] if riichi else None


def _discard_of(actions: tuple[Action, ...], tile: int) -> Action:
    """Return the discard of this tile, by tsumogiri if possible, which reveals least."""
    same = [action for action in actions if isinstance(action, Discard) and action.pai == tile]
    return max(same, key=lambda action: action.tsumogiri)
