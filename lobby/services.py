"""What people do in the lobby: appear as a guest, and sit down to a game."""

from __future__ import annotations

import secrets
from typing import Any, Final

from django.core.cache import cache
from django.utils.translation import gettext as _

from game.tables import SESSION_KEY, open_with_bots, person_of
from lobby.models import Person

TABLE_KEY: Final = "table"
"""In the session: the table that this person sat down at last."""

TABLES_PER_PERSON: Final = 6
TABLES_PER_ADDRESS: Final = 60
"""Within `WINDOW_S`. An address may be that of a whole club."""
WINDOW_S: Final = 60


class TooManyTables(Exception):
    """This person or address has opened too many tables in a short time."""


async def guest_of(session: Any) -> Person:
    """The person of this session; a new guest if there is none yet."""
    known = await person_of(session)
    person = await Person.objects.filter(pk=known).afirst() if known else None
    if person is None:
        name = _("Guest %(number)d") % {"number": 1000 + secrets.randbelow(9000)}
        person = await Person.objects.acreate(name=name)
        await session.aset(SESSION_KEY, str(person.pk))
    return person


async def play_now(session: Any, address: str) -> str:
    """Seat this session's person at a new table with three bots.

    Raises TooManyTables, and TablesUnavailable if no table can be opened.
    """
    await _count(f"tables-of-address:{address}", TABLES_PER_ADDRESS)
    person = await guest_of(session)
    await _count(f"tables-of-person:{person.pk}", TABLES_PER_PERSON)
    table_id = await open_with_bots(str(person.pk), person.name)
    await session.aset(TABLE_KEY, table_id)
    return table_id


async def _count(key: str, at_most: int) -> None:
    """Count one more under that key. Raises TooManyTables above `at_most`."""
    await cache.aadd(key, 0, timeout=WINDOW_S)
    try:
        count = await cache.aincr(key)
    except ValueError:  # its time ended in between
        return
    if count > at_most:
        raise TooManyTables
