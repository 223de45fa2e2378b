"""What the lobby's pages show."""

from __future__ import annotations

from typing import Any

from game.identity.sessions import person_of
from game.live.lobby_api import has_running_seat, house
from lobby.matchmaking.player_location import find_place
from lobby.matchmaking.quick_play import TABLE_KEY
from lobby.matchmaking.search import find_game_with_people
from lobby.models import Person


async def find_name(session: Any) -> str:
    """What this session's person is called, '' if there is none."""
    person = await person_of(session)
    if not person:
        return ""
    name = await Person.objects.filter(pk=person).values_list("name", flat=True).afirst()
    return name or ""


async def is_with_people(session: Any) -> bool:
    """Whether that table has other people at it."""
    return bool(await find_game_with_people(await house(), await person_of(session)))


async def find_running_table(session: Any) -> str:
    """The table at which this session's person still has a seat, '' if there is none."""
    person = await person_of(session)
    table_id = await session.aget(TABLE_KEY, "")
    if table_id and await has_running_seat(table_id, person):
        return str(table_id)
    place = await find_place(await house(), person)
    if place is not None and place.kind == "table" and await has_running_seat(place.name, person):
        return place.name
    return ""
