"""The bot `novice`: a beginner who keeps pairs and neighbours and calls every triplet.

It looks at its own tiles only, and discards the tile with the fewest copies and neighbours. It does
not count the shanten, calls without a yaku, and never folds.
"""

from __future__ import annotations

import random
from typing import Final

from game.bots import tsumogiri
from game.engine.actions import (
    Action,
    CallPon,
    Confirm,
    DeclareRiichi,
    Discard,
    SetNorthAside,
    ShowTenpai,
    StopGame,
    Win,
)
from game.engine.state import Phase, Table
from game.engine.tiles import EAST, NO_TILE, count_kinds, is_red, kind_of

_PAIR: Final = 3
_TRIPLET: Final = 8
"""Fit of a tile in a pair, and in a triplet."""
_NEXT: Final = 2.5
_ONE_APART: Final = 1.5
"""Fit of a tile for each kind next to it, and for each kind with one kind between."""


def choose(table: Table, seat: int, actions: tuple[Action, ...], rng: random.Random) -> Action:
    """Return the action of a beginner in this seat."""
    for action_type in (Win, ShowTenpai, StopGame, Confirm, SetNorthAside):
        for action in actions:
            if isinstance(action, action_type):
                return action
    if table.phase == Phase.CLAIMS:
        calls = [action for action in actions if isinstance(action, CallPon)]
        return calls[0] if calls else tsumogiri.choose(table, seat, actions, rng)
    tiles = list(table.hands[seat].tiles)
    if table.turn == seat and table.drawn != NO_TILE:
        tiles.append(table.drawn)
    counts = count_kinds(tiles)
    discards = [action for action in actions if isinstance(action, Discard | DeclareRiichi)]
    if not discards:
        return tsumogiri.choose(table, seat, actions, rng)
    riichi = [action for action in discards if isinstance(action, DeclareRiichi)]
    return min(riichi or discards, key=lambda each: (fit_of(counts, each.pai), not each.tsumogiri))


def fit_of(counts: list[int], tile: int) -> float:
    """Return how well a tile fits the rest of the hand: its copies and its neighbours."""
    kind = kind_of(tile)
    fit = (0.0, 0.0, _PAIR, _TRIPLET, _TRIPLET)[counts[kind]] + is_red(tile)
    if kind >= EAST:
        return fit
    rank = kind % 9
    fit += min(rank, 8 - rank, 2) / 4
    for step, worth in ((1, _NEXT), (2, _ONE_APART)):
        for other in (rank - step, rank + step):
            if 0 <= other < 9 and counts[kind - rank + other]:
                fit += worth
    return fit
