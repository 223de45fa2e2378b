"""The ratings of puzzles and of people who solve them, and the first answers of accounts."""

from __future__ import annotations

from django.db import models

from game.results.ladders import MU, SIGMA
from lobby.accounts.models import Person


class PuzzleScore(models.Model):
    """The strength and the streak of an account in puzzles."""

    person = models.OneToOneField(
        Person, on_delete=models.CASCADE, primary_key=True, related_name="puzzle_score"
    )
    mu = models.FloatField(default=MU)
    sigma = models.FloatField(default=SIGMA)
    tried = models.PositiveIntegerField(default=0)
    right = models.PositiveIntegerField(default=0)
    streak = models.PositiveIntegerField(default=0)
    """The number of right answers since the last wrong one."""
    best_streak = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.person}: puzzles"


class PuzzleRating(models.Model):
    """How hard a puzzle is, by the first answers of accounts."""

    key = models.CharField(max_length=12, primary_key=True)
    mu = models.FloatField()
    sigma = models.FloatField(default=SIGMA)
    answers = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.key


class PuzzleAnswer(models.Model):
    """The first answer of an account to a puzzle."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="puzzle_answers")
    key = models.CharField(max_length=12, db_index=True)
    choice = models.PositiveSmallIntegerField()
    """As a place in the choices of the puzzle."""
    is_right = models.BooleanField()
    answered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("person", "key"), name="one_first_puzzle_answer"),
        )

    def __str__(self) -> str:
        return f"{self.person}: {self.key}"
