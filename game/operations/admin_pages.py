"""Running tables in the admin site.

Running tables are not in the database, so this page is no model admin. Reading it needs the
permission to view finished games, and actions need a permission of their own. It shows only public
facts of tables (`game.operations.table_administration`).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from game.live.process import current
from game.operations.table_administration import (
    MAX_HOLD_MIN,
    MAX_NOTICE_LENGTH,
    PAGE_SIZE,
    RunningTable,
    end_games,
    give_up_tables,
    hold_tables,
    list_page,
    resume_tables,
    search_tables,
    thaw_tables,
)
from game.tables.bridge import ask
from game.tables.errors import TablesUnavailable
from game.tables.service import Service

VIEW_PERMISSION: Final = "game.view_game"
ACT_PERMISSION: Final = "game.run_tables"
_ONE_LINE: Final = {"autocomplete": "off", "size": "60"}


class ActionForm(forms.Form):
    """An action on the selected tables."""

    action = forms.ChoiceField(
        choices=[
            ("hold", "Stop the clocks"),
            ("resume", "Let the clocks run again"),
            ("end", "End the game: the hand being played counts for nothing"),
            ("thaw", "Let frozen tables go on"),
            ("give_up", "Give up frozen tables: no game comes of them"),
        ]
    )
    minutes = forms.IntegerField(
        min_value=1, max_value=MAX_HOLD_MIN, initial=10, label="for at most so many minutes"
    )
    notice = forms.CharField(
        max_length=MAX_NOTICE_LENGTH,
        required=False,
        label="and tell the players why",
        widget=forms.TextInput(attrs=_ONE_LINE),
    )


TableAction = Callable[
    [Service, Sequence[str], dict[str, Any]], Coroutine[Any, Any, tuple[int, int]]
]
_ACTIONS: Final[dict[str, TableAction]] = {
    "hold": lambda service, only, form: hold_tables(service, form["minutes"], form["notice"], only),
    "resume": lambda service, only, _: resume_tables(service, only),
    "end": lambda service, only, _: end_games(service, only),
    "thaw": lambda service, only, _: thaw_tables(service, only),
    "give_up": lambda service, only, _: give_up_tables(service, only),
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tables(request: HttpRequest) -> HttpResponse:
    """List the running tables (one page of them, or those that match a search), and act on the
    selected ones."""
    user = request.user
    if not admin.site.has_permission(request):
        return redirect_to_login(request.get_full_path(), reverse("admin:login"))
    if not user.has_perm(VIEW_PERMISSION):
        raise PermissionDenied
    may_act = user.has_perm(ACT_PERMISSION)
    if request.method == "POST" and not may_act:
        raise PermissionDenied
    form = ActionForm(request.POST if request.method == "POST" else None)
    chosen = request.POST.getlist("table")
    text, page = request.GET.get("q", "").strip(), _parse_count(request.GET.get("page", "")) or 1
    try:
        service = ask(current()).service
        if request.method == "POST" and form.is_valid() and chosen:
            data = form.cleaned_data
            done, failed = ask(_ACTIONS[data["action"]](service, chosen, data))
            where = {"q": text} if text else {"page": page} if page > 1 else {}
            query = urlencode({"done": done, "failed": failed, **where})
            return redirect(f"{reverse('running_tables')}?{query}")
        if text:
            found, pages = ask(search_tables(service, text)), 1
        else:
            found, pages = ask(list_page(service, page))
    except TablesUnavailable:
        return _render_tables(request, [], form, {}, may_act=may_act, is_down=True)
    paging = {
        "text": text,
        "page": min(page, pages),
        "pages": pages,
        "is_full": bool(text) and len(found) == PAGE_SIZE,
        "page_size": PAGE_SIZE,
    }
    return _render_tables(request, found, form, paging, may_act=may_act)


def _render_tables(
    request: HttpRequest,
    found: Sequence[RunningTable],
    form: ActionForm,
    paging: dict[str, Any],
    *,
    may_act: bool,
    is_down: bool = False,
) -> HttpResponse:
    now = timezone.now()
    context = {
        **admin.site.each_context(request),
        "title": "Running tables",
        "rows": [_table_row(table, now) for table in found],
        "form": form,
        "may_act": may_act,
        **paging,
        "is_down": is_down,
        "nothing_chosen": form.is_bound and form.is_valid(),
        "done": _parse_count(request.GET.get("done", "")),
        "failed": _parse_count(request.GET.get("failed", "")),
    }
    status = 503 if is_down else 200
    return render(request, "admin/running_tables.html", context, status=status)


def _table_row(table: RunningTable, now: datetime) -> dict[str, Any]:
    opened = datetime.fromtimestamp(table.opened_at / 1000, UTC)
    resumes = datetime.fromtimestamp(table.resumes_at / 1000, UTC)
    return {
        "table": table,
        "age": _format_span(now - opened) if table.opened_at else "",
        "resumes_in": _format_span(resumes - now) if table.resumes_at else "",
    }


def _format_span(span: timedelta) -> str:
    minutes = max(0, round(span.total_seconds() / 60))
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"


def _parse_count(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else None
