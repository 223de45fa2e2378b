"""Manages the registration for events of clubs: enter, ask, wait for a place, withdraw.

Entrants take part. Applicants have asked the organisers, or wait for a place. Every change locks
the event, so that it never has more entrants than places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, cast
from uuid import UUID

import msgspec
from django.db import IntegrityError
from django.db.models import F
from django.utils import timezone

from game.engine.rules import RuleSet
from game.tables.settings import TableSettings, Watch
from lobby.accounts.names import name_key
from lobby.accounts.transactions import change_locked
from lobby.clubs.members import ClubAccess
from lobby.models import Applicant, Club, Event, EventPlayer, Membership, Person
from lobby.play.club_tables import season_of

Registered = Literal["entered", "asked", "waiting", "closed"]
Standing = Literal["entered", "asked", "waiting", ""]
_MAX_LISTED: Final = 1_000
MAX_APART: Final = 200
"""The most pairs of an event that must not meet."""


class EventTaken(Exception):
    """The club has an event with this address."""


@dataclass(frozen=True, slots=True)
class Lists:
    """The entrants and applicants of an event, in the order in which they registered."""

    entrants: list[Person]
    asked: list[Person]
    waiting: list[Person]
    withdrawn: list[Person]
    """Those who have played in rounds and take part in no further ones."""

    def standing_of(self, person: str) -> Standing:
        """Return the list on which that person is, '' for none."""
        lists: tuple[tuple[Standing, list[Person]], ...] = (
            ("entered", self.entrants),
            ("asked", self.asked),
            ("waiting", self.waiting),
        )
        return next(
            (name for name, people in lists if any(str(entry.pk) == person for entry in people)), ""
        )


def make_event(club: Club, rules: RuleSet, clock: str, **terms: Any) -> Event:
    """Create an event. `terms` are the model's other fields. Raises EventTaken."""
    terms.setdefault("is_public", club.is_public)
    terms.setdefault("log_is_public", terms["format"] != Event.ROUNDS)
    try:
        return Event.objects.create(
            club=club, rules=msgspec.to_builtins(rules), clock=clock, **terms
        )
    except IntegrityError:
        raise EventTaken from None


def events_of(club: Club) -> list[Event]:
    """Return the events of the club: first those without days, then the others, latest first."""
    rows = Event.objects.filter(club=club)
    rows = rows.order_by(F("starts_on").desc(nulls_first=True), "-made_at", "name")
    return list(rows)


def find_event(access: ClubAccess, slug: str) -> Event | None:
    """Return the club's event with that address; None if the person may not see it."""
    found = Event.objects.filter(club=access.club, slug=slug).first()
    return found if found is not None and access.may_see(found) else None


def rules_of(event: Event) -> RuleSet:
    return msgspec.convert(event.rules, RuleSet)


def table_size_of(event: Event) -> int:
    """Return how many players a table of the event has."""
    return rules_of(event).players


def settings_of(event: Event, /, **more: Any) -> TableSettings:
    """Make the settings of a table of the event. `more` are further fields of TableSettings."""
    return TableSettings(
        rules=rules_of(event),
        clock=event.clock,
        help=False,
        public=event.is_public,
        watch=cast("Watch", event.watch),
        watch_delay_s=event.delay_s,
        **more,
    )


def fills_tables(event: Event, count: int) -> bool:
    """Return whether that many entrants can begin the first round."""
    return count > 0 and (event.fill != "refuse" or count % table_size_of(event) == 0)


def lists_of(event: Event) -> Lists:
    entrants = event.entrants.select_related("person").order_by("pk")[:_MAX_LISTED]
    applicants = event.applicants.select_related("person")[:_MAX_LISTED]
    found = list(applicants)
    entered = list(entrants)
    return Lists(
        [entrant.person for entrant in entered if not entrant.is_withdrawn],
        [applicant.person for applicant in found if applicant.state == Applicant.ASKED],
        [applicant.person for applicant in found if applicant.state == Applicant.WAITING],
        [entrant.person for entrant in entered if entrant.is_withdrawn],
    )


def takes_registrations(event: Event, now: datetime | None = None) -> bool:
    """Return whether people can register at that time (None: now). The caller checks that the
    event has not begun.
    """
    if event.registration not in (event.OPEN, event.REQUEST):
        return False
    if season_of(event, now) == "over":
        return False
    ends_at = event.registration_ends_at
    return ends_at is None or (now or timezone.now()) < ends_at


def register(event: Event, person: Person) -> Registered:
    """Enter the person, or add them to the applicants."""

    def change(current: Event) -> Registered:
        if current.entrants.filter(person=person).exists():
            return "entered"
        if (known := current.applicants.filter(person=person).first()) is not None:
            return "asked" if known.state == Applicant.ASKED else "waiting"
        if current.has_begun() or not takes_registrations(current):
            return "closed"
        if current.registration == current.REQUEST:
            current.applicants.create(person=person, state=Applicant.ASKED)
            return "asked"
        return _enter_or_wait(current, person.pk)

    return change_locked(event, change)


def withdraw(event: Event, person: UUID) -> bool:
    """Remove the person from all lists; the next one who waits moves up. Return False if the person
    is on no list, or plays in rounds that have begun."""
    is_removed: bool = change_locked(event, lambda current: current.remove(person))
    return is_removed


def accept_applicant(event: Event, person: UUID) -> bool:
    """Enter a person who has asked; if all places are taken, let them wait. A person who waits
    already is entered even without a free place. Return False if there is no such applicant or the
    event has begun.
    """

    def change(current: Event) -> bool:
        known = current.applicants.filter(person=person).first()
        if known is None or current.has_begun():
            return False
        known.delete()
        if known.state == Applicant.WAITING:
            current.entrants.create(person_id=person)
        else:
            _enter_or_wait(current, person)
        return True

    return change_locked(event, change)


def add_member(event: Event, person: UUID) -> bool:
    """Enter a member of the club, or let them wait if all places are taken. Return False if there
    is no such member or the event has begun.
    """

    def change(current: Event) -> bool:
        members = Membership.objects.filter(club=current.club_id, person=person)
        if current.has_begun() or not members.exists():
            return False
        if not current.entrants.filter(person=person).exists():
            current.applicants.filter(person=person).delete()
            _enter_or_wait(current, person)
        return True

    return change_locked(event, change)


def add_named_members(event: Event, text: str) -> list[str]:
    """Enter the members with these names, one name a line, as `add_member` does. Return the lines
    whose name belongs to no member or to several.
    """
    members: defaultdict[str, list[UUID]] = defaultdict(list)
    rows = Membership.objects.filter(club=event.club_id).select_related("person")
    for row in rows:
        members[name_key(row.person.name)].append(row.person_id)
    unknown = list[str]()
    for name in dict.fromkeys(line.strip() for line in text.splitlines()):
        known = members.get(name_key(name), [])
        if name and (len(known) != 1 or not add_member(event, known[0])):
            unknown.append(name)
    return unknown


def members_to_add(event: Event) -> list[Person]:
    """Return the members of the club who are on no list of the event, by name."""
    rows = Membership.objects.filter(club=event.club_id).select_related("person")
    for listed in (event.entrants, event.applicants):
        people: Any = listed.values("person")
        rows = rows.exclude(person__in=people)
    rows = rows.order_by("person__name")
    return [row.person for row in rows[:_MAX_LISTED]]


def keep_apart(event: Event, first: UUID, second: UUID) -> bool:
    """Keep two entrants of an event with rounds from meeting in the coming rounds. Return False if
    they are not two entrants, or if there are MAX_APART pairs already.
    """

    def add_pair(current: Event) -> bool:
        pair = sorted((str(first), str(second)))
        known = current.entrants.filter(person__in=(first, second)).count()
        if known < 2 or len(current.apart) >= MAX_APART:
            return False
        if pair not in current.apart:
            current.apart.append(pair)
            current.save(update_fields=["apart"])
        return True

    return change_locked(event, add_pair)


def let_meet(event: Event, first: UUID, second: UUID) -> bool:
    """Take back `keep_apart`. Return False if there is no such pair."""

    def remove_pair(current: Event) -> bool:
        pair = sorted((str(first), str(second)))
        if pair not in current.apart:
            return False
        current.apart.remove(pair)
        current.save(update_fields=["apart"])
        return True

    return change_locked(event, remove_pair)


def _enter_or_wait(event: Event, person: UUID) -> Registered:
    if event.has_place():
        event.entrants.create(person_id=person)
        return "entered"
    event.applicants.create(person_id=person, state=Applicant.WAITING)
    return "waiting"


def check_in(event: Event, entrants: Sequence[EventPlayer], *, is_here: bool) -> None:
    """Record whether these entrants are present."""
    rows = event.entrants.filter(pk__in=[entrant.pk for entrant in entrants])
    rows.update(came_at=timezone.now() if is_here else None)
