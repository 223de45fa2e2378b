"""People in Django's admin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.http import HttpRequest

from lobby.models import Person

if TYPE_CHECKING:
    _PersonAdmin = admin.ModelAdmin[Person]
else:
    _PersonAdmin = admin.ModelAdmin


@admin.register(Person)
class PersonAdmin(_PersonAdmin):
    """Names of guests can be corrected here; those of accounts are their owners' affair, since
    two keys and the player's standing follow them."""

    list_display = ("name", "id", "is_signed_up", "created_at", "deleted_at")
    list_filter = (("user", admin.EmptyFieldListFilter), ("deleted_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "id")
    fields = ("id", "name", "user", "language", "created_at", "deleted_at")

    def get_readonly_fields(
        self, request: HttpRequest, obj: Person | None = None
    ) -> tuple[str, ...]:
        fixed = ("id", "user", "created_at", "deleted_at")
        return (*fixed, "name") if obj is None or obj.is_account or obj.deleted_at else fixed

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.display(boolean=True, description="account")
    def is_signed_up(self, person: Person) -> bool:
        return person.is_account
