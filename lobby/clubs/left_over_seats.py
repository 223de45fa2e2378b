"""Chooses members of the club for the seats that are left over when the number of a tournament's
entrants is not a multiple of four. Their results do not count."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from lobby.accounts.coded_error import CodedError
from lobby.accounts.transactions import change_locked
from lobby.events.seating import SEATS
from lobby.models import Entrant, Membership, Person, Tournament


class SubstitutesRefused(CodedError):
    """The chosen members cannot take the seats. `code`: "fill" (the tournament fills its seats
    otherwise), "busy" (one of them plays in the tournament, or is named twice), "member" (one of
    them is no member of the club)."""


def count_left_over(entrants: int) -> int:
    """Return how many seats are left over with that number of entrants."""
    return -entrants % SEATS


async def choose_substitutes(tournament: Tournament, people: Sequence[UUID]) -> None:
    """Let these members take the seats that are left over, from the next round on. Raises
    SubstitutesRefused."""

    def choose(current: Tournament) -> None:
        if current.fill != "substitutes":
            raise SubstitutesRefused("fill")
        members = Membership.objects.filter(club=current.club_id, person__in=people)
        if members.count() != len(set(people)):
            raise SubstitutesRefused("member")
        if len(set(people)) < len(people) or _busy(current) & set(people):
            raise SubstitutesRefused("busy")
        current.substitutes = [str(person) for person in people]
        current.save(update_fields=["substitutes"])

    await change_locked(tournament, choose)


def substitutes_of(tournament: Tournament) -> list[Person]:
    """Return who takes the seats in the next round, without people who have left the club or play
    otherwise."""
    chosen = [UUID(substitute) for substitute in tournament.substitutes]
    members = Membership.objects.filter(club=tournament.club_id, person__in=chosen)
    people = {row.person_id: row.person for row in members.select_related("person")}
    busy = _busy(tournament)
    return [
        people[person_id] for person_id in chosen if person_id in people and person_id not in busy
    ]


def _busy(tournament: Tournament) -> set[UUID]:
    """Return those who play in the tournament, for themselves or for an entrant."""
    rows = Entrant.objects.filter(tournament=tournament)
    replacing = rows.filter(substitute__isnull=False)
    return {*rows.values_list("person", flat=True), *replacing.values_list("substitute", flat=True)}
