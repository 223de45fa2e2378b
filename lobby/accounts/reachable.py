"""Which accounts others can reach, and how many of them ask somebody to be friends.

Guests and bots have no account. Closed, deleted and banned accounts are not reached: they are in no
list of others.
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, QuerySet

from game.moderation.sanctions import banned_people
from lobby.models import Friendship, Person


def reachable_people() -> QuerySet[Person]:
    """Return the accounts that can be asked, and that stand in the lists of others."""
    accounts = Person.objects.filter(user__is_active=True, deleted_at=None)
    return accounts.exclude(pk__in=banned_people())


def received_requests(person: UUID) -> QuerySet[Friendship]:
    """Return the open requests to that person."""
    own = Friendship.objects.filter(Q(first=person) | Q(second=person), accepted_at=None)
    return own.exclude(asker=person).filter(asker__in=reachable_people())


def befriended_people(person: UUID) -> frozenset[UUID]:
    """Return the friends of that person, and those with whom there is an open request."""
    rows = Friendship.objects.filter(Q(first=person) | Q(second=person))
    return frozenset(person for pair in rows.values_list("first", "second") for person in pair)
