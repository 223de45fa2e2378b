"""Who is asking: the id of the person that the browser's session remembers.

The lobby writes it; tables compare it with the ids in their seats. A session that has signed
in to an account speaks for its person only as long as it is good for the account: not after
a new password, nor after the account is closed or deleted.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, Final, cast

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import SESSION_KEY as USER_KEY
from django.contrib.auth import aget_user, get_user
from django.http import HttpRequest, parse_cookie

from game.tables.database import reaching_database

SESSION_KEY: Final = "person"


_names: Final[list[Callable[[str], Awaitable[str]]]] = []


def named_by(find: Callable[[str], Awaitable[str]]) -> None:
    """Who knows what people are called."""
    _names[:] = [find]


async def name_of(person: str) -> str:
    """What that person is called, '' if nobody knows."""
    return await _names[0](person) if _names else ""


class _Asking:
    """As much of a request as it takes to know its user; a socket has no more."""

    def __init__(self, session: Any) -> None:
        self.session = session


async def person_behind(scope: Any) -> str:
    """The id of the person whose browser has opened that socket; '' for somebody unknown. Raises
    DatabaseUnavailable."""
    cookies = [value for name, value in scope["headers"] if name == b"cookie"]
    key = parse_cookie(b"; ".join(cookies).decode("latin-1")).get(settings.SESSION_COOKIE_NAME)
    if not key:
        return ""
    with reaching_database():
        return str(await database_sync_to_async(_person_of_key)(key))


def _person_of_key(key: str) -> str:
    session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    person = session.get(SESSION_KEY, "")
    if not person or not isinstance(person, str):
        return ""
    if session.get(USER_KEY) is None:
        return person
    return person if get_user(cast(HttpRequest, _Asking(session))).is_authenticated else ""


async def person_of(session: Any) -> str:
    """The person's id, '' for somebody who has never sat down. Reads the session store."""
    person = await session.aget(SESSION_KEY, "")
    if not person or not isinstance(person, str):
        return ""
    if await session.aget(USER_KEY) is None:
        return person
    user = await aget_user(cast(HttpRequest, _Asking(session)))
    return person if user.is_authenticated else ""
