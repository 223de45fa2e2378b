"""What people do in the lobby: appear as a guest, and sit down to a game."""

from __future__ import annotations

import secrets
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from game.identity.sessions import SESSION_KEY, person_of
from game.live.lobby_api import house, open_with_bots
from game.moderation.sanctions import is_banned
from lobby.accounts import rate_limits
from lobby.matchmaking import search
from lobby.models import Person

TABLE_KEY: Final = "table"
"""In the session: the table that this person sat down at last."""


async def get_or_create_guest(session: Any) -> Person:
    """The person of this session; a new guest if there is none yet.

    Raises PermissionDenied for whom a moderator has told to stay away.
    """
    known = await person_of(session)
    if known and await is_banned(known):
        raise PermissionDenied
    person = await Person.objects.filter(pk=known, deleted_at=None).afirst() if known else None
    if person is None:
        name = _("Guest %(number)d") % {"number": 1000 + secrets.randbelow(9000)}
        person = await Person.objects.acreate(name=name)
        await session.aset(SESSION_KEY, str(person.pk))
    return person


async def play_now(session: Any, address: str) -> str:
    """Seat this session's person at a new table with three bots. Who plays with other people is
    led back to them.

    Raises TooOften, and TablesUnavailable or LimitsUnavailable if no table can be opened.
    """
    await rate_limits.TABLES_OF_ADDRESS.count(address)
    person = await get_or_create_guest(session)
    who = str(person.pk)
    await rate_limits.TABLES_OF_PERSON.count(who)
    tables = await house()
    table_id = await search.find_game_with_people(tables, who)
    if not table_id:
        table_id = await open_with_bots(who, person.name)
        await search.record_seat(tables, who, table_id)
    await session.aset(TABLE_KEY, table_id)
    return table_id
