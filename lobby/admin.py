"""People in Django's admin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from lobby.models import Person

if TYPE_CHECKING:
    _PersonAdmin = admin.ModelAdmin[Person]
else:
    _PersonAdmin = admin.ModelAdmin


@admin.register(Person)
class PersonAdmin(_PersonAdmin):
    """Names can be corrected here."""

    list_display = ("name", "id", "created_at")
    search_fields = ("name", "id")
    readonly_fields = ("id", "created_at")
