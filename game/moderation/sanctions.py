"""Finds the mutes and bans in force. `game.moderation.bans` applies new bans to tables.

Every process of Django loads this module at its start, so it imports nothing of running tables.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from game.identity import seat_proofs
from game.models import Sanction


def is_silenced(person: str) -> bool:
    """Return whether that person is muted or banned now, and so cannot chat."""
    return current_sanctions().filter(person_id=UUID(person)).exists()


def is_banned(person: str) -> bool:
    """Return whether that person is banned from the tables now."""
    return banned_until(person) is not None


def banned_until(person: str) -> datetime | None:
    """Return the end of that person's ban from the tables, or None."""
    bans = current_sanctions().filter(kind=Sanction.BAN, person_id=UUID(person))
    return bans.order_by("-until").values_list("until", flat=True).first()


def sanctioned_people() -> QuerySet[Sanction, UUID]:
    """Return the ids of the people who are muted or banned now."""
    return current_sanctions().values_list("person_id", flat=True)


def banned_people() -> QuerySet[Sanction, UUID]:
    """Return the ids of the people who are banned now."""
    return current_sanctions().filter(kind=Sanction.BAN).values_list("person_id", flat=True)


def sanctions_of(person: UUID) -> QuerySet[Sanction]:
    """Return the mutes and bans of that person, the one that ends last first."""
    return Sanction.objects.filter(person_id=person)


def revoke_proofs(instance: Sanction, **_: Any) -> None:
    """Revoke the seat proofs of a banned person: receives the signals before and after a sanction
    is saved. Raises ProofsUnavailable."""
    if instance.kind == Sanction.BAN:
        seat_proofs.revoke_with_transaction(str(instance.person_id))


def current_sanctions() -> QuerySet[Sanction]:
    """Return the mutes and bans in force."""
    return Sanction.objects.filter(until__gt=timezone.now())
