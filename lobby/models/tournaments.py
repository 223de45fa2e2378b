"""Tournaments: entrants and the tables of rounds."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from lobby.models.clubs import Club
from lobby.models.events import Event
from lobby.models.people import Person


class Tournament(Event):
    """A tournament of a club, in rounds with seating (`lobby.clubs.tournaments`)."""

    KIND: ClassVar = "tournament"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="tournaments")
    rounds = models.PositiveSmallIntegerField()
    method = models.CharField(
        max_length=10,
        choices=(
            ("balanced", "balanced"),
            ("random", "random"),
            ("swiss", "Swiss"),
            ("interval", "interval"),
            ("prescribed", "prescribed"),
        ),
    )
    """The method of seating (`lobby.events.seating`)."""
    fill = models.CharField(
        max_length=12,
        choices=(("refuse", "refuse"), ("bots", "bots"), ("substitutes", "substitutes")),
    )
    """Who takes the seats that are left over."""
    substitutes = models.JSONField(default=list, editable=False)
    """The ids of the members who take them, in the order of the seats. Their results do not
    count."""
    schedule = models.JSONField(null=True, editable=False)
    """The seats of all rounds, prescribed or drawn when the tournament began; None before, and for
    methods that go by the standings."""
    time_zone = models.CharField(max_length=40, default="UTC")
    """The time zone in which times of the tournament are shown and typed."""
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    registration = models.CharField(
        max_length=10,
        choices=((Event.OPEN, "open"), (Event.REQUEST, "request"), (Event.LIST, "list")),
        default=Event.OPEN,
    )
    """How players enter: by themselves, by a request to the organisers, or on a list of the
    organisers."""
    round_minutes = models.PositiveSmallIntegerField(default=0)
    """The minutes after which one more hand is played; 0: games end by their rules alone."""
    log_is_public = models.BooleanField(default=False)
    """Whether everybody who sees the tournament may read its log of interventions; otherwise
    officials."""
    no_show_minutes = models.PositiveSmallIntegerField(default=0)
    """The minutes after which a player who has not come to the table is a no-show; 0: never."""
    no_show = models.CharField(
        max_length=10, choices=(("bot", "bot"), ("penalty", "penalty")), default="bot"
    )
    """What happens for a no-show: a bot plays that game, or the player gets a penalty."""
    no_show_points = models.DecimalField(max_digits=5, decimal_places=1, default=20)
    """The points of the penalty of a no-show, in thousands."""
    substitute_points = models.DecimalField(max_digits=5, decimal_places=1, default=-15)
    """The result of a game in which somebody else plays for the player, in thousands."""
    feature_number = models.PositiveSmallIntegerField(default=1, editable=False)
    """The number of the table that a stream shows (`lobby.clubs.feature`)."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-made_at",)
        constraints = (models.UniqueConstraint(fields=("club", "slug"), name="one_tournament"),)

    def __str__(self) -> str:
        return self.name

    def has_begun(self) -> bool:
        return self.tables.exists()


class Entrant(models.Model):
    """Somebody who takes part in a tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField(null=True)
    """The number of the entrant, from 1, drawn by lot when the first round begins."""
    came_at = models.DateTimeField(null=True)
    """When the player checked in."""
    is_replaced = models.BooleanField(default=False)
    """Whether a substitute or a bot plays from the next round on."""
    substitute = models.ForeignKey(
        Person, on_delete=models.SET_NULL, null=True, related_name="substitutions"
    )
    """The person who plays if `is_replaced`; None for a bot."""
    substitute_points = models.DecimalField(max_digits=5, decimal_places=1, default=0)
    """The fixed result of each game that the substitute or bot plays, in thousands."""

    class Meta:
        ordering = ("number", "pk")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "person"), name="one_entry"),
            models.UniqueConstraint(fields=("tournament", "number"), name="one_number"),
        )

    def __str__(self) -> str:
        return f"{self.person} in {self.tournament}"


class RoundTable(models.Model):
    """A table of a round. All tables of a round are stored in one transaction and opened after
    it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="tables")
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    table_id = models.CharField(max_length=40, unique=True)
    """The id of the table. It follows from the tournament, the round and the number by a keyed
    hash."""
    seats = models.JSONField()
    """The entrants' numbers: East, South, West, North. Numbers above the number of entrants are
    bots or substitutes."""
    is_open = models.BooleanField(default=False, db_index=True)
    replacements = models.JSONField(default=dict)
    """By seat, as text, of those who do not play themselves: `person`, the id of the substitute or
    '' for a bot, `name`, and `points`, the fixed result."""
    attempt = models.PositiveSmallIntegerField(default=1)
    """The number of the game, from 1: an official may let it be played again."""
    former = models.JSONField(default=list)
    """The ids of the tables of earlier games, which do not count."""
    is_void = models.BooleanField(default=False)
    """Whether the game does not count."""
    scores = models.JSONField(null=True)
    """The final scores by seat as an official has corrected them."""
    is_paused = models.BooleanField(default=False)
    """Whether an official has stopped the clocks."""
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    """The minutes that officials have added to the time of the round."""
    repeated_hand = models.PositiveSmallIntegerField(default=0)
    """The last hand that is to be played again, counted from 1; 0 for none."""
    notice = models.TextField(blank=True)
    """The last notice of an official at the table (`game.tables.notices`)."""
    orders = models.PositiveIntegerField(default=0)
    """The number of orders that officials have given for the table (`lobby.clubs.table_orders`)."""
    orders_done = models.PositiveIntegerField(default=0)
    """The number of these orders that have been carried out."""
    are_no_shows_checked = models.BooleanField(default=False)

    class Meta:
        ordering = ("round", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "round", "number"), name="one_table_of_round"
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament}: {self.round}.{self.number}"
