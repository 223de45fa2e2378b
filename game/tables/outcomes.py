"""Outcomes of actions and requests at a table."""

from __future__ import annotations

from typing import Final

import msgspec

from game.engine.actions import Action
from game.engine.commands import Act
from game.engine.decide import Rejected, decide
from game.tables.room import Room


class Done(msgspec.Struct, frozen=True, gc=False):
    """The commit is stored. For a resent action, it was stored before."""

    room: Room


class StaleAnswer(msgspec.Struct, frozen=True, gc=False):
    """The answer was for an older question (`game.engine.decide.Stale`); `room` has the present
    one."""

    room: Room


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """The action or request is not allowed. `code` and `text` are for the client."""

    code: str
    text: str


Outcome = Done | StaleAnswer | Refusal

LEFT: Final = Refusal("left", "you have left this table, and a bot plays on")
FROZEN: Final = Refusal("frozen", "this table is frozen after an error in the server")


def explain_refusal(room: Room, seat: int, step: int, action: Action) -> Refusal | StaleAnswer:
    """Return why this room refuses that answer to question `step`: it is stale, or the engine
    rejects it. Pure."""
    match decide(room.table, Act(seat, step, action)):
        case Rejected(code=code, text=text):
            return Refusal(code, text)
        case _:
            return StaleAnswer(room)
