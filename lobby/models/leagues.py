"""Leagues, who plays in them, and the tables of their lists."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from lobby.models.clubs import Club
from lobby.models.events import Event
from lobby.models.people import Person


class League(Event):
    """A season of a club: its members play by one rule set, and have standings
    (`lobby.clubs.leagues`)."""

    POINTS, PLACES = "points", "places"
    MEMBERS = "members"
    KIND: ClassVar = "league"
    KEEPS_TEAMS: ClassVar = True

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="leagues")
    time_zone = models.CharField(max_length=40, default="UTC")
    starts_on = models.DateField()
    ends_on = models.DateField()
    """The last day, in the time zone of the league."""
    min_games = models.PositiveSmallIntegerField(default=0)
    """The number of games from which a player has a place in the standings."""
    max_games = models.PositiveSmallIntegerField(default=0)
    """The number of the first games of a player that count; 0 for all."""
    best_games = models.PositiveSmallIntegerField(default=0)
    """The number of the best of these games that count; 0 for all."""
    registration = models.CharField(
        max_length=10,
        choices=(
            (MEMBERS, "every member"),
            (Event.OPEN, "open"),
            (Event.REQUEST, "request"),
            (Event.LIST, "list"),
        ),
        default=MEMBERS,
    )
    """Who may play: every member of the club, or those who are entered."""
    has_fixtures = models.BooleanField(default=False)
    """Whether the games are those of a list of tables; otherwise people play whenever four meet. It
    does not change."""
    ranking = models.CharField(
        max_length=6, choices=((POINTS, "sum of points"), (PLACES, "average place"))
    )
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-starts_on", "name")
        constraints = (models.UniqueConstraint(fields=("club", "slug"), name="one_league"),)

    def __str__(self) -> str:
        return self.name


class LeaguePlayer(models.Model):
    """Somebody who takes part in a league for which people register."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="entrants")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="league_entries")
    entered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("entered_at", "pk")
        constraints = (
            models.UniqueConstraint(fields=("league", "person"), name="one_league_entry"),
        )

    def __str__(self) -> str:
        return f"{self.person} in {self.league}"


class Fixture(models.Model):
    """A table of the list of a league: four players who have to play one game
    (`lobby.clubs.fixtures`)."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="fixtures")
    number = models.PositiveSmallIntegerField()
    """The number of the table, from 1."""
    players = models.ManyToManyField(Person, related_name="fixtures")

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("league", "number"), name="one_fixture"),)

    def __str__(self) -> str:
        return f"{self.league}: {self.number}"


class LeagueRuling(models.Model):
    """What an officer has decided in a league: a penalty, or that a game does not count
    (`lobby.clubs.rulings`)."""

    PENALTY, CHOMBO, VOID = "penalty", "chombo", "void"

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="rulings")
    kind = models.CharField(
        max_length=10, choices=((PENALTY, "penalty"), (CHOMBO, "chombo"), (VOID, "void"))
    )
    person = models.ForeignKey(
        Person, on_delete=models.CASCADE, null=True, related_name="league_rulings"
    )
    """The player who has the penalty; None for a void game."""
    points = models.DecimalField(max_digits=5, decimal_places=1, default=0)
    """The points of the penalty, in thousands, which are subtracted."""
    table_id = models.CharField(max_length=40, blank=True)
    """The void game; '' for a penalty."""
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    is_cancelled = models.BooleanField(default=False)
    cancel_reason = models.CharField(max_length=300, blank=True)
    is_by_player = models.BooleanField(default=False)
    """Whether the officer plays in the league and is a direct rival of those concerned, because
    nobody else could decide."""

    class Meta:
        ordering = ("-made_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("table_id",),
                condition=models.Q(kind="void", is_cancelled=False),
                name="one_void_ruling",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} in {self.league}"


class LeagueDispute(models.Model):
    """A player does not agree with the result of a game of a league. The result is provisional
    until an officer decides."""

    KEPT, CHANGED = "kept", "changed"

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="disputes")
    table_id = models.CharField(max_length=40)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="league_disputes")
    text = models.CharField(max_length=600)
    made_at = models.DateTimeField(auto_now_add=True)
    decision = models.CharField(max_length=10, blank=True)
    """The decision, `kept` or `changed`; '' while the dispute waits."""
    answer = models.CharField(max_length=300, blank=True)
    is_by_player = models.BooleanField(default=False)
    """Whether the officer plays in the league and is a direct rival of those concerned, because
    nobody else could decide."""

    class Meta:
        ordering = ("-made_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("table_id", "person"), name="one_league_dispute"),
        )

    def __str__(self) -> str:
        return f"{self.person} disputes {self.table_id}"
