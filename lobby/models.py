"""People. A guest is a person without an account; the browser's session remembers them."""

from __future__ import annotations

import uuid

from django.db import models


class Person(models.Model):
    """Somebody who plays here."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at",)
        verbose_name_plural = "people"

    def __str__(self) -> str:
        return self.name
