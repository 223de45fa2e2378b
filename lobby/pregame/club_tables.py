"""What pregame tables know of clubs: who is a member, and which games are whose.

`lobby.clubs` owns everything else of clubs.
"""

from __future__ import annotations

from uuid import UUID

from lobby.models import Club, ClubGame, Membership


async def is_member(club: str, person: str) -> bool:
    """Whether that person is a member of the club of that address."""
    if not person:
        return False
    return await Membership.objects.filter(club__slug=club, person=UUID(person)).aexists()


async def record_game(club: str, table_id: str) -> None:
    """Note that the game that is about to be opened is one of the club, if the club still exists.
    Calling it again has no effect."""
    found = await Club.objects.filter(slug=club).afirst()
    if found is not None:
        await ClubGame.objects.aget_or_create(table_id=table_id, defaults={"club": found})


async def club_of_game(table_id: str) -> str:
    """Return the address of the club whose game it is, '' for none."""
    rows = ClubGame.objects.filter(pk=table_id).values_list("club__slug", flat=True)
    return await rows.afirst() or ""
