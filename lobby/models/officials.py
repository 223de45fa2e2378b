"""Penalties, the log and disputes of a tournament."""

from __future__ import annotations

from django.db import models


class Penalty(models.Model):
    """Points that an entrant loses in the standings. It belongs to the tournament, not to a game,
    so that nothing that happens to a game or a round removes it."""

    tournament = models.ForeignKey(
        "lobby.Tournament", on_delete=models.CASCADE, related_name="penalties"
    )
    entrant = models.ForeignKey("lobby.Entrant", on_delete=models.CASCADE, related_name="penalties")
    kind = models.CharField(
        max_length=10,
        choices=(("penalty", "penalty"), ("chombo", "chombo"), ("no_show", "no-show")),
    )
    points = models.DecimalField(max_digits=5, decimal_places=1)
    """The points of the penalty, in thousands, which are subtracted."""
    reason = models.CharField(max_length=300)
    is_cancelled = models.BooleanField(default=False)
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("given_at", "pk")

    def __str__(self) -> str:
        return f"{self.entrant}: {self.points}"


class Intervention(models.Model):
    """An entry of the log of a tournament: what an official has done and why."""

    tournament = models.ForeignKey(
        "lobby.Tournament", on_delete=models.CASCADE, related_name="interventions"
    )
    table = models.ForeignKey(
        "lobby.RoundTable", on_delete=models.CASCADE, null=True, related_name="interventions"
    )
    entrant = models.ForeignKey(
        "lobby.Entrant", on_delete=models.CASCADE, null=True, related_name="interventions"
    )
    kind = models.CharField(max_length=20)
    detail = models.CharField(max_length=120, blank=True)
    """The detail of the intervention: minutes, points, scores, or the name of a substitute."""
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(
        "lobby.Person", on_delete=models.SET_NULL, null=True, related_name="interventions"
    )
    """The official; None for the server, which looks for players who have not come."""
    is_by_player = models.BooleanField(default=False)
    """Whether the official is a player of the tournament and a direct rival of those concerned,
    because nobody else could decide."""
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-at", "-pk")

    def __str__(self) -> str:
        return f"{self.kind} in {self.tournament}"


class Dispute(models.Model):
    """A player does not agree with the result of a game. The result is provisional until an
    official decides."""

    KEPT, CHANGED = "kept", "changed"

    table = models.ForeignKey("lobby.RoundTable", on_delete=models.CASCADE, related_name="disputes")
    entrant = models.ForeignKey("lobby.Entrant", on_delete=models.CASCADE, related_name="disputes")
    text = models.CharField(max_length=600)
    made_at = models.DateTimeField(auto_now_add=True)
    decision = models.CharField(max_length=10, blank=True)
    """The decision, `kept` or `changed`; '' while the dispute waits."""
    answer = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("made_at", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("table", "entrant"),
                condition=models.Q(decision=""),
                name="one_open_dispute",
            ),
        )

    def __str__(self) -> str:
        return f"{self.entrant} disputes {self.table}"
