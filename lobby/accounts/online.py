"""Who is online: has opened a page of the site within some minutes, kept in Redis; and which table
they watch."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from typing import Final
from uuid import UUID

from django.core.cache import cache

from lobby.models import Person

ONLINE_FOR_S: Final = 300
"""Open pages ask for news every two minutes."""
_WATCHING_FOR_S: Final = 150
"""A spectator's page asks for news as often, unless it is hidden."""
_RECORD_EVERY_S: Final = 60.0
_MAX_NOTED: Final = 10_000

_noted: Final[dict[UUID, float]] = {}
"""When this process has recorded whom, so that not each page costs a command."""


def record(person: Person) -> None:
    """Record that the account has opened a page. Without Redis nothing is recorded."""
    if not person.is_account or not person.is_shown_online:
        return
    now = time.monotonic()
    if now - _noted.get(person.pk, -_RECORD_EVERY_S) < _RECORD_EVERY_S:
        return
    if len(_noted) >= _MAX_NOTED:
        _noted.clear()
    _noted[person.pk] = now
    with contextlib.suppress(OSError):
        cache.set(_key(person.pk), 1, timeout=ONLINE_FOR_S)


def record_watching(person: Person, table_id: str) -> None:
    """Record that the account has the page of that table open as a spectator."""
    if not person.is_account or not person.is_shown_online:
        return
    with contextlib.suppress(OSError):
        cache.set(_watching_key(person.pk), table_id, timeout=_WATCHING_FOR_S)


def watched_table(person: Person) -> str:
    """Return the table that the person watches; '' for none, for those who let nobody see it, and
    without Redis."""
    if not person.is_shown_online:
        return ""
    try:
        return str(cache.get(_watching_key(person.pk), ""))
    except OSError:
        return ""


def forget(person: Person) -> None:
    """Show the account as offline from now on."""
    _noted.pop(person.pk, None)
    with contextlib.suppress(OSError):
        cache.delete_many([_key(person.pk), _watching_key(person.pk)])


def online_among(people: Iterable[Person]) -> frozenset[UUID]:
    """Return those of these people who are online and let friends see it; nobody without Redis."""
    try:
        return frozenset(
            one.pk for one in people if one.is_shown_online and cache.get(_key(one.pk)) is not None
        )
    except OSError:
        return frozenset()


def _key(person: UUID) -> str:
    return f"online:{person}"


def _watching_key(person: UUID) -> str:
    return f"watching:{person}"
