"""Finished games in Django's admin: to look at, not to edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from game.models import Game, GameSeat

if TYPE_CHECKING:
    _SeatInline = admin.TabularInline[GameSeat, Game]
    _GameAdmin = admin.ModelAdmin[Game]
else:
    _SeatInline, _GameAdmin = admin.TabularInline, admin.ModelAdmin


class SeatInline(_SeatInline):
    """The four seats on the page of their game."""

    model = GameSeat
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Game)
class GameAdmin(_GameAdmin):
    """A finished game is a record: it can be read and deleted, never changed."""

    list_display = ("table_id", "ended_at", "is_public")
    list_filter = ("is_public",)
    date_hierarchy = "ended_at"
    exclude = ("log",)
    inlines = (SeatInline,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
