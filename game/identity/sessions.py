"""The person whom a session names: an id that the lobby writes and tables compare with their seats.

A session that has signed in to an account names its person only while it is valid for the
account: not after a new password, nor after the account is closed or deleted.
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
    """The part of a request that Django needs to find the user. A socket has only a session."""

    def __init__(self, session: Any) -> None:
        self.session = session


class _Copy(dict[str, Any]):
    """What a session holds. Django renews or ends some sessions when it finds their users, such as
    after a new SECRET_KEY; that is left to a page, which can tell the browser the new key."""

    cycle_key = flush = staticmethod(lambda: None)


def person_of(session: Any) -> str:
    """Return the person's id, '' for somebody who has never sat down. Reads the session store."""
    person = session.get(SESSION_KEY, "")
    if not person or not isinstance(person, str):
        return ""
    if session.get(USER_KEY) is None:
        return person
    user = get_user(cast(HttpRequest, _SessionOnly(session)))
    return person if user.is_authenticated else ""


def person_of_key(key: str) -> str:
    """Return the person's id as `person_of` does, for the session of that key. Synchronous."""
    return person_of(_Copy(import_module(settings.SESSION_ENGINE).SessionStore(key).items()))
