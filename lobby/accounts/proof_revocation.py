"""Revokes the seat proofs of an account whose user is changed: on the pages, in the admin site or
by a command."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from django.contrib.auth.models import User

from game.identity import seat_proofs
from lobby.models import Person

_ENDS_SESSIONS: Final = frozenset({"password", "is_active"})
"""Fields of a user whose change ends the sessions."""


def revoke_for_user(instance: User, update_fields: Collection[str] | None = None, **_: Any) -> None:
    """Handle the signals before and after a user is saved, and before one is deleted. Raises
    ProofsUnavailable."""
    if instance._state.adding or (
        update_fields is not None and _ENDS_SESSIONS.isdisjoint(update_fields)
    ):
        return
    for person in Person.objects.filter(user=instance).values_list("pk", flat=True):
        seat_proofs.revoke_with_transaction(str(person))
