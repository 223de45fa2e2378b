"""Friends: a row for each two accounts of which one has asked the other."""

from __future__ import annotations

from django.db import models

from lobby.accounts.models import Person


class Friendship(models.Model):
    """A request to be friends, and the friendship once it is accepted.

    Each two people have one row, with the lower id first, so that two requests at the same time
    meet in it.
    """

    first = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    asker = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    """The person who has asked: one of the two."""
    made_at = models.DateTimeField(auto_now_add=True)
    accepted_at = models.DateTimeField(null=True)
    """When the other person accepted; None while the request is open."""

    class Meta:
        ordering = ("made_at", "pk")
        constraints = (models.UniqueConstraint(fields=("first", "second"), name="one_friendship"),)

    def __str__(self) -> str:
        return f"{self.first} and {self.second}"
