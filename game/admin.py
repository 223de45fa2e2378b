"""Finished games, reports and sanctions in Django's admin."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from django.contrib import admin, messages
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.html import format_html

from game.models import (
    Game,
    GameSeat,
    ImportedRecord,
    Player,
    RatingChange,
    Report,
    Sanction,
    UnratedGame,
)
from game.results.ratings import rate_game, undo_ratings

if TYPE_CHECKING:
    _SeatInline = admin.TabularInline[GameSeat, Game]
    _GameAdmin = admin.ModelAdmin[Game]
    _SanctionAdmin = admin.ModelAdmin[Sanction]
    _ReportAdmin = admin.ModelAdmin[Report]
    _ImportedRecordAdmin = admin.ModelAdmin[ImportedRecord]
    _Paginator = Paginator[Game]
else:
    _SeatInline, _GameAdmin = admin.TabularInline, admin.ModelAdmin
    _SanctionAdmin = _ReportAdmin = _ImportedRecordAdmin = admin.ModelAdmin
    _Paginator = Paginator

Outcome = TypeVar("Outcome")


class SeatInline(_SeatInline):
    """The seats on the page of a game."""

    model = GameSeat
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class RatingChangeInline(SeatInline):
    """The rating changes of a game, on its page."""

    model = RatingChange  # type: ignore[assignment]


class RatingFilter(admin.SimpleListFilter):
    """A filter for games that wait to be rated or cannot be rated."""

    title = "rating"
    parameter_name = "rating"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("waits", "waits to be rated"), ("failed", "cannot be rated")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        match self.value():
            case "waits":
                return queryset.filter(unrated__error="")
            case "failed":
                return queryset.filter(unrated__error__gt="")
        return queryset


class LimitedPaginator(_Paginator):
    """A paginator of the first `MAX_GAMES` games. Counting a million would take longer than the
    rest of the page; filters and the search find older ones."""

    MAX_GAMES: Final = 2_000

    @cached_property
    def count(self) -> int:
        rows = cast("QuerySet[Any]", self.object_list)
        rows = rows.order_by("-ended_at").values("ended_at")  # the index alone answers
        return rows[: self.MAX_GAMES].count()


@admin.register(Game)
class GameAdmin(_GameAdmin):
    """Finished games. Moderators can read, delete and rate them, but not edit them."""

    list_display = ("table_id", "ended_at", "is_public")
    list_filter = ("is_public", "ended_at", RatingFilter)
    search_fields = ("table_id__exact",)
    search_help_text = "The id of the game, as its address has it"
    list_per_page = 50
    show_full_result_count = False
    readonly_fields = ("rating_error",)
    inlines = (SeatInline, RatingChangeInline)
    actions = ("rate", "undo_ratings")

    @admin.action(description="Rate it", permissions=["rate"])
    def rate(self, request: HttpRequest, games: QuerySet[Game]) -> None:
        """Rate games of a ladder by their current places, including games that are already
        rated."""
        outcomes = self._change_each(request, games.exclude(ladder=""), rate_game)
        self.message_user(request, f"{outcomes.count(True)} games are rated.")
        if failed := outcomes.count(False):
            self.message_user(request, f"{failed} games cannot be rated.", messages.ERROR)

    @admin.action(description="Take its ratings back", permissions=["rate"])
    def undo_ratings(self, request: HttpRequest, games: QuerySet[Game]) -> None:
        """Undo the ratings of these games, and remove waiting games from the rating queue."""
        is_rated = Q(rating_changes__isnull=False) | Q(unrated__isnull=False)
        changed = self._change_each(request, games.filter(is_rated).distinct(), undo_ratings)
        self.message_user(request, f"The ratings of {len(changed)} games are undone.")

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> None:
        """Delete each game in a transaction of its own, because a deletion changes ratings."""
        for game in queryset:
            game.delete()

    @admin.display(description="cannot be rated", empty_value="-")
    def rating_error(self, game: Game) -> str:
        """Return the error that keeps the game from being rated, or ''."""
        return "".join(UnratedGame.objects.filter(game=game).values_list("error", flat=True))

    def get_paginator(
        self, request: HttpRequest, queryset: QuerySet[Any], *args: Any, **options: Any
    ) -> Paginator[Any]:
        """Limit the pages of the list of games, but not those of a game's history."""
        kind = LimitedPaginator if queryset.model is Game else Paginator
        return kind(queryset, *args, **options)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Leave out the columns that only the page of a game shows: with them the list takes ten
        times as long."""
        return super().get_queryset(request).defer("rules", "hands")

    def has_rate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("game.change_rating")

    def _change_each(
        self, request: HttpRequest, games: QuerySet[Game], change: Callable[[Game], Outcome]
    ) -> list[Outcome]:
        """Change each game in a transaction of its own. Return the results of `change`."""
        outcomes = []
        for game in games.order_by("ended_at"):
            with transaction.atomic():
                outcomes.append(change(game))
                self.log_change(request, game, change.__name__)
        return outcomes

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Sanction)
class SanctionAdmin(_SanctionAdmin):
    """Mutes and bans. The admin page of a person links to a new one."""

    list_display = ("name", "kind", "until", "why", "made_at", "person_id")
    list_filter = ("kind",)
    search_fields = ("person_id", "why")

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Suggest a ban for a week, of the person in the address."""
        week = {"kind": Sanction.BAN, "until": timezone.now() + timedelta(days=7)}
        return {**week, **super().get_changeform_initial_data(request)}

    @admin.display(description="person")
    def name(self, sanction: Sanction) -> str:
        """Return the present name of a person who has finished a game or has an account."""
        player = Player.objects.filter(pk=sanction.person_id).first()
        return player.name if player is not None else ""


@admin.register(Report)
class ReportAdmin(_ReportAdmin):
    """Reported chat lines with the lines around them, reported players with the place in the
    replay, and actions to mute or ban them."""

    list_display = ("made_at", "name", "reason", "text", "table_id", "is_settled")
    list_filter = ("is_settled", "reason")
    search_fields = ("name", "text", "person_id", "table_id")
    readonly_fields = (
        *("table_id", "line", "person_id", "name", "reason", "text", "lines_around", "replay"),
        *("reporter_id", "made_at"),
    )
    exclude = ("around", "position")
    actions = ("mute_for_a_day", "ban_for_a_week")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.display(description="lines around it")
    def lines_around(self, report: Report) -> str:
        return "\n".join(f"{line['name']}: {line['text']}" for line in report.around)

    @admin.display(description="place in the replay")
    def replay(self, report: Report) -> str:
        """Return a link to the place in the replay. A private game is shown only to a moderator who
        has played it."""
        if not report.position:
            return "-"
        address = reverse("game:replay", args=[report.table_id]) + report.position
        return format_html('<a href="{}">{}</a>', address, address)

    @admin.action(description="Mute the person for a day", permissions=["sanction"])
    def mute_for_a_day(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        self._sanction(request, reports, Sanction.MUTE, timedelta(days=1))

    @admin.action(description="Ban the person for a week", permissions=["sanction"])
    def ban_for_a_week(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        self._sanction(request, reports, Sanction.BAN, timedelta(days=7))

    def has_sanction_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("game.add_sanction")

    def _sanction(
        self, request: HttpRequest, reports: QuerySet[Report], kind: str, span: timedelta
    ) -> None:
        until = timezone.now() + span
        for report in reports:
            Sanction.objects.create(
                person_id=report.person_id,
                kind=kind,
                until=until,
                why=f"{report.reason} {report.text}".strip()[:200],
            )
        reports.update(is_settled=True)


@admin.register(ImportedRecord)
class ImportedRecordAdmin(_ImportedRecordAdmin):
    """Imported games of other sites. A moderator can look at them and delete them."""

    list_display = ("key", "created_at", "names", "format", "owner_id")
    list_filter = ("format",)
    search_fields = ("key",)
    exclude = ("game", "deletion_hash")
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[ImportedRecord]:
        return super().get_queryset(request).defer("game")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
