"""Finished games. A running table is never in the database: Redis alone holds it.

People are referred to by their id and not by a foreign key: a game outlives the guests
who played it, and this app does not know what a person is.
"""

from __future__ import annotations

from django.db import models


class Game(models.Model):
    """A game that has been played to its end. `table_id` was the id of its table."""

    table_id = models.CharField(max_length=40, primary_key=True)
    rules = models.JSONField()
    """The whole rule set, so that a game stays readable when a preset changes."""
    is_public = models.BooleanField(default=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(db_index=True)
    hands = models.JSONField(default=list)
    """Per hand ``{"kyoku": 0, "honba": 0, "results": [...]}``; the results as the wire
    writes `hora` and `ryukyoku`."""
    log_format = models.PositiveSmallIntegerField(default=1)
    log = models.BinaryField()
    """Every event of the game, private ones too, as the archive packs them."""

    class Meta:
        ordering = ("-ended_at",)

    def __str__(self) -> str:
        return self.table_id


class GameSeat(models.Model):
    """Who sat where in a finished game, and how it ended for them."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    """0..3; seat 0 dealt first."""
    person_id = models.UUIDField(null=True, blank=True, db_index=True)
    """Empty for a bot."""
    name = models.CharField(max_length=40)
    bot = models.CharField(max_length=20, blank=True)
    """The kind of bot, empty for a person."""
    score = models.IntegerField()
    place = models.PositiveSmallIntegerField()
    points = models.DecimalField(max_digits=7, decimal_places=1)
    """Final points in thousands, uma and oka in."""

    class Meta:
        ordering = ("game", "seat")
        constraints = (models.UniqueConstraint(fields=("game", "seat"), name="one_row_per_seat"),)

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat} {self.name}"
