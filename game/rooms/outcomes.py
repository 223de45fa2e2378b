"""How what somebody wanted of a table has ended."""

from __future__ import annotations

from typing import Final

import msgspec

from game.rooms.room import Room


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
