"""People: guests, accounts and bots; scores of accounts in exercises.

The browser's session identifies a guest. An account is a person with a Django user, which holds
password, e-mail address and permissions. A guest who signs up stays the same person. A deleted
account leaves a person without name and user, so that references to it stay valid.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from typing import Final

from django.conf import settings
from django.db import models
from django.utils import timezone


class Person(models.Model):
    """A player: a guest, an account or a bot."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=40)
    """The name; empty for a deleted account."""
    created_at = models.DateTimeField(auto_now_add=True)
    seen_on = models.DateField(default=timezone.localdate, db_index=True, editable=False)
    """The last day on which the person opened a page."""
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="person",
    )
    name_key = models.CharField(max_length=120, unique=True, null=True, editable=False)
    """`lobby.accounts.names.name_key` of an account, by which people find it. None for guests,
    whose names need not differ."""
    look_key = models.CharField(max_length=120, unique=True, null=True, editable=False)
    """`lobby.accounts.names.look_key`: no two accounts look alike."""
    language = models.CharField(max_length=10, blank=True)
    """The language of the person, one of the site's; empty for that of the browser."""
    table_settings = models.JSONField(null=True, blank=True)
    """The settings of `static/js/settings.js` that differ from the defaults. None until the first
    change."""
    takes_requests = models.BooleanField(default=True)
    """Whether others may ask this account to be friends."""
    is_shown_online = models.BooleanField(default=True)
    """Whether friends see that this account is online."""
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("-created_at",)
        verbose_name_plural = "people"

    def __str__(self) -> str:
        return self.name or f"deleted {self.pk}"

    @property
    def is_account(self) -> bool:
        """Whether the person has signed up."""
        return self.user_id is not None

    @property
    def table_settings_json(self) -> str:
        """The settings as JSON, for the page of a table."""
        return json.dumps(self.table_settings)


class SharedOrigin(models.Model):
    """A pair of accounts, or of bots of different owners, with the same network address or browser
    within a day (`lobby.play.origins`). For moderators.
    """

    KEPT_DAYS: Final = 30
    """Days after the last time until the pair is deleted."""

    first = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    """The person with the smaller id."""
    second = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    has_address = models.BooleanField(default=False)
    has_browser = models.BooleanField(default=False)
    last_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        ordering = ("-last_at",)
        constraints = (
            models.UniqueConstraint(fields=("first", "second"), name="one_shared_origin"),
        )

    def __str__(self) -> str:
        return f"{self.first} and {self.second}"


class ExerciseScore(models.Model):
    """The score of an account in exercises of one kind and level (`lobby.learn.exercises`)."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="exercise_scores")
    kind = models.CharField(max_length=10)
    level = models.CharField(max_length=10)
    tried = models.PositiveIntegerField(default=0)
    right = models.PositiveIntegerField(default=0)
    streak = models.PositiveIntegerField(default=0)
    """The number of right answers since the last wrong one."""
    best_streak = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("person", "kind", "level"), name="one_exercise_score"),
        )

    def __str__(self) -> str:
        return f"{self.person}: {self.kind}, {self.level}"


class Token(models.Model):
    """A secret that is stored only as a hash."""

    label = models.CharField(max_length=40, blank=True)
    """The name that the owner gave to the token."""
    digest = models.CharField(max_length=64, unique=True, editable=False)
    """The result of `digest_of` for the token."""
    created_at = models.DateTimeField(auto_now_add=True)
    used_on = models.DateField(null=True, blank=True)
    """The last day on which a program used it."""
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        ordering = ("created_at",)

    def __str__(self) -> str:
        return self.label or f"token {self.pk}"


def digest_of(token: str) -> str:
    """Return the hash under which a token is stored. A token is as random as a key, so that a fast
    hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
