"""Stored data stays readable: most structs are stored as arrays, in the order of their fields.

`stored_fields.txt` has a line for each struct. A field with a default may be added to the end of a
line, and a line for a new struct. Everything that is already there is in somebody's Redis or
archive. `stored_samples.txt` has data as it was stored, and shows that no value has another type or
name now.
"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import msgspec

from game.archive.game_log import StoredLog, decode_log
from game.engine.actions import Action
from game.engine.clock import Clock, ClockSettings
from game.engine.commands import Command
from game.engine.events import Event, HandEnded
from game.engine.state import Hand, Meld, Phase, Table, WallDraw, WallTerms
from game.tables.codec import HeartbeatRecord, TableSummary, decode_commits, decode_room
from game.tables.room import Commit, Room, SeatMeta, TableMeta, fold
from tests.tables.stored_samples import EMPTY, read_samples

STRUCTS: list[type[msgspec.Struct]] = [
    *(
        Room,
        TableMeta,
        SeatMeta,
        Commit,
        Clock,
        ClockSettings,
        Table,
        Hand,
        Meld,
        WallDraw,
        WallTerms,
    ),
    *(
        TableSummary,
        HeartbeatRecord,
        StoredLog,
        *get_args(Event),
        *get_args(Action),
        *get_args(Command),
    ),
]


def read_recorded_fields() -> dict[str, list[str]]:
    lines = (Path(__file__).parent / "stored_fields.txt").read_text().splitlines()
    return {name: fields.split() for name, _, fields in (line.partition(":") for line in lines)}


def test_every_stored_struct_is_recorded_field_by_field() -> None:
    assert {
        struct.__name__: list(struct.__struct_fields__) for struct in STRUCTS
    } == read_recorded_fields()


def test_stored_tables_of_old_versions_continue() -> None:
    """Running tables wait in Redis while the site is updated, and finished games are in the
    archive."""
    read = 0
    for kind, data in read_samples():
        if kind == "room":
            assert decode_room(data).table.phase != Phase.IDLE
        elif kind == "log":
            assert any(
                isinstance(event, HandEnded) for entry in decode_log(data) for event in entry.events
            )
        else:
            room = EMPTY
            for commit in decode_commits(data):
                room = fold(room, commit)
            assert room.table.phase == Phase.RESULT
        read += 1
    assert read > 1
