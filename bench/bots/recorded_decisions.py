"""Extracts decisions about discards and calls from recorded games, with the networks' features.

Owns what counts as a decision: each discard without riichi that is not forced, and each chi or pon
that a player could make and made or passed. If another seat's pon, kan or win takes the tile, the
player's decision is unknown and does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from game.bots.features import discard_features
from game.bots.network import Floats
from game.bots.planning import seen_by, threats_to
from game.bots.preferences import features_of_calls
from game.engine.actions import Action, CallChi, CallPon, Discard, Win
from game.engine.events import (
    Answered,
    ChiCalled,
    Discarded,
    DoraRevealed,
    Drawn,
    Event,
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
    WallUsedUp,
)
from game.engine.evolve import evolve
from game.engine.legal import legal
from game.engine.perspective import view
from game.engine.state import Riichi, Table

PASSED: Final = -1
"""`RecordedDecision.chosen` of a call that was not made."""


class RecordedDecision(NamedTuple):
    """A choice of a player among several options."""

    features: Floats
    """Of shape (options, features)."""
    chosen: int
    """Index of the chosen option, or `PASSED`."""


def discards_of(events: Sequence[Event]) -> Iterator[RecordedDecision]:
    """Yield the decisions about discards in one game."""
    table = Table()
    before: Table | None = None
    for event in events:
        if isinstance(event, RiichiDeclared):
            before = table
        elif isinstance(event, Discarded):
            decision = _discard(before or table, event)
            if decision is not None:
                yield decision
            before = None
        table = evolve(table, event)


def _discard(table: Table, event: Discarded) -> RecordedDecision | None:
    seat = event.actor
    if table.hands[seat].riichi != Riichi.NONE:
        return None
    own = view(table, seat)
    tiles = sorted({action.pai for action in legal(own, seat) if isinstance(action, Discard)})
    if len(tiles) < 2 or event.pai not in tiles:
        return None
    visible = seen_by(own, seat)
    features = discard_features(
        visible, visible.tiles, visible.hand.melds, tiles, threats_to(visible)
    )
    return RecordedDecision(np.array(features, np.float32), tiles.index(event.pai))


def calls_of(events: Sequence[Event]) -> Iterator[RecordedDecision]:
    """Yield the decisions about calls in one game."""
    table = Table()
    for at, event in enumerate(events):
        table = evolve(table, event)
        if not isinstance(event, Discarded):
            continue
        following = next(
            (
                later
                for later in events[at + 1 :]
                if not isinstance(later, Answered | RiichiAccepted | DoraRevealed)
            ),
            None,
        )
        if isinstance(following, Drawn | ChiCalled | PonCalled | WallUsedUp):
            for seat in table.seats:
                if seat != event.actor and (found := _call(table, seat, following)) is not None:
                    yield found


def _call(table: Table, seat: int, following: Event) -> RecordedDecision | None:
    """Return the seat's decision about the tile just discarded; None if it had none or it is not
    known. `following` is the next draw, call or end of the wall."""
    made = following if isinstance(following, ChiCalled | PonCalled) else None
    if made is not None and made.actor != seat and isinstance(made, PonCalled):
        return None
    own = view(table, seat)
    actions = tuple(legal(own, seat))
    if any(isinstance(action, Win) for action in actions):
        return None
    visible = seen_by(own, seat)
    calls, features = features_of_calls(visible, actions, threats_to(visible))
    if not calls:
        return None
    rows = np.array(features, np.float32)
    if made is None or made.actor != seat:
        return RecordedDecision(rows, PASSED)
    for at, call in enumerate(calls):
        if _is_same(call, made):
            return RecordedDecision(rows, at)
    return None


def _is_same(call: Action, made: ChiCalled | PonCalled) -> bool:
    kind = CallChi if isinstance(made, ChiCalled) else CallPon
    return isinstance(call, kind) and sorted(call.consumed) == sorted(made.consumed)
