"""Finds the accounts that can be asked to be friends, and their friendships and open requests.

Guests and bots have no account. Closed, deleted and banned accounts are in no list of other people.
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, QuerySet

from game.moderation.sanctions import banned_people
from lobby.models import Friendship, Person


def reachable_people() -> QuerySet[Person]:
    """Return the accounts that can be asked to be friends and that other people see in their
    lists."""
    accounts = Person.objects.filter(user__is_active=True, deleted_at=None)
    return accounts.exclude(pk__in=banned_people())


def received_requests(person: UUID) -> QuerySet[Friendship]:
    """Return the open requests to that person."""
    own = Friendship.objects.filter(Q(first=person) | Q(second=person), accepted_at=None)
    return own.exclude(asker=person).filter(asker__in=reachable_people())


def related_people(person: UUID) -> frozenset[UUID]:
    """Return the people who have a friendship or an open request with that person."""
    rows = Friendship.objects.filter(Q(first=person) | Q(second=person))
    return frozenset(person for pair in rows.values_list("first", "second") for person in pair)
