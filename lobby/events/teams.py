"""Manages the teams of events, and computes their standings from those of the players
(`lobby.events.standings`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError

from lobby.accounts.refusals import CodedError
from lobby.accounts.transactions import T, change_locked
from lobby.events.results import terms_of
from lobby.events.standings import StandingsRow, team_standings
from lobby.models import Event, Membership, Person, Team, TeamPlayer

MAX_TEAMS: Final = 64
"""The most teams of one event."""
MAX_NAME: Final = 40
_MAX_LISTED: Final = 1_000


class TeamRefused(CodedError):
    """The change is not possible. `code` is "name", "taken" or "many"."""


def teams_of(event: Event) -> list[tuple[Team, list[Person]]]:
    """Return the teams with their players, by name."""
    rows = event.teams.prefetch_related("players__person")
    return [(team, [entry.person for entry in team.players.all()]) for team in rows]


def make_team(event: Event, name: str) -> None:
    """Add a team without players. Raises TeamRefused."""
    name = _clean_team_name(name)

    def make(current: Event) -> None:
        if current.teams.count() >= MAX_TEAMS:
            raise TeamRefused("many")
        current.teams.create(name=name)

    _change_teams(event, make)


def rename_team(event: Event, team: int, name: str) -> bool:
    """Rename the team. Return False if the event has no such team. Raises TeamRefused."""
    name = _clean_team_name(name)
    return _change_teams(
        event, lambda current: bool(current.teams.filter(pk=team).update(name=name))
    )


def delete_team(event: Event, team: int) -> bool:
    """Delete the team; its players stay in the event. Return False if there is no such team."""
    deleted, _ = event.teams.filter(pk=team).delete()
    return bool(deleted)


def put_into_team(event: Event, team: int, person: UUID) -> bool:
    """Move a player of the event into the team. Return False if there is no such team or player."""

    def put(current: Event) -> bool:
        found = current.teams.filter(pk=team).first()
        if found is None or not _participants(current).filter(pk=person).exists():
            return False
        current.leave_team(person)
        found.players.create(person_id=person)
        return True

    return _change_teams(event, put)


def take_out_of_team(event: Event, person: UUID) -> None:
    """Take the person out of their team, if they are in one."""
    _change_teams(event, lambda current: current.leave_team(person))


def players_without_team(event: Event) -> list[Person]:
    """Return the players of the event who are in no team, by name."""
    placed = TeamPlayer.objects.filter(team__in=event.teams.all()).values("person")
    rows = _participants(event).exclude(pk__in=placed).order_by("name")
    return list(rows[:_MAX_LISTED])


def team_rows(
    event: Event, rows: Sequence[StandingsRow]
) -> tuple[list[StandingsRow], dict[str, tuple[Team, list[Person]]]]:
    """Return the standings of the teams, computed from the `rows` of the players, and a mapping of
    the key (`player`) of each row to the team and its players.
    """
    teams = {str(team.pk): (team, people) for team, people in teams_of(event)}
    players = {key: [str(person.pk) for person in people] for key, (_, people) in teams.items()}
    return team_standings(rows, players, terms_of(event)), teams


def _participants(event: Any) -> Any:
    """Return the participants: the entrants, or all members of the club if everybody may play."""
    if event.registration == Event.MEMBERS:
        members = Membership.objects.filter(club=event.club_id).values("person")
        return Person.objects.filter(pk__in=members)
    return Person.objects.filter(pk__in=event.entrants.values("person"))


def _clean_team_name(name: str) -> str:
    name = " ".join(name.split())
    if not 0 < len(name) <= MAX_NAME or not name.isprintable():
        raise TeamRefused("name")
    return name


def _change_teams(event: Event, change: Callable[[Any], T]) -> T:
    """Call `change` with the locked event. Raises TeamRefused if a name is taken."""
    try:
        return change_locked(event, change)
    except IntegrityError:
        raise TeamRefused("taken") from None
