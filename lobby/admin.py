"""People in Django's admin."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from game.moderation.pairs import games_of_pair
from game.moderation.sanctions import sanctions_of
from lobby.models import Club, Membership, Person, SavedRules, SharedOrigin

_MAY_SANCTION: Final = "game.add_sanction"


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Lets moderators correct the names of guests and bots; a bot's name keeps its mark. Only the
    owner can rename an account, since keys and statistics follow the name."""

    list_display = ("name", "id", "is_signed_up", "created_at", "seen_on", "deleted_at")
    list_filter = (("user", admin.EmptyFieldListFilter), ("deleted_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "id")

    def get_fields(self, request: HttpRequest, obj: Person | None = None) -> tuple[str, ...]:
        fields = ("id", "name", "user", "language", "created_at", "seen_on", "deleted_at")
        return (*fields, "sanctions") if request.user.has_perm(_MAY_SANCTION) else fields

    def get_readonly_fields(
        self, request: HttpRequest, obj: Person | None = None
    ) -> tuple[str, ...]:
        fixed = ("id", "user", "created_at", "seen_on", "deleted_at", "sanctions")
        return (*fixed, "name") if obj is None or obj.name_key or obj.deleted_at else fixed

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def delete_model(self, request: HttpRequest, obj: Person) -> None:
        """Delete the person. Their clubs pass on to other members."""
        with transaction.atomic():
            for membership in obj.memberships.all():
                membership.end()
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Person]) -> None:
        for person in queryset:
            self.delete_model(request, person)

    @admin.display(description="mutes and bans")
    def sanctions(self, person: Person) -> SafeString:
        """Return links to the person's sanctions and to a new one."""
        links = [
            (reverse("admin:game_sanction_change", args=[sanction.pk]), str(sanction))
            for sanction in sanctions_of(person.pk)
        ]
        links.append(
            (f"{reverse('admin:game_sanction_add')}?person_id={person.pk}", "Mute or ban ...")
        )
        return format_html_join(mark_safe("<br>"), '<a href="{}">{}</a>', links)

    @admin.display(boolean=True, description="account")
    def is_signed_up(self, person: Person) -> bool:
        return person.is_account


@admin.register(SharedOrigin)
class SharedOriginAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Moderators see which accounts had one address or browser, and what they played together."""

    list_display = ("first", "second", "has_address", "has_browser", "last_at", "games_together")
    list_select_related = ("first", "second")
    fields = ("first", "second", "has_address", "has_browser", "last_at", "games")
    readonly_fields = fields
    search_fields = ("first__name", "second__name")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: SharedOrigin | None = None) -> bool:
        return False

    @admin.display(description="games together")
    def games_together(self, pair: SharedOrigin) -> int:
        return len(games_of_pair(pair.first_id, pair.second_id))

    @admin.display(description="games together in these days, with places and points")
    def games(self, pair: SharedOrigin) -> SafeString:
        """Return links to the games, the latest first, with the results of the pair."""
        rows = [
            (
                reverse("game:game", args=[game.table_id]),
                f"{game.ended_at:%Y-%m-%d %H:%M}",
                game.ladder or "not rated",
                " · ".join(
                    f"{seat.name}: {seat.place} ({seat.points})" for seat in game.pair_seats
                ),
            )
            for game in games_of_pair(pair.first_id, pair.second_id)
        ]
        return format_html_join(mark_safe("<br>"), '<a href="{}">{}</a> {}: {}', rows)


@admin.register(SavedRules)
class SavedRulesAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Moderators can rename and delete what people have saved, because everybody with the address
    of the rules sees their name."""

    list_display = ("name", "owner", "club", "made_at")
    search_fields = ("name", "key")
    fields = ("key", "owner", "club", "name", "clock", "made_at")
    readonly_fields = ("key", "owner", "club", "clock", "made_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]
    """The members of a club, which cannot be changed here."""

    model = Membership
    extra = 0
    fields = ("person", "role", "joined_at")
    readonly_fields = ("person", "role", "joined_at")
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Club | None = None) -> bool:
        return False


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Moderators can change the name and the text of a club, and delete it."""

    list_display = ("name", "slug", "is_public", "made_at")
    search_fields = ("name", "slug")
    fields = ("slug", "name", "text", "is_public", "entry", "made_at")
    readonly_fields = ("slug", "is_public", "entry", "made_at")
    inlines = (MembershipInline,)

    def save_model(self, request: HttpRequest, obj: Club, form: Any, change: bool) -> None:
        """Save the club. Its page renders the text again."""
        obj.renderer_version = 0
        super().save_model(request, obj, form, change)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
