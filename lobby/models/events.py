"""Fields that leagues and tournaments share: registration, who may see and watch, teams."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.db import models

from lobby.models.people import Person


class Event(models.Model):
    """A tournament or a league: who takes part (`lobby.clubs.registration`)."""

    OPEN, REQUEST, LIST = "open", "request", "list"
    KIND: ClassVar[str]
    """The name of the kind of event in addresses and templates."""
    entrants: Any
    """The manager of the event's rows of `Entrant` or `LeaguePlayer`."""
    applicants: Any
    teams: Any
    KEEPS_TEAMS: ClassVar = False
    """Whether finished games still count for the team of a player who leaves."""

    slug = models.SlugField(max_length=40)
    """The name in the address. It does not change."""
    name = models.CharField(max_length=60)
    rules = models.JSONField()
    """The whole `RuleSet`. It does not change."""
    clock = models.CharField(max_length=10)
    """The name of the clock, one of `lobby.pregame.clocks`."""
    max_entrants = models.PositiveSmallIntegerField(default=0)
    """The number of places, after which people wait for one; 0 for no limit."""
    ties = models.CharField(
        max_length=6, choices=(("shared", "shared"), ("broken", "broken")), default="shared"
    )
    """Whether equal players share a place, or `lobby.events.standings.TIE_BREAKS` decide."""
    registration_ends_at = models.DateTimeField(null=True, blank=True)
    """When people can no longer register themselves."""
    is_public = models.BooleanField(default=True)
    """Whether everybody can see the pages and the games of the event; otherwise only members of the
    club."""
    watch = models.CharField(
        max_length=14,
        choices=(
            ("closed", "live, closed hands"),
            ("closed_delayed", "later, closed hands"),
            ("open_delayed", "later, open hands"),
            ("nobody", "nobody"),
        ),
        default="closed",
    )
    """What spectators see of the event's tables (`game.tables.room.Watch`)."""
    watch_delay_s = models.PositiveSmallIntegerField(default=300)
    """Seconds from the end of a hand until spectators see it, if it is shown later."""

    class Meta:
        abstract = True

    @property
    def delay_s(self) -> int:
        """Seconds after its end until spectators see a hand of the event; 0 if they see it live or
        not at all."""
        return self.watch_delay_s if self.watch in ("closed_delayed", "open_delayed") else 0

    def has_begun(self) -> bool:
        """Return whether the event has begun, after which nobody can enter or leave."""
        return False

    def has_place(self) -> bool:
        return not self.max_entrants or self.entrants.count() < self.max_entrants

    def move_up(self) -> None:
        """Enter those who wait, in the order in which they registered, while there are places.
        Call it in a transaction that has locked the event."""
        if self.has_begun():
            return
        for applicant in self.applicants.filter(state=Applicant.WAITING):
            if not self.has_place():
                return
            self.entrants.get_or_create(person=applicant.person)
            applicant.delete()

    def leave_team(self, person: uuid.UUID) -> None:
        """Take somebody who no longer takes part out of their team."""
        TeamPlayer.objects.filter(team__in=self.teams.all(), person=person).delete()

    def remove(self, person: uuid.UUID) -> bool:
        """Take that person off all lists, and let the next one move up. Return False if they are on
        no list, or play in a tournament that has begun. Call it in a transaction that has locked
        the event."""
        applied, _ = self.applicants.filter(person=person).delete()
        entered = 0
        if not self.has_begun():
            entered, _ = self.entrants.filter(person=person).delete()
            if not self.KEEPS_TEAMS:
                self.leave_team(person)
            self.move_up()
        return bool(applied or entered)


class Applicant(models.Model):
    """Somebody who wants to take part in a tournament or a league and is not entered yet."""

    ASKED, WAITING = "asked", "waiting"

    tournament = models.ForeignKey(
        "lobby.Tournament", on_delete=models.CASCADE, null=True, related_name="applicants"
    )
    league = models.ForeignKey(
        "lobby.League", on_delete=models.CASCADE, null=True, related_name="applicants"
    )
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="applications")
    state = models.CharField(max_length=10, choices=((ASKED, "asked"), (WAITING, "waiting")))
    """Whether the person has asked the organisers or waits for a place."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("made_at", "pk")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "person"), name="one_application"),
            models.UniqueConstraint(fields=("league", "person"), name="one_league_application"),
            models.CheckConstraint(
                condition=models.Q(tournament=None) ^ models.Q(league=None),
                name="application_for_one_event",
            ),
        )

    def __str__(self) -> str:
        return f"{self.person} for {self.tournament or self.league}"


class Team(models.Model):
    """Players of an event whose results are added up (`lobby.clubs.teams`)."""

    tournament = models.ForeignKey(
        "lobby.Tournament", on_delete=models.CASCADE, null=True, related_name="teams"
    )
    league = models.ForeignKey(
        "lobby.League", on_delete=models.CASCADE, null=True, related_name="teams"
    )
    name = models.CharField(max_length=40)

    class Meta:
        ordering = ("name", "pk")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "name"), name="one_tournament_team"),
            models.UniqueConstraint(fields=("league", "name"), name="one_league_team"),
            models.CheckConstraint(
                condition=models.Q(tournament=None) ^ models.Q(league=None),
                name="team_of_one_event",
            ),
        )

    def __str__(self) -> str:
        return self.name


class TeamPlayer(models.Model):
    """A player of a team. A person is in one team of an event at most."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="players")
    person = models.ForeignKey("lobby.Person", on_delete=models.CASCADE, related_name="team_places")

    class Meta:
        ordering = ("person__name", "pk")
        constraints = (models.UniqueConstraint(fields=("team", "person"), name="one_team_place"),)

    def __str__(self) -> str:
        return f"{self.person} in {self.team}"
