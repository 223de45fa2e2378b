"""What people do in the lobby: appear as a guest, and sit down to a game."""

from __future__ import annotations

import secrets
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from game.tables import SESSION_KEY, is_banned, open_with_bots, person_of
from lobby import limits
from lobby.models import Person

TABLE_KEY: Final = "table"
"""In the session: the table that this person sat down at last."""


async def guest_of(session: Any) -> Person:
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
    """Seat this session's person at a new table with three bots.

    Raises TooOften, and TablesUnavailable or LimitsUnavailable if no table can be opened.
    """
    await limits.TABLES_OF_ADDRESS.count(address)
    person = await guest_of(session)
    await limits.TABLES_OF_PERSON.count(str(person.pk))
    table_id = await open_with_bots(str(person.pk), person.name)
    await session.aset(TABLE_KEY, table_id)
    return table_id
