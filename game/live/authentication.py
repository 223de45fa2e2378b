"""The person who has opened a socket."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.http import parse_cookie

from game.identity.sessions import person_of_key
from game.tables.database import reaching_database


async def person_behind(scope: Any) -> str:
    """Return the id of the person by the session of the socket's request; '' if there is none.

    Raises DatabaseUnavailable.
    """
    cookies = [value for name, value in scope["headers"] if name == b"cookie"]
    key = parse_cookie(b"; ".join(cookies).decode("latin-1")).get(settings.SESSION_COOKIE_NAME)
    if not key:
        return ""
    with reaching_database():
        return str(await database_sync_to_async(person_of_key)(key))
