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


def get_or_create_guest(session: Any) -> Person:
    """Return the person of this session, or a new guest.

    Raises PermissionDenied if a moderator has banned the person.
    """
    known = person_of(session)
    if known and is_banned(known):
        raise PermissionDenied
    person = Person.objects.filter(pk=known, deleted_at=None).first() if known else None
    if person is None:
        name = _("Guest %(number)d") % {"number": 1000 + secrets.randbelow(9000)}
        person = Person.objects.create(name=name)
        session[SESSION_KEY] = str(person.pk)
    return person


def require_person(request: HttpRequest) -> Person:
    """Return the visitor's person, or a new guest. Raises TooOften."""
    if visitor_of(request) is None:
        rate_limits.TABLES_OF_ADDRESS.count(rate_limits.address_of(request))
    person = get_or_create_guest(request.session)
    rate_limits.LOBBY_ACTIONS_OF_PERSON.count(str(person.pk))
    return person
