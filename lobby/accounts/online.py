"""Records in Redis which accounts are online, and which tables they watch.

An account is online if it has opened a page of the site within some minutes.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from typing import Final
from uuid import UUID

from django.core.cache import cache

from lobby.models import Person

ONLINE_FOR_S: Final = 300
"""How long an account is online after its page asked for news. Open pages ask every two minutes."""
_WATCHING_FOR_S: Final = 150
"""How long a spectator is at a table after the page asked for news. It asks every two minutes
unless it is hidden."""
_RECORD_EVERY_S: Final = 60.0
_MAX_RECORDED: Final = 10_000

_recorded_at: Final[dict[UUID, float]] = {}
"""When this process has last recorded each account, so that not each page costs a command."""


def record_visit(person: Person) -> None:
    """Record that the account has opened a page. Without Redis nothing is recorded."""
    if not person.is_account or not person.is_shown_online:
        return
    now = time.monotonic()
    if now - _recorded_at.get(person.pk, -_RECORD_EVERY_S) < _RECORD_EVERY_S:
        return
    if len(_recorded_at) >= _MAX_RECORDED:
        _recorded_at.clear()
    _recorded_at[person.pk] = now
    with contextlib.suppress(OSError):
        cache.set(_key(person.pk), 1, timeout=ONLINE_FOR_S)


def record_watching(person: Person, table_id: str) -> None:
    """Record that the account, as a spectator, has the page of that table open."""
    if not person.is_account or not person.is_shown_online:
        return
    with contextlib.suppress(OSError):
        cache.set(_watching_key(person.pk), table_id, timeout=_WATCHING_FOR_S)


def watched_table(person: Person) -> str:
    """Return the table that the person watches. Return '' if there is none, if the person does not
    want to be shown online, and without Redis."""
    if not person.is_shown_online:
        return ""
    try:
        return str(cache.get(_watching_key(person.pk), ""))
    except OSError:
        return ""


def forget(person: Person) -> None:
    """Show the account as offline until it opens a page again."""
    _recorded_at.pop(person.pk, None)
    with contextlib.suppress(OSError):
        cache.delete_many([_key(person.pk), _watching_key(person.pk)])


def online_among(people: Iterable[Person]) -> frozenset[UUID]:
    """Return which of these people are online and want to be shown so; nobody without Redis."""
    try:
        return frozenset(
            person.pk
            for person in people
            if person.is_shown_online and cache.get(_key(person.pk)) is not None
        )
    except OSError:
        return frozenset()


def _key(person: UUID) -> str:
    return f"online:{person}"


def _watching_key(person: UUID) -> str:
    return f"watching:{person}"
