"""How what somebody wanted of a table has ended."""

from __future__ import annotations

from typing import Final

import msgspec

from game.engine.actions import Action
from game.engine.commands import Act
from game.engine.decide import Rejected, decide
from game.tables.room import Room


class Done(msgspec.Struct, frozen=True, gc=False):
    """It has happened; also for a resend."""

    room: Room


class Late(msgspec.Struct, frozen=True, gc=False):
    """It answered an old question: nothing has happened."""

    room: Room


class Refused(msgspec.Struct, frozen=True, gc=False):
    """It may not happen. `code` and `text` are for the client."""

    code: str
    text: str


Outcome = Done | Late | Refused

LEFT: Final = Refused("left", "you have left this table, and a bot plays on")
FROZEN: Final = Refused("frozen", "this table met a fault of the program and stands still")


def refused_at(room: Room, seat: int, step: int, action: Action) -> Refused | Late:
    """The reply to that answer of question `step`, which this room does not take. Pure."""
    match decide(room.table, Act(seat, step, action)):
        case Rejected(code=code, text=text):
            return Refused(code, text)
        case _:
            return Late(room)
