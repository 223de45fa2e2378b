"""Finds the decisions of seats in the events of a game.

Pure. Must not know figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from game.engine.actions import (
    Action,
    DeclareAnkan,
    DeclareKakan,
    DeclareKyushu,
    DeclareRiichi,
    Discard,
    SetNorthAside,
    Win,
)
from game.engine.events import (
    AnkanDeclared,
    Answered,
    AwayChanged,
    ChiCalled,
    Discarded,
    Drawn,
    Event,
    GameEnded,
    GameStarted,
    HandDrawn,
    HandStarted,
    KakanDeclared,
    NorthSetAside,
    PonCalled,
    RiichiDeclared,
    Won,
)
from game.engine.evolve import evolve
from game.engine.state import Phase, Table

_OPENING: Final = (Drawn, ChiCalled, PonCalled)
"""Events after which the seat on turn decides."""


class NotFinished(ValueError):
    """The events do not contain the end of a game."""


class HandEvents(msgspec.Struct, frozen=True):
    """The events of one hand, with the data needed to review it alone."""

    number: int
    at: int
    """The index of its first event among those that a replay shows."""
    start: GameStarted
    events: list[Event]


class Moment(msgspec.Struct, frozen=True):
    """A decision: the table before it, and the action of the seat."""

    at: int
    """The index of the last event before it among those that a replay shows."""
    table: Table
    """The whole table, including hidden tiles."""
    seat: int
    action: Action


def is_shown(event: Event) -> bool:
    """Return whether a replay shows the event."""
    return not isinstance(event, Answered)


def split_hands(events: Iterable[Event]) -> list[HandEvents]:
    """Return the hands of a game that ended. Raises NotFinished."""
    start: GameStarted | None = None
    hands: list[HandEvents] = []
    at, is_over = 0, False
    for event in events:
        match event:
            case GameStarted():
                start = event
            case HandStarted():
                if start is None:
                    raise NotFinished("a hand before the start of the game")
                hands.append(HandEvents(len(hands), at, start, []))
            case GameEnded():
                is_over = True
            case _:
                pass
        if hands:
            hands[-1].events.append(event)
        at += is_shown(event)
    if not is_over or not hands:
        raise NotFinished("no end of the game")
    return hands


def moments_of(hand: HandEvents) -> Iterator[Moment]:
    """Yield the actions of seats on their turns, and their answers on open tiles.

    A seat that had not answered when another seat took the tile has decided nothing.
    """
    table = evolve(Table(), hand.start)
    at = hand.at - 1
    asked_at, asked = at, table
    """The table when the open question was asked, without anything that is revealed before the
    answer, such as a dora indicator together with the discard."""
    has_declared = False
    for event in hand.events:
        if table.phase == Phase.TURN:
            has_declared = isinstance(event, RiichiDeclared) or has_declared
            action = _own_action(event, has_declared=has_declared)
            if action is not None:
                yield Moment(asked_at, asked, asked.turn, action)
                has_declared = False
        elif table.phase == Phase.CLAIMS and isinstance(event, Answered):
            yield Moment(asked_at, asked, event.actor, event.action)
        table = evolve(table, event)
        at += is_shown(event)
        if isinstance(event, (*_OPENING, AwayChanged)) or (
            table.phase == Phase.CLAIMS
            and isinstance(event, Discarded | AnkanDeclared | KakanDeclared | NorthSetAside)
        ):
            asked_at, asked = at, table


def _own_action(event: Event, *, has_declared: bool) -> Action | None:
    """Return the action of the seat on turn that has this event; None if it has none."""
    match event:
        case Discarded(pai=pai, tsumogiri=tsumogiri):
            return DeclareRiichi(pai, tsumogiri) if has_declared else Discard(pai, tsumogiri)
        case AnkanDeclared(consumed=consumed):
            return DeclareAnkan(consumed)
        case KakanDeclared(pai=pai):
            return DeclareKakan(pai)
        case NorthSetAside():
            return SetNorthAside()
        case Won():
            return Win()
        case HandDrawn(reason="kyushu_kyuhai"):
            return DeclareKyushu()
        case _:
            return None
