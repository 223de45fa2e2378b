"""Removes expired guests, sessions and pairs of players with one address.

The worker does it once an hour, in batches, so that no other writer waits for long.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Final

from channels.db import database_sync_to_async
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from game.moderation.sanctions import sanctioned_people
from game.results.players import forget_guests
from lobby.models import Person, SharedOrigin

log = logging.getLogger(__name__)

GUEST_DAYS: Final = 90
"""The number of days after the last visit of a guest after which it is removed."""
_BATCH_SIZE: Final = 500
_EVERY_S: Final = 3_600.0


async def remove_expired() -> float | None:
    """Remove a batch of guests and one of sessions. Return after how many seconds to call again: an
    hour if none is left."""
    await database_sync_to_async(remove_old_pairs)()
    sessions = await database_sync_to_async(remove_sessions)(_BATCH_SIZE)
    guests = await database_sync_to_async(remove_guests)(_BATCH_SIZE)
    if sessions or guests:
        log.info("removed %d expired sessions and %d guests", sessions, guests)
    return None if _BATCH_SIZE in (sessions, guests) else _EVERY_S


def remove_sessions(at_most: int) -> int:
    """Delete at most `at_most` expired sessions. Return how many were deleted."""
    expired = Session.objects.filter(expire_date__lt=timezone.now())
    keys = list(expired.values_list("pk", flat=True)[:at_most])
    return Session.objects.filter(pk__in=keys).delete()[0]


def remove_old_pairs() -> None:
    """Delete each SharedOrigin that was last seen more than `KEPT_DAYS` ago."""
    since = timezone.now() - timedelta(days=SharedOrigin.KEPT_DAYS)
    SharedOrigin.objects.filter(last_at__lt=since).delete()


def remove_guests(at_most: int) -> int:
    """Delete guests without a recent visit. Return their number.

    Their games stay, with their names. A muted or banned guest stays until the sanction ends,
    because a new guest would escape it.
    """
    last_day = timezone.localdate() - timedelta(days=GUEST_DAYS)
    guests = Person.objects.filter(
        user=None, name_key=None, deleted_at=None, seen_on__lt=last_day
    ).exclude(pk__in=sanctioned_people())
    keys = list(guests.values_list("pk", flat=True)[:at_most])
    with transaction.atomic():
        forget_guests(keys)
        _, by_model = guests.filter(pk__in=keys).delete()  # with the rows that belong to them
        return by_model.get(Person._meta.label, 0)
