"""The lobby: find a game, join a table, take a seat that was left."""

from __future__ import annotations

import secrets
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from game.moderation.sanctions import banned_until
from lobby.accounts.guests import require_person
from lobby.accounts.visitors import person_id
from lobby.matchmaking import queues
from lobby.matchmaking.backend import current_backend
from lobby.matchmaking.forms import SeekForm
from lobby.pages import fragments
from lobby.pages.quick_play import TABLE_KEY
from lobby.pages.refusals import REFUSALS, TOO_MANY_TABLES, count_not_found, with_error_pages
from lobby.pregame import movements

BROWSER_COOKIE: Final = "browser"
"""The cookie by which rated queues know the browser (`lobby.matchmaking.origins`)."""
_MAX_COOKIE: Final = 100


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TABLES)
async def lobby(request: HttpRequest) -> HttpResponse:
    """Show the queues and the tables that can be joined. Loading the page counts as a heartbeat.

    With `looking`, after the button to find a game, open the table of a person who was paired at
    once.
    """
    backend, person = await current_backend(), person_id(request)
    backend.cache.clear()
    await movements.record_heartbeat(backend, person)
    context = await fragments.lobby(backend, person)
    if "looking" in request.GET and context.get("table_id"):
        return redirect("game:table", table_id=context["table_id"])
    if "ticket" in context:
        context["waited_s"] = max(0, backend.now_ms() - context["ticket"].since) // 1000
    context |= {
        "last_place": context["location"].kind if context["location"] else "",
        "form": SeekForm(),
        "banned_until": await banned_until(person) if person else None,
        "wrong": REFUSALS.get(request.GET.get("no", ""), ""),
    }
    return render(request, "lobby/lobby.html", context)


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TABLES)
async def seek(request: HttpRequest) -> HttpResponse:
    """Enter a queue."""
    form = SeekForm(request.POST)
    if not form.is_valid():
        return redirect("lobby:lobby")
    person = await require_person(request)
    browser = request.COOKIES.get(BROWSER_COOKIE, "")[:_MAX_COOKIE] or secrets.token_urlsafe(16)
    is_in = await movements.move_to_queue(
        await current_backend(),
        form.queue(),
        person=str(person.pk),
        name=person.name,
        bots_after_s=form.bots_after_s(),
        address=request.META.get("REMOTE_ADDR") or "",
        browser=browser,
    )
    address = reverse("lobby:lobby")
    response = redirect(f"{address}?looking=1" if is_in else f"{address}?no=seated")
    response.set_cookie(
        BROWSER_COOKIE,
        browser,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        path=reverse("lobby:seek"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TABLES)
async def stop(request: HttpRequest) -> HttpResponse:
    """Leave the queue."""
    await queues.leave_queue(await current_backend(), person_id(request))
    return redirect("lobby:lobby")


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TABLES)
async def take_seat(request: HttpRequest, table_id: str) -> HttpResponse:
    """Take the seat of a player who has left a public game."""
    backend = await current_backend()
    room = await backend.tables.room(table_id)
    seat = request.POST.get("seat", "")
    if room is None or not room.meta.public or seat not in {"0", "1", "2", "3"}:
        raise await count_not_found(request)
    person = await require_person(request)
    if not await backend.tables.sit_down(table_id, int(seat), str(person.pk), person.name):
        return redirect(f"{reverse('lobby:lobby')}?no=taken")
    await movements.record_seat(backend, str(person.pk), table_id)
    await request.session.aset(TABLE_KEY, table_id)
    return redirect("game:table", table_id=table_id)
