"""What the lobby may ask of the tables: the one module of this app that it knows."""

from __future__ import annotations

import secrets
from typing import Final

from game.afterwards.ladders import preset_of
from game.bots import BOTS
from game.chores import chore_added
from game.engine.clock import ClockSettings
from game.engine.consistency import Contradiction, contradictions_in
from game.engine.presets import PRESETS
from game.engine.rules import TENHOU, RuleSet, switch_type
from game.house import (
    UNRATED,
    GamePlan,
    House,
    Script,
    house,
    new_table_id,
    paced,
    rating_of,
)
from game.outbox import Outbox
from game.own_data import own_data
from game.people import SESSION_KEY, named_by, person_behind, person_of
from game.rooms.database import reaching_database
from game.rooms.errors import RoomsError as TablesUnavailable
from game.rooms.room import Room, SeatMeta, Watch
from game.sanctions import ban_told_to
from game.selectors import ListedTable, has_running_seat, live_tables
from game.talk import is_banned
from game.told import preset_name, rules_name
from game.wire.limits import Bucket, message_bucket

__all__ = [
    "BOTS",
    "BOT_NAMES",
    "CLOCK",
    "PRESETS",
    "SESSION_KEY",
    "UNRATED",
    "Bucket",
    "ClockSettings",
    "Contradiction",
    "GamePlan",
    "House",
    "ListedTable",
    "Outbox",
    "Room",
    "RuleSet",
    "Script",
    "SeatMeta",
    "TablesUnavailable",
    "Watch",
    "ban_told_to",
    "chore_added",
    "contradictions_in",
    "has_running_seat",
    "house",
    "is_banned",
    "live_tables",
    "message_bucket",
    "named_by",
    "new_table_id",
    "open_with_bots",
    "own_data",
    "paced",
    "person_behind",
    "person_of",
    "preset_name",
    "preset_of",
    "rating_of",
    "reaching_database",
    "rules_name",
    "switch_type",
]

BOT: Final = "sensible"
BOT_NAMES: Final = ("Aki", "Fuyu", "Haru", "Natsu")
CLOCK: Final = ClockSettings(base_ms=5_000, bank_ms=20_000)


async def open_with_bots(person: str, name: str) -> str:
    """Open a public table for that person and three bots; returns its id.

    Seats are drawn by lot: the first one deals first. Raises TablesUnavailable.
    """
    lot = secrets.SystemRandom()
    bots = [SeatMeta(name=bot_name, bot=BOT) for bot_name in lot.sample(BOT_NAMES, 3)]
    seats = [SeatMeta(name=name, person=person), *bots]
    lot.shuffle(seats)
    table_id = new_table_id()
    await (await house()).open_game(
        GamePlan(table_id=table_id, seats=seats, rules=TENHOU, clock=CLOCK)
    )
    return table_id
