"""Opens a game against bots, and finds the table to which a visitor can return."""

from __future__ import annotations

from typing import Any, Final

from game.identity.sessions import person_of
from game.live.lobby_api import has_running_seat, house, open_with_bots
from lobby.accounts import rate_limits
from lobby.accounts.guests import get_or_create_guest
from lobby.matchmaking.player_location import find_place
from lobby.pregame import seating

TABLE_KEY: Final = "table"
"""In the session: the table at which this person sat down last."""


async def play_now(session: Any, address: str) -> str:
    """Seat this session's person at a new table with three bots; return its id.

    Return the running table of a person who plays with other people instead. Raises TooOften, and
    TablesUnavailable or LimitsUnavailable if no table can be opened.
    """
    await rate_limits.TABLES_OF_ADDRESS.count(address)
    person = await get_or_create_guest(session)
    who = str(person.pk)
    await rate_limits.TABLES_OF_PERSON.count(who)
    tables = await house()
    table_id = await seating.find_game_with_people(tables, who)
    if not table_id:
        table_id = await open_with_bots(who, person.name)
        await seating.record_seat(tables, who, table_id)
    await session.aset(TABLE_KEY, table_id)
    return table_id


async def find_running_table(session: Any) -> str:
    """Return the table at which this session's person has a seat, or ''."""
    person = await person_of(session)
    table_id = await session.aget(TABLE_KEY, "")
    if table_id and await has_running_seat(table_id, person):
        return str(table_id)
    place = await find_place(await house(), person)
    if place is not None and place.kind == "table" and await has_running_seat(place.name, person):
        return place.name
    return ""
