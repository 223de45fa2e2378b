"""Opens a game against bots, and finds the table to which a visitor can return."""

from __future__ import annotations

import secrets
from typing import Any, Final

from game.bots import BOT_NAMES
from game.engine.rules import TENHOU
from game.identity.sessions import person_of
from game.tables.bridge import ask
from game.tables.room import SeatMeta
from game.tables.settings import TableSettings
from lobby.accounts import rate_limits
from lobby.accounts.visitors import get_or_create_guest
from lobby.play import address_tables, movements
from lobby.play.backend import Backend, current_backend
from lobby.play.player_location import find_location
from lobby.play.queues import BOT
from lobby.play.table_access import new_table_id
from lobby.play.table_list import has_running_seat

TABLE_KEY: Final = "table"
"""The key in the session for the table at which the person sat down last."""


def play_now(
    session: Any,
    address: str,
    bot: str = BOT,
    settings: TableSettings | None = None,
) -> str:
    """Seat this session's person at a new table with bots of that kind; return its id.

    A person in a running game with other people gets no new table: return that game's table.
    Raises TooOften, and TableError or LimitsUnavailable if no table can be opened.
    """
    rate_limits.TABLES_OF_ADDRESS.count(address)
    person = get_or_create_guest(session)
    rate_limits.TABLES_OF_PERSON.count(str(person.pk))
    chosen = settings or TableSettings(rules=TENHOU)
    table_id = ask(_seat_player(str(person.pk), person.name, address, bot, chosen))
    session[TABLE_KEY] = table_id
    return table_id


def find_running_table(session: Any) -> str:
    """Return the table at which this session's person has a seat, or ''. Raises TableError."""
    return ask(_find_running_table(session.get(TABLE_KEY, ""), person_of(session)))


async def _find_running_table(table_id: str, person: str) -> str:
    """Return `table_id`, or the table where the person is known to be, if they have a seat there
    and the game is running; else ''."""
    if table_id and await has_running_seat(table_id, person):
        return table_id
    location = await find_location(await current_backend(), person)
    if (
        location is not None
        and location.kind == "table"
        and await has_running_seat(location.name, person)
    ):
        return location.name
    return ""


async def _seat_player(
    person: str, name: str, address: str, bot: str, settings: TableSettings
) -> str:
    """Seat the person at a new table, unless they play with other people; return the id of the
    table. Raises TooOften, TableError."""
    backend = await current_backend()
    table_id = await movements.find_game_with_people(backend, person)
    if not table_id:
        table_id = new_table_id()
        await address_tables.reserve_table(backend, address_tables.key_of(address), table_id)
        await _open_with_bots(backend, table_id, person, name, bot, settings)
        await movements.record_seat(backend, person, table_id)
    return table_id


async def _open_with_bots(
    backend: Backend,
    table_id: str,
    person: str,
    name: str,
    bot: str,
    settings: TableSettings,
) -> None:
    """Open a public table for that person and bots, in random seats. Raises TableError."""
    lot = secrets.SystemRandom()
    names = lot.sample(BOT_NAMES, settings.rules.players - 1)
    bots = [SeatMeta(name=bot_name, bot=bot) for bot_name in names]
    seats = [SeatMeta(name=name, person=person), *bots]
    lot.shuffle(seats)
    await backend.tables.open_game(table_id, seats, settings)
