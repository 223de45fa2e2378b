"""Which person a session belongs to: an id that the lobby writes and tables compare with their
seats.

A session that has signed in to an account names its person only while it is valid for the account.
It becomes invalid with a new password, and when the account is closed or deleted.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, cast

from django.conf import settings
from django.contrib.auth import SESSION_KEY as USER_KEY
from django.contrib.auth import get_user
from django.http import HttpRequest

SESSION_KEY: Final = "person"


class _SessionOnly:
    """A request with nothing but a session, from which Django finds the user. Sockets have no
    request."""

    def __init__(self, session: Any) -> None:
        self.session = session


class _SessionCopy(dict[str, Any]):
    """A copy of a session's data that cannot be changed by Django. When it finds the user, Django
    renews or ends some sessions, for example after a new SECRET_KEY; only a page may do so, because
    it can send the browser the new key."""

    cycle_key = flush = staticmethod(lambda: None)


def person_of(session: Any) -> str:
    """Return the person's id, '' for a visitor who has no person yet. Reads the session store."""
    person = session.get(SESSION_KEY, "")
    if not person or not isinstance(person, str):
        return ""
    if session.get(USER_KEY) is None:
        return person
    user = get_user(cast(HttpRequest, _SessionOnly(session)))
    return person if user.is_authenticated else ""


def person_of_key(key: str) -> str:
    """Return the id of the person of the session with that key, as `person_of` does. Reads the
    database and blocks."""
    return person_of(_SessionCopy(import_module(settings.SESSION_ENGINE).SessionStore(key).items()))
