"""Who is looking at a page: `visitor_of(request)`, a person or nobody.

For pages. A socket asks `game.identity.sessions.person_of`, which applies the same rules.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import SESSION_KEY as USER_KEY
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from game.identity.sessions import SESSION_KEY
from lobby.models import Person

log = logging.getLogger(__name__)


class VisitorMiddleware:
    """Middleware that finds the visitor once, before the view: views and templates run where
    the database cannot be asked in passing. Whoever comes without a session costs nothing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        has_session = settings.SESSION_COOKIE_NAME in request.COOKIES
        person = _find_visitor(request) if has_session else None
        if person is not None:
            _record_day(person)
        request.visitor = person  # type: ignore[attr-defined]
        return self.get_response(request)


def visitor_of(request: HttpRequest) -> Person | None:
    """Guest or account; None for who has never sat down."""
    return getattr(request, "visitor", None)


def _find_visitor(request: HttpRequest) -> Person | None:
    session = request.session
    if request.user.is_authenticated:
        person = Person.objects.filter(user=request.user).first()
        if person is not None:
            if session.get(SESSION_KEY) != str(person.pk):  # has signed in on the admin's page
                session[SESSION_KEY] = str(person.pk)
            return person
    elif USER_KEY in session:  # its account is closed or gone
        session.flush()
        return None
    known = session.get(SESSION_KEY)
    return Person.objects.filter(pk=known, deleted_at=None).first() if known else None


def _record_day(person: Person) -> None:
    """Note the day, once a day. A database that takes no writes shows pages all the same."""
    today = timezone.localdate()
    if person.seen_on == today:
        return
    try:
        Person.objects.filter(pk=person.pk).update(seen_on=today)
    except DatabaseError as error:
        log.info("the day of a visit was not noted: %s", error)
