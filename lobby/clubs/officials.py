"""Finds the officials of an event: the officers of the club that holds it."""

from __future__ import annotations

from django.db.models import Q

from lobby.clubs.members import OFFICERS, is_officer
from lobby.models import ClubGame, Membership, RoundTable


async def is_official(table_id: str, person: str) -> bool:
    """Return whether that person is an official of the event to which the game of that table
    belongs. Other games of a club have no officials."""
    in_event = Q(league__isnull=False) | Q(
        table_id__in=RoundTable.objects.filter(table_id=table_id).values("table_id")
    )
    clubs = ClubGame.objects.filter(in_event, table_id=table_id).values("club")
    members = Membership.objects.filter(club__in=clubs, person=person, role__in=OFFICERS)
    found = await members.select_related("club", "person").afirst()
    return found is not None and await is_officer(found.club, found.person)
