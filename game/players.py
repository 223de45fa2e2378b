"""What the lobby tells this app of people: the other module of it that the lobby knows.

Synchronous, so that it happens in the lobby's own transaction.
"""

from __future__ import annotations

from uuid import UUID

from game.models import GameSeat, Player


def player_listed(person: UUID, name: str) -> None:
    """That person has an account, and is called that from now on."""
    Player.objects.update_or_create(person_id=person, defaults={"name": name, "is_listed": True})


def player_forgotten(person: UUID) -> None:
    """That person wants to be forgotten: the games stay, the name and the ratings go.

    A game that is still being played is kept without the name, too.
    """
    nobody = {"name": "", "is_listed": False, "is_forgotten": True}
    Player.objects.update_or_create(person_id=person, defaults=nobody)
    GameSeat.objects.filter(person_id=person).update(name="")
