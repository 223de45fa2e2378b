"""The page of live tables, and the redirect to the most interesting of them."""

from __future__ import annotations

import contextlib

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.tables.bridge import ask
from lobby.accounts import rate_limits
from lobby.accounts.refusals import TOO_MANY_TRIES, with_error_pages
from lobby.accounts.visitors import person_id
from lobby.play import fragments
from lobby.play.backend import current_backend


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TRIES)
def watch(request: HttpRequest) -> HttpResponse:
    """Show the list of public running tables."""
    _count_visit(request)
    context = ask(fragments.live_list(ask(current_backend()), person_id(request)))
    status = 503 if "unavailable" in context else 200
    return render(request, "lobby/watch.html", context, status=status)


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TRIES)
def watch_best(request: HttpRequest) -> HttpResponse:
    """Redirect to the most interesting table, or to the list if there is none."""
    _count_visit(request)
    context = ask(fragments.live_list(ask(current_backend())))
    if tables := context.get("tables"):
        return redirect("game:table", table_id=tables[0].table.table_id)
    return redirect("lobby:watch")


def _count_visit(request: HttpRequest) -> None:
    """Count the visit. Raises TooOften. Without Redis nothing is counted: the page then says that
    the list is unavailable."""
    with contextlib.suppress(rate_limits.LimitsUnavailable):
        rate_limits.WATCH_PAGES_OF_ADDRESS.count(rate_limits.address_of(request))
