"""What the lobby tells this app of people: the other module of it that the lobby knows.

Synchronous, so that it happens in the lobby's own transaction.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from game.models import Game, GamePlayer, GameSeat, Player, Rating, Sanction


@dataclass(frozen=True, slots=True)
class ListedSanction:
    """A mute or a ban, for the person's page in the admin site."""

    id: int
    text: str


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


def players_sanctioned() -> QuerySet[Sanction, UUID]:
    """Return the ids of those who are muted or banned at present."""
    now = Sanction.objects.filter(until__gt=timezone.now())
    return now.values_list("person_id", flat=True)


def sanctions_of(person: UUID) -> list[ListedSanction]:
    """Return the mutes and bans of that person, the one that ends last first."""
    found = Sanction.objects.filter(person_id=person)
    return [
        ListedSanction(
            one.pk,
            f"{one.kind} until {one.until:%Y-%m-%d %H:%M} UTC{': ' if one.why else ''}{one.why}",
        )
        for one in found
    ]
