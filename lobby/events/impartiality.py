"""Decides which officers may rule on the tables of an event in which officers play.

An officer who does not play in the event comes first. If all of them play, it is one who neither
sits at the table nor is a direct rival of its players in the standings. If there is no such officer
either, a rival may decide, and the log says so. Nobody ever decides about their own game, which the
callers check.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Literal
from uuid import UUID

from lobby.accounts.visitors import reachable_people
from lobby.clubs.members import OFFICERS, keeps_role
from lobby.models import Event, Membership, Person

RIVAL_PLACES: Final = 2
"""Players at most this many places apart are direct rivals."""
Places = Mapping[str, int]
"""The places in the standings by person."""
Verdict = Literal["yes", "as_player", "plays", "rival"]
"""Whether an officer may decide: "yes"; "as_player", which the log says; no, because an officer who
does not play, or one who is not a rival, has to do it."""


@dataclass(frozen=True, slots=True)
class Official:
    """The officer who acts, the reason for the action, and the standings, which tell who are
    direct rivals.
    """

    person: Person
    reason: str
    places: Places


def judge_officer(
    event: Event, officer: Person, concerned: Collection[UUID], places: Places
) -> Verdict:
    """Return whether the officer may decide about the `concerned` players of the event. Call it in
    the transaction of the decision."""
    players = _players_of(event)
    own = _involvement(officer.pk, concerned, players, places)
    best = min(
        (_involvement(other, concerned, players, places) for other in _officers_of(event)),
        default=own,
    )
    if own <= best:
        return "yes" if own < _RIVAL else "as_player"
    return "plays" if best == _NEUTRAL else "rival"


_NEUTRAL, _PLAYER, _RIVAL, _CONCERNED = range(4)


def _involvement(
    officer: UUID, concerned: Collection[UUID], players: Collection[UUID], places: Places
) -> int:
    if officer in concerned:
        return _CONCERNED
    if officer not in players and str(officer) not in places:
        return _NEUTRAL
    own = places.get(str(officer))
    others = [places[str(player)] for player in concerned if str(player) in places]
    if own is not None and any(abs(own - other) <= RIVAL_PLACES for other in others):
        return _RIVAL
    return _PLAYER


def _officers_of(event: Event) -> list[UUID]:
    """Return the officers of the event's club who can decide now."""
    rows = Membership.objects.filter(club=event.club_id, role__in=OFFICERS)
    rows = rows.filter(person__in=reachable_people())
    return [row.person_id for row in rows.select_related("club") if keeps_role(row)]


def _players_of(event: Event) -> frozenset[UUID]:
    """Return the entrants of the event and all substitutes. In an event without entrants,
    `_involvement` goes by the standings instead.
    """
    players = set(event.entrants.values_list("person", flat=True))
    replaced = event.entrants.filter(substitute__isnull=False)
    players |= set(replaced.values_list("substitute", flat=True))
    return frozenset(players | set(map(UUID, event.substitutes)))
