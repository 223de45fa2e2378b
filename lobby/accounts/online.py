"""Who is online: has opened a page of the site within some minutes, kept in Redis."""

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


def forget(person: Person) -> None:
    """Show the account as offline from now on."""
    _noted.pop(person.pk, None)
    with contextlib.suppress(OSError):
        cache.delete(_key(person.pk))


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
