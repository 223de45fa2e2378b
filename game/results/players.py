"""Applies changes of accounts to the results: a new name, a deleted account, a removed guest.

The lobby calls these functions in its own transaction; they are synchronous.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from game.models import (
    Game,
    GamePlayer,
    GameSeat,
    ImportedRecord,
    PlayAccuracy,
    Player,
    Rating,
    ReplayLink,
)
from game.results.totals import forget_totals


def list_player(person: UUID, name: str) -> None:
    """Record the person's account and its name. Gives the player a public page."""
    Player.objects.update_or_create(person_id=person, defaults={"name": name, "is_listed": True})


def set_named_in_links(person: UUID, is_agreed: bool) -> None:
    """Store whether the owner of this account allows replay links of other players to show its
    name."""
    Player.objects.filter(person_id=person, is_listed=True).update(is_named_in_links=is_agreed)


def is_named_in_links(person: UUID) -> bool:
    """Return whether this person allows replay links of other players to show their name."""
    return Player.objects.filter(person_id=person, is_named_in_links=True).exists()


def set_avatar(person: UUID, avatar: str) -> None:
    """Store the avatar that this account has chosen."""
    Player.objects.filter(person_id=person, is_listed=True).update(avatar=avatar)


def chosen_avatar(person: UUID) -> str:
    """Return the avatar that this person has chosen; '' for none."""
    found = Player.objects.filter(person_id=person).values_list("avatar", flat=True).first()
    return found or ""


def chosen_avatars(people: Collection[UUID]) -> dict[UUID, str]:
    """Map those of these people who have chosen an avatar to it, such as ``5mr-blue``."""
    rows = Player.objects.filter(person_id__in=people).exclude(avatar="")
    return dict(rows.values_list("person_id", "avatar"))


def forget_player(person: UUID) -> None:
    """Remove the name, the ratings, the accuracy, the sums of figures, the imported games and the
    links to replays of a person who has deleted the account. The games that were played here stay.

    Pages and files change at once. The worker then removes the name from the logs of archived
    games. A game in progress is archived without the name.
    """
    nobody = {
        "name": "",
        "is_listed": False,
        "is_forgotten": True,
        "is_named_in_links": False,
        "avatar": "",
    }
    Player.objects.update_or_create(person_id=person, defaults=nobody)
    Rating.objects.filter(player_id=person).delete()
    ImportedRecord.objects.filter(owner_id=person).delete()
    ReplayLink.objects.filter(person_id=person).delete()
    PlayAccuracy.objects.filter(person_id=person).delete()
    forget_totals([person])
    GameSeat.objects.filter(person_id=person).update(name="")
    parts = GamePlayer.objects.filter(person_id=person)
    parts.update(name="")
    Game.objects.filter(pk__in=parts.values("game")).update(revision=0)


def forget_guests(people: Collection[UUID]) -> None:
    """Remove the data of guests whom the lobby removes. The games that they played stay."""
    guests = Player.objects.filter(person_id__in=people, is_listed=False, is_forgotten=False)
    forget_totals(guests.values_list("pk", flat=True))
    guests.delete()
