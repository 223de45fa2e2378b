"""What the views of the lobby do alike: who is asking, how often, and what they are told when it
cannot be."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from game.tables.errors import TableError
from lobby.accounts import rate_limits
from lobby.accounts.guests import get_or_create_guest
from lobby.accounts.visitors import visitor_of
from lobby.models import Person

log = logging.getLogger(__name__)

View = Callable[..., Coroutine[Any, Any, HttpResponse]]


def with_error_pages(view: View) -> View:
    """A page in place of what the view raises when it cannot be done just now."""

    @wraps(view)
    async def kind(request: HttpRequest, *args: object, **named: object) -> HttpResponse:
        try:
            return await view(request, *args, **named)
        except rate_limits.TooOften:
            return render(request, "lobby/too_many_tables.html", status=429)
        except (TableError, rate_limits.LimitsUnavailable) as error:
            log.warning("%s cannot be answered: %s", request.path, error)
            return render(request, "lobby/unavailable.html", status=503)

    return kind


async def require_person(request: HttpRequest) -> Person:
    """Who is asking, a new guest if need be. Raises TooOften for who asks too often."""
    if visitor_of(request) is None:
        await rate_limits.TABLES_OF_ADDRESS.count(rate_limits.address_of(request))
    person = await get_or_create_guest(request.session)
    await rate_limits.LOBBY_ACTIONS_OF_PERSON.count(str(person.pk))
    return person


def person_id(request: HttpRequest) -> str:
    """The id of who is asking, '' for nobody."""
    visitor = visitor_of(request)
    return "" if visitor is None else str(visitor.pk)


async def count_not_found(request: HttpRequest) -> Http404:
    """To be raised for what is not there, or not for this visitor: nobody can tell which.
    Raises TooOften for who looks for such things."""
    await rate_limits.LINKS_OF_ADDRESS.count(rate_limits.address_of(request))
    return Http404()


def refusal_text(code: str) -> str:
    """Why something may not be done, for people; '' for what needs no word."""
    return {
        "full": _("All seats are taken."),
        "begun": _("The game has begun."),
        "password": _("That is not the password of this table."),
        "taken": _("Somebody sits there by now."),
        "seated": _("You have a seat at a running table. Finish that game first, or leave it."),
        "gone": _("This table is no longer there."),
        "late": _("It is too late for a rematch at that table. Make a new one."),
        "playing": _("The game is not over yet."),
    }.get(code, "")
