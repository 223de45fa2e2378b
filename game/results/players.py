"""What the lobby tells this app of people: the other module of it that the lobby knows.

Synchronous, so that it happens in the lobby's own transaction.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from game.models import Game, GamePlayer, GameSeat, Player, Rating


def player_listed(person: UUID, name: str) -> None:
    """That person has an account, and is called that from now on."""
    Player.objects.update_or_create(person_id=person, defaults={"name": name, "is_listed": True})


def player_forgotten(person: UUID) -> None:
    """That person has deleted the account: the games stay, the name and the ratings go.

    What pages and files show changes at once. The worker then removes the name from the logs of
    archived games. A game that is still being played is archived without the name.
    """
    nobody = {"name": "", "is_listed": False, "is_forgotten": True}
    Player.objects.update_or_create(person_id=person, defaults=nobody)
    Rating.objects.filter(player_id=person).delete()
    GameSeat.objects.filter(person_id=person).update(name="")
    parts = GamePlayer.objects.filter(person_id=person)
    parts.update(name="")
    Game.objects.filter(pk__in=parts.values("game")).update(revision=0)


def players_unlisted(people: Collection[UUID]) -> None:
    """These guests are removed: nothing is known of them any more but their games."""
    Player.objects.filter(person_id__in=people, is_listed=False, is_forgotten=False).delete()
