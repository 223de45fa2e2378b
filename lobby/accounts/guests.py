"""Finds and makes guests: people without an account, identified by the browser's session."""

from __future__ import annotations

import secrets
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext as _

from game.identity.sessions import SESSION_KEY, person_of
from game.moderation.sanctions import is_banned
from lobby.accounts import rate_limits
from lobby.accounts.visitors import visitor_of
from lobby.models import Person


async def get_or_create_guest(session: Any) -> Person:
    """Return the person of this session, or a new guest.

    Raises PermissionDenied if a moderator has banned the person.
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


async def require_person(request: HttpRequest) -> Person:
    """Return the visitor's person, or a new guest. Raises TooOften."""
    if visitor_of(request) is None:
        await rate_limits.TABLES_OF_ADDRESS.count(rate_limits.address_of(request))
    person = await get_or_create_guest(request.session)
    await rate_limits.LOBBY_ACTIONS_OF_PERSON.count(str(person.pk))
    return person
