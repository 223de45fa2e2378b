"""People in Django's admin."""

from __future__ import annotations

from django.contrib import admin

from lobby.models import Person


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):
    """Names can be corrected here."""

    list_display = ("name", "id", "created_at")
    search_fields = ("name", "id")
    readonly_fields = ("id", "created_at")
