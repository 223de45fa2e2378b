"""How what somebody wanted of a table has ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from game.rooms.room import Room


@dataclass(frozen=True, slots=True)
class Done:
    """It has happened; also for a resend."""

    room: Room


@dataclass(frozen=True, slots=True)
class Late:
    """It answered an old question: nothing has happened."""

    room: Room


@dataclass(frozen=True, slots=True)
class Refused:
    """It may not happen. `code` and `text` are for the client."""

    code: str
    text: str


Outcome = Done | Late | Refused

LEFT: Final = Refused("left", "you have left this table, and a bot plays on")
FROZEN: Final = Refused("frozen", "this table met a fault of the program and stands still")
