"""What the lobby may ask of the tables: the one module of this app that it knows."""

from __future__ import annotations

import secrets
from typing import Final

from game.bots import BOTS
from game.engine.clock import ClockSettings
from game.engine.consistency import Contradiction, contradictions_in
from game.engine.presets import PRESETS
from game.engine.rules import TENHOU, RuleSet, switch_type
from game.live.authentication import named_by, person_behind
from game.live.rate_limits import Bucket, message_bucket
from game.live.send_queue import SendQueue
from game.live.table_access import (
    UNRATED,
    GamePlan,
    Script,
    TableAccess,
    house,
    new_table_id,
    paced,
    rating_of,
)
from game.live.table_list import ListedTable, has_running_seat, live_tables
from game.operations.personal_data import collect_personal_data
from game.results.game_text import preset_name, rules_name
from game.results.ladders import preset_of
from game.tables.database import reaching_database
from game.tables.errors import TableError as TablesUnavailable
from game.tables.periodic_tasks import chore_added
from game.tables.room import Room, SeatMeta, Watch

__all__ = [
    "BOTS",
    "BOT_NAMES",
    "CLOCK",
    "PRESETS",
    "UNRATED",
    "Bucket",
    "ClockSettings",
    "Contradiction",
    "GamePlan",
    "ListedTable",
    "Room",
    "RuleSet",
    "Script",
    "SeatMeta",
    "SendQueue",
    "TableAccess",
    "TablesUnavailable",
    "Watch",
    "chore_added",
    "collect_personal_data",
    "contradictions_in",
    "has_running_seat",
    "house",
    "live_tables",
    "message_bucket",
    "named_by",
    "new_table_id",
    "open_with_bots",
    "paced",
    "person_behind",
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
