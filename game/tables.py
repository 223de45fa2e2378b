"""What the lobby may ask of the tables: the one module of this app that it knows."""

from __future__ import annotations

import secrets
from typing import Final

from django.conf import settings
from msgspec.structs import replace

from game.engine.clock import ClockSettings
from game.engine.rules import TENHOU
from game.people import SESSION_KEY, person_of
from game.rooms.errors import RoomsError as TablesUnavailable
from game.rooms.process import here
from game.rooms.room import SeatMeta
from game.selectors import has_running_seat

__all__ = [
    "SESSION_KEY",
    "TablesUnavailable",
    "has_running_seat",
    "open_with_bots",
    "paced",
    "person_of",
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
    process = await here()
    return await process.service.open_table(
        seats=(seats[0], seats[1], seats[2], seats[3]),
        rules=TENHOU,
        clock=paced(CLOCK, settings.TABLE_PACE),
        public=True,
    )


def paced(clock: ClockSettings, pace: float) -> ClockSettings:
    """The clock with the table's own pauses and the thinking of bots taking `pace` times as
    long. The players' time stays as it is."""

    def scaled(span_ms: int) -> int:
        return round(span_ms * pace)

    return replace(
        clock,
        pause_ms=scaled(clock.pause_ms),
        deal_ms=scaled(clock.deal_ms),
        bot_min_ms=scaled(clock.bot_min_ms),
        bot_max_ms=scaled(clock.bot_max_ms),
        result_pause_ms=scaled(clock.result_pause_ms),
        forced_ms=scaled(clock.forced_ms),
    )
