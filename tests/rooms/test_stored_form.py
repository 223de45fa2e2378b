"""What is stored stays readable: structs are stored as arrays, by the place of their fields.

`stored_fields.txt` holds a line for each struct. A field with a default may be added to the end
of a line, and a line for a new struct; whatever stands there already is in somebody's Redis or
archive.
"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import msgspec

from game.engine.actions import Action
from game.engine.clock import Clock, ClockSettings
from game.engine.commands import Command
from game.engine.events import Event
from game.engine.state import Hand, Meld, Table
from game.rooms.codec import PulseRecord, TableSummary
from game.rooms.room import Commit, Room, SeatMeta, TableMeta

STRUCTS: list[type[msgspec.Struct]] = [
    *(Room, TableMeta, SeatMeta, Commit, Clock, ClockSettings, Table, Hand, Meld),
    *(TableSummary, PulseRecord, *get_args(Event), *get_args(Action), *get_args(Command)),
]


def recorded() -> dict[str, list[str]]:
    lines = (Path(__file__).parent / "stored_fields.txt").read_text().splitlines()
    return {name: fields.split() for name, _, fields in (line.partition(":") for line in lines)}


def test_every_stored_struct_is_recorded_field_by_field() -> None:
    assert {struct.__name__: list(struct.__struct_fields__) for struct in STRUCTS} == recorded()
