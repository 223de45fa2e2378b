"""People. A guest is a person without an account; the browser's session remembers them.

An account is a person with one of Django's users, which holds the password, the e-mail
address and what the person may do as a moderator. A guest who signs up stays the same
person. Whoever deletes their account leaves a person without name and user behind, so that
what refers to them goes on to refer to somebody.
"""

from __future__ import annotations

import json
import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone


class Person(models.Model):
    """Somebody who plays here."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=40)
    """Empty for a deleted account."""
    created_at = models.DateTimeField(auto_now_add=True)
    seen_on = models.DateField(default=timezone.localdate, db_index=True, editable=False)
    """The last day on which they have opened a page."""
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="person",
    )
    name_key = models.CharField(max_length=120, unique=True, null=True, editable=False)
    """The name of an account with all that does not tell names apart taken out: by it people
    are found. Guests have none, and may be called alike."""
    look_key = models.CharField(max_length=120, unique=True, null=True, editable=False)
    """What the name looks like, so that no two accounts do."""
    language = models.CharField(max_length=10, blank=True)
    """One of the site's languages; empty: as the browser says."""
    table_settings = models.JSONField(null=True, blank=True)
    """What `static/js/settings.js` keeps, as it differs from the defaults. None until the
    account has set anything."""
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("-created_at",)
        verbose_name_plural = "people"

    def __str__(self) -> str:
        return self.name or f"deleted {self.pk}"

    @property
    def is_account(self) -> bool:
        """Has signed up."""
        return self.user_id is not None

    @property
    def table_settings_json(self) -> str:
        """For the page of a table."""
        return json.dumps(self.table_settings)
