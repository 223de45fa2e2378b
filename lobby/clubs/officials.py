"""Finds the officials of an event: the officers of the club that holds it."""

from __future__ import annotations

from django.db.models import Q

from lobby.clubs.members import OFFICERS, may_hold_site_events
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
    if found is None:
        return False
    # The role in the site's club depends on a permission, which may have been removed.
    return not found.club.is_site or await may_hold_site_events(found.person)
