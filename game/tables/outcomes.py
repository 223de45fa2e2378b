"""Outcomes of actions and requests at a table."""

from __future__ import annotations

from typing import Final

import msgspec

from game.engine.actions import Action
from game.engine.commands import Act
from game.engine.decide import Rejected, decide
from game.tables.room import Room


class Done(msgspec.Struct, frozen=True, gc=False):
    """The commit is stored, now or, for a resend, before."""

    room: Room


class Outdated(msgspec.Struct, frozen=True, gc=False):
    """The action answered an old question and changed nothing."""

    room: Room


class Refused(msgspec.Struct, frozen=True, gc=False):
    """The action or request is not allowed. `code` and `text` are for the client."""

    code: str
    text: str


Outcome = Done | Outdated | Refused

LEFT: Final = Refused("left", "you have left this table, and a bot plays on")
FROZEN: Final = Refused("frozen", "this table is frozen after an error in the server")


def explain_refusal(room: Room, seat: int, step: int, action: Action) -> Refused | Outdated:
    """Return why this room does not accept that answer to question `step`. Pure."""
    match decide(room.table, Act(seat, step, action)):
        case Rejected(code=code, text=text):
            return Refused(code, text)
        case _:
            return Outdated(room)
