"""Results of games at real tables, and their changes."""

from __future__ import annotations

from django.db import models

from lobby.models.leagues import Fixture, League
from lobby.models.people import Person
from lobby.models.tournaments import Tournament


class OfflineGame(models.Model):
    """A game at a real table, with the result that an organiser has entered
    (`lobby.clubs.offline`)."""

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, related_name="offline_games"
    )
    league = models.ForeignKey(
        League, on_delete=models.CASCADE, null=True, related_name="offline_games"
    )
    round = models.PositiveSmallIntegerField(null=True)
    fixture = models.OneToOneField(
        Fixture, on_delete=models.SET_NULL, null=True, related_name="offline_game"
    )
    """The table of the league's list whose game it is."""
    played_at = models.DateTimeField()
    sticks = models.PositiveSmallIntegerField(default=0)
    """The number of riichi sticks that were left on the table."""
    is_cancelled = models.BooleanField(default=False)
    """Whether the game no longer counts."""
    entered_by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    entered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-played_at", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(tournament=None) ^ models.Q(league=None),
                name="offline_game_of_one_event",
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament or self.league}: {self.played_at:%Y-%m-%d}"


class OfflineSeat(models.Model):
    """The result of a player in a game at a real table."""

    game = models.ForeignKey(OfflineGame, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    """The seat, 0 to 3; seat 0 dealt first."""
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="offline_results")
    written = models.IntegerField()
    """The score as it was entered."""
    score = models.IntegerField()
    """The score with the sticks that were left over, if the rules give them to somebody."""
    place = models.PositiveSmallIntegerField()
    points = models.DecimalField(max_digits=7, decimal_places=1)
    """The final points in thousands, with uma and oka."""

    class Meta:
        ordering = ("game", "seat")
        constraints = (
            models.UniqueConstraint(fields=("game", "seat"), name="one_offline_seat"),
            models.UniqueConstraint(fields=("game", "person"), name="one_offline_result"),
        )

    def __str__(self) -> str:
        return f"{self.person}: {self.points}"


class OfflineChange(models.Model):
    """A result of a game at a real table before it was corrected or cancelled."""

    game = models.ForeignKey(OfflineGame, on_delete=models.CASCADE, related_name="changes")
    by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=200)
    before = models.JSONField()
    """The game before the change: ``{"seats": [{"person", "score", "points"}], "sticks",
    "is_cancelled"}``."""
    is_by_player = models.BooleanField(default=False)
    """Whether a player of the event has decided, since no other officer could."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("made_at", "pk")

    def __str__(self) -> str:
        return self.reason
