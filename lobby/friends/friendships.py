"""Requests to be friends, their answers, and the end of a friendship.

Only accounts of people have friends. Each function is one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from game.moderation import blocks
from game.moderation.blocks import is_blocked
from game.results.players import chosen_avatars
from lobby.accounts.refusals import CodedError
from lobby.accounts.visitors import reachable_people, received_requests
from lobby.models import Friendship, Person

MAX_FRIENDS: Final = 200
MAX_REQUESTS: Final = 50
"""The most open requests that one person has sent, and the most that one person has received."""

Relation = Literal["none", "asked", "asks", "friends"]
"""A person's relation to another one: none, has sent a request, has received one, or friends."""


class FriendRefused(CodedError):
    """The action is not possible. `code` says why: "closed", "many" or "request_gone"."""


@dataclass(frozen=True, slots=True)
class FriendLists:
    """The people to whom a person has a relation, each list sorted by name."""

    friends: Sequence[Person]
    received: Sequence[Person]
    """People who have sent a request to the person."""
    sent: Sequence[Person]
    blocked: Sequence[Person]
    avatars: Mapping[UUID, str]
    """The avatars that these people have chosen, by person."""


def ask_for_friendship(person: Person, other: UUID) -> None:
    """Ask the other person to be friends. If the other person has asked already, the two become
    friends. Asking again changes nothing. Raises the same FriendRefused whether the account does
    not exist, accepts no requests or blocks the person.
    """
    with transaction.atomic():
        reached = {
            account.pk: account for account in reachable_people().filter(pk__in=(person.pk, other))
        }
        asked = reached.get(other)
        if asked is None or person.pk not in reached or asked.pk == person.pk:
            raise FriendRefused("closed")
        known = _friendship_between(person.pk, other).select_for_update().first()
        if known is not None:
            if known.accepted_at is None and known.asker_id == other:
                _accept(known)
            return
        is_closed = not asked.takes_requests or is_blocked(person.pk, by=other)
        if is_closed or received_requests(other).count() >= MAX_REQUESTS:
            raise FriendRefused("closed")
        if _sent_requests(person.pk).count() >= MAX_REQUESTS:
            raise FriendRefused("many")
        blocks.unblock(person.pk, other)
        first, second = sorted((person.pk, other))
        made, is_new = Friendship.objects.get_or_create(
            first_id=first, second_id=second, defaults={"asker": person}
        )
        if not is_new and made.accepted_at is None and made.asker_id == other:
            _accept(made)


def accept_request(person: Person, other: UUID) -> None:
    """Accept the other one's request. Raises FriendRefused."""
    with transaction.atomic():
        found = _friendship_between(person.pk, other).select_for_update().first()
        if found is None or (found.accepted_at is None and found.asker_id != other):
            raise FriendRefused("request_gone")
        if found.accepted_at is None:
            _accept(found)


def end_friendship(person: Person, other: UUID) -> None:
    """End the friendship, decline the other one's request, or withdraw the person's own request."""
    _friendship_between(person.pk, other).delete()


def block(person: Person, other: UUID) -> None:
    """Block the other one, which ends a friendship. Raises FriendRefused."""
    if other == person.pk or not Person.objects.filter(pk=other, deleted_at=None).exists():
        raise FriendRefused("request_gone")
    try:
        with transaction.atomic():
            blocks.block(person.pk, other)
            end_friendship(person, other)
    except blocks.TooManyBlocks:
        raise FriendRefused("many") from None


def unblock(person: Person, other: UUID) -> None:
    blocks.unblock(person.pk, other)


def has_blocked(person: Person, other: UUID) -> bool:
    return is_blocked(other, by=person.pk)


def relation_of(person: Person, other: UUID) -> Relation:
    """Return the person's relation to the other one."""
    found = _friendship_between(person.pk, other).first()
    if found is None:
        return "none"
    if found.accepted_at is not None:
        return "friends"
    return "asked" if found.asker_id == person.pk else "asks"


def are_friends(person: UUID, other: UUID) -> bool:
    """Return whether these two are friends and the other one can be reached."""
    found = _friendship_between(person, other).filter(accepted_at__isnull=False)
    return found.exists() and reachable_people().filter(pk=other).exists()


def lists_of(person: Person) -> FriendLists:
    """Return the friends, requests and blocks of the person, without people who cannot be
    reached."""
    friends, received, sent = list[Person](), list[Person](), list[Person]()
    rows = friendships_of(person.pk).select_related("first", "second")
    ids = blocks.blocked_by(person.pk)
    others = [row.second if row.first_id == person.pk else row.first for row in rows]
    known = {*(other.pk for other in others), *map(UUID, ids)}
    reached = {account.pk: account for account in reachable_people().filter(pk__in=known)}
    for row, other in zip(rows, others, strict=True):
        if other.pk not in reached:
            continue
        if row.accepted_at is not None:
            friends.append(other)
        elif row.asker_id == person.pk:
            sent.append(other)
        else:
            received.append(other)
    blocked = [reached[person_id] for person_id in map(UUID, ids) if person_id in reached]
    for people in (friends, received, sent, blocked):
        people.sort(key=_name_key)
    return FriendLists(friends, received, sent, blocked, avatars=chosen_avatars(reached))


def friendships_of(person: UUID) -> QuerySet[Friendship]:
    """Return the friendships and open requests of the person, also those with banned people or
    closed accounts.
    """
    return Friendship.objects.filter(Q(first=person) | Q(second=person))


def count_received(person: Person) -> int:
    """Return how many open requests the person has received."""
    return received_requests(person.pk).count()


def forget_friends(person: Person) -> None:
    """Remove the friendships, requests and blocks of a person who deletes the account."""
    friendships_of(person.pk).delete()
    blocks.forget_blocks(person.pk)


def _name_key(person: Person) -> tuple[str, str]:
    return person.name.casefold(), str(person.pk)


def _accept(row: Friendship) -> None:
    """Turn the request into a friendship. Raises FriendRefused."""
    for friend_id in (row.first_id, row.second_id):
        accepted = friendships_of(friend_id).filter(accepted_at__isnull=False)
        if _with_reachable(accepted).count() >= MAX_FRIENDS:
            raise FriendRefused("many")
    row.accepted_at = timezone.now()
    row.save(update_fields=["accepted_at"])


def _sent_requests(person: UUID) -> QuerySet[Friendship]:
    return _with_reachable(friendships_of(person).filter(accepted_at=None, asker=person))


def _with_reachable(rows: QuerySet[Friendship]) -> QuerySet[Friendship]:
    """Leave out friendships with people who are banned or closed: no list shows them, so they
    count in no limit.
    """
    return rows.filter(first__in=reachable_people(), second__in=reachable_people())


def _friendship_between(person: UUID, other: UUID) -> QuerySet[Friendship]:
    first, second = sorted((person, other))
    return Friendship.objects.filter(first=first, second=second)
