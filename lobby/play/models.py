"""Rule sets that people and clubs have saved."""

from __future__ import annotations

import secrets

from django.db import models

from lobby.accounts.models import Person


def new_rules_key() -> str:
    """Return a random key of saved rules. Everybody who knows the key may see the rules."""
    return secrets.token_urlsafe(9)


class SavedRules(models.Model):
    """A rule set with a clock, under a name (`lobby.play.saved_rules`).

    The rules never change, so that a link to them always shows what was saved.
    """

    key = models.CharField(max_length=20, primary_key=True, default=new_rules_key, editable=False)
    """The key in the address of the page of these rules."""
    owner = models.ForeignKey(
        Person, on_delete=models.CASCADE, null=True, editable=False, related_name="saved_rules"
    )
    club = models.ForeignKey(
        "lobby.Club",
        on_delete=models.CASCADE,
        null=True,
        editable=False,
        related_name="saved_rules",
    )
    """They belong to a person or to a club."""
    name = models.CharField(max_length=60)
    rules = models.JSONField(editable=False)
    """The whole `RuleSet`, with the name and the version of the preset that it equals, if any."""
    clock = models.CharField(max_length=10, editable=False)
    """The name of the clock, one of `game.tables.settings.CLOCKS`."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name",)
        verbose_name_plural = "saved rules"
        constraints = (
            models.UniqueConstraint(fields=("owner", "name"), name="one_name_per_owner"),
            models.UniqueConstraint(fields=("club", "name"), name="one_name_per_club"),
            models.CheckConstraint(
                condition=models.Q(owner=None) ^ models.Q(club=None), name="rules_of_one_owner"
            ),
        )

    def __str__(self) -> str:
        return self.name
