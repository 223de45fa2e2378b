"""Secrets with which programs act for somebody."""

from __future__ import annotations

import hashlib

from django.db import models


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
