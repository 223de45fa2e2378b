"""Finds the visitor of a page, a person or None, and makes guests: people without an account, known
by the browser's session.

Sockets use `game.identity.sessions.person_of`, which applies the same rules.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth import SESSION_KEY as USER_KEY
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from game.identity.sessions import SESSION_KEY, person_of
from game.moderation.sanctions import banned_people, is_banned
from lobby.accounts import online, rate_limits
from lobby.models import Friendship, Person


def reachable_people() -> QuerySet[Person]:
    """Return the accounts that others can ask to be friends and see in their lists: open and not
    banned.
    """
    accounts = Person.objects.filter(user__is_active=True, deleted_at=None)
    return accounts.exclude(pk__in=banned_people())


def received_requests(person: UUID) -> QuerySet[Friendship]:
    """Return the open requests to that person."""
    own = Friendship.objects.filter(Q(first=person) | Q(second=person), accepted_at=None)
    return own.exclude(asker=person).filter(asker__in=reachable_people())


def related_people(person: UUID) -> frozenset[UUID]:
    """Return the people who have a friendship or an open request with that person."""
    rows = Friendship.objects.filter(Q(first=person) | Q(second=person))
    return frozenset(person for pair in rows.values_list("first", "second") for person in pair)


log = logging.getLogger(__name__)

_OFFER_TO_ASK: Final = frozenset({"game:game", "game:player"})


class VisitorMiddleware:
    """Middleware that finds the visitor before the view. A request without a session causes no
    query.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        has_session = settings.SESSION_COOKIE_NAME in request.COOKIES
        person = _find_visitor(request) if has_session else None
        if person is not None:
            _record_day(person)
            online.record_visit(person)
            if person.is_account and request.method == "GET":
                count = received_requests(person.pk).count()
                request.friend_request_count = count  # type: ignore[attr-defined]
        request.visitor = person  # type: ignore[attr-defined]
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        """Find the people with whom the account already has a relation, on pages with buttons to
        ask for friendship."""
        match, person = request.resolver_match, visitor_of(request)
        if match is not None and match.view_name in _OFFER_TO_ASK and person and person.is_account:
            request.known_people = related_people(person.pk)  # type: ignore[attr-defined]


def visitor_of(request: HttpRequest) -> Person | None:
    """Return the guest or account, or None for a visitor who has never played."""
    return getattr(request, "visitor", None)


def account_of(request: HttpRequest) -> Person | None:
    """Return the visitor's account, or None for a guest."""
    visitor = visitor_of(request)
    return visitor if visitor is not None and visitor.is_account else None


def person_id(request: HttpRequest) -> str:
    """Return the id of the visitor's person, '' without one."""
    visitor = visitor_of(request)
    return "" if visitor is None else str(visitor.pk)


def _find_visitor(request: HttpRequest) -> Person | None:
    session = request.session
    if request.user.is_authenticated:
        person = Person.objects.filter(user=request.user).first()
        if person is not None:
            if session.get(SESSION_KEY) != str(person.pk):  # signed in on the admin site
                session[SESSION_KEY] = str(person.pk)
            return person
    elif USER_KEY in session:  # its account is closed or deleted
        session.flush()
        return None
    known = session.get(SESSION_KEY)
    return Person.objects.filter(pk=known, deleted_at=None).first() if known else None


def _record_day(person: Person) -> None:
    """Record the day of the visit, once a day. A read-only database does not stop the page."""
    today = timezone.localdate()
    if person.seen_on == today:
        return
    try:
        Person.objects.filter(pk=person.pk).update(seen_on=today)
    except DatabaseError as error:
        log.info("the day of a visit was not recorded: %s", error)


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
