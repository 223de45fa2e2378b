"""Extracts decisions about discards and calls from recorded games, with the networks' features.

Owns what counts as a decision: each discard without riichi that is not forced, and each chi or pon
that a player could make and made or passed. If another seat's pon, kan or win takes the tile, the
player's decision is unknown and does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from game.analysis.visible_tiles import VisibleTiles
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


class SeenDecision(NamedTuple):
    """A decision with the position in which it was made."""

    decision: RecordedDecision
    visible: VisibleTiles
    table: Table
    """The table with all hands."""
    tiles: tuple[int, ...]
    """The tile of each option: the discard, or the tile that is called."""
    at: int
    """Index of the last event before the decision is known: the discard."""


def discards_of(events: Sequence[Event]) -> Iterator[RecordedDecision]:
    """Yield the decisions about discards in one game."""
    return (seen.decision for seen in seen_discards_of(events))


def seen_discards_of(events: Sequence[Event]) -> Iterator[SeenDecision]:
    """Yield the decisions about discards in one game, with their positions."""
    table = Table()
    before: Table | None = None
    for at, event in enumerate(events):
        if isinstance(event, RiichiDeclared):
            before = table
        elif isinstance(event, Discarded):
            seen = _discard(before or table, event, at)
            if seen is not None:
                yield seen
            before = None
        table = evolve(table, event)


def _discard(table: Table, event: Discarded, at: int) -> SeenDecision | None:
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
    decision = RecordedDecision(np.array(features, np.float32), tiles.index(event.pai))
    return SeenDecision(decision, visible, table, tuple(tiles), at)


def calls_of(events: Sequence[Event]) -> Iterator[RecordedDecision]:
    """Yield the decisions about calls in one game."""
    return (seen.decision for seen in seen_calls_of(events))


def seen_calls_of(events: Sequence[Event]) -> Iterator[SeenDecision]:
    """Yield the decisions about calls in one game, with their positions."""
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
                if seat != event.actor and (found := _call(table, seat, following, at)) is not None:
                    yield found


def _call(table: Table, seat: int, following: Event, at: int) -> SeenDecision | None:
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
    chosen = PASSED
    if made is not None and made.actor == seat:
        same = [number for number, call in enumerate(calls) if _is_same(call, made)]
        if not same:
            return None
        chosen = same[0]
    tiles = (table.claimed,) * len(calls)
    return SeenDecision(RecordedDecision(rows, chosen), visible, table, tiles, at)


def _is_same(call: Action, made: ChiCalled | PonCalled) -> bool:
    kind = CallChi if isinstance(made, ChiCalled) else CallPon
    return isinstance(call, kind) and sorted(call.consumed) == sorted(made.consumed)
