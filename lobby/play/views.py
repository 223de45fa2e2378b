"""The lobby: find a game, join a table, take a seat that was left, watch live tables."""

from __future__ import annotations

import contextlib
import secrets
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from msgspec.structs import replace

from game.bots import LEVELS
from game.engine.presets import preset
from game.engine.rules import TENHOU
from game.moderation.sanctions import banned_until
from game.results.made_once import with_etag
from game.tables.bridge import ask
from game.tables.errors import TableError
from game.tables.settings import CLOCKS, DEFAULT_CLOCK, TableSettings
from lobby.accounts import rate_limits
from lobby.accounts.refusals import (
    REFUSALS,
    TOO_MANY_TABLES,
    TOO_MANY_TRIES,
    count_not_found,
    with_error_pages,
)
from lobby.accounts.visitors import person_id, require_person, visitor_of
from lobby.play import fragments, front_page, movements, practice, queues, quick_play
from lobby.play.backend import current_backend
from lobby.play.forms import CLOCK_NAMES, SeekForm, bot_level_choices
from lobby.play.movements import find_game_with_people
from lobby.play.player_location import find_location
from lobby.play.queues import BOT
from lobby.play.quick_play import TABLE_KEY
from lobby.play.rule_texts import SWITCHES

BROWSER_COOKIE: Final = "browser"
"""The cookie by which rated queues know the browser (`lobby.play.origins`)."""
_MAX_COOKIE: Final = 100


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TABLES)
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the queues and the tables that can be joined. Loading the page counts as a heartbeat.

    After the button to find a game (`looking` in the query), redirect to the table if the person
    was paired at once.
    """
    backend, person = ask(current_backend()), person_id(request)
    backend.cache.clear()
    ask(movements.record_heartbeat(backend, person))
    context = ask(fragments.lobby(backend, person))
    if "looking" in request.GET and context.get("table_id"):
        return redirect("game:table", table_id=context["table_id"])
    if "ticket" in context:
        context["waited_s"] = max(0, backend.now_ms() - context["ticket"].since) // 1000
    context |= {
        "last_place": context["location"].kind if context["location"] else "",
        "form": SeekForm(),
        "banned_until": banned_until(person) if person else None,
        "wrong": REFUSALS.get(request.GET.get("no", ""), ""),
    }
    return render(request, "lobby/lobby.html", context)


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TABLES)
def seek(request: HttpRequest) -> HttpResponse:
    """Enter a queue."""
    form = SeekForm(request.POST)
    if not form.is_valid():
        return redirect("lobby:lobby")
    person = require_person(request)
    browser = request.COOKIES.get(BROWSER_COOKIE, "")[:_MAX_COOKIE] or secrets.token_urlsafe(16)
    is_in = ask(
        movements.move_to_queue(
            ask(current_backend()),
            form.queue(),
            person=str(person.pk),
            name=person.name,
            bots_after_s=form.bots_after_s(),
            address=request.META.get("REMOTE_ADDR") or "",
            browser=browser,
        )
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
def practise(request: HttpRequest) -> HttpResponse:
    """Open the practice table of a person who waits in a queue, under the rules of that queue."""
    backend, person = ask(current_backend()), require_person(request)
    location = ask(find_location(backend, str(person.pk)))
    if location is None or location.name not in queues.QUEUES:
        return redirect("lobby:lobby")
    address, queue = rate_limits.address_of(request), queues.QUEUES[location.name]
    rate_limits.TABLES_OF_ADDRESS.count(address)
    rate_limits.TABLES_OF_PERSON.count(str(person.pk))
    opening = practice.open_practice(backend, str(person.pk), person.name, address, queue.rules)
    if table_id := ask(opening):
        return redirect("game:table", table_id=table_id)
    return redirect("lobby:lobby")


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TABLES)
def stop(request: HttpRequest) -> HttpResponse:
    """Leave the queue."""
    ask(queues.leave_queue(ask(current_backend()), person_id(request)))
    return redirect("lobby:lobby")


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TABLES)
def take_seat(request: HttpRequest, table_id: str) -> HttpResponse:
    """Take the seat of a player who has left a public game."""
    backend = ask(current_backend())
    room = ask(backend.tables.room(table_id))
    if room is None or not room.meta.settings.public:
        raise count_not_found(request)
    seat = request.POST.get("seat", "")
    if seat not in map(str, room.table.seats):
        raise count_not_found(request)
    person = require_person(request)
    if not ask(backend.tables.sit_down(table_id, int(seat), str(person.pk), person.name)):
        return redirect(f"{reverse('lobby:lobby')}?no=taken")
    ask(movements.record_seat(backend, str(person.pk), table_id))
    request.session[TABLE_KEY] = table_id
    return redirect("game:table", table_id=table_id)


_EXAMPLE_HAND: Final = (
    *("1m", "2m", "3m", "4p", "5pr", "6p", "3s", "3s", "5s", "6s", "7s", "E", "E"),
    "4s",
)
"""The hand on the first page: thirteen tiles and the winning tile just drawn."""
_USUAL: Final = {"level": BOT, "length": TENHOU.length, "clock": DEFAULT_CLOCK}
"""The first choices of the form for a game against bots."""
_FOR_NEWCOMERS: Final = {"level": "novice", "length": "east", "clock": "60+0"}
"""The first choices for visitors without an account, who may play for the first time."""
_OF_THREE: Final = preset("tenhou-3")
_LAST_CHOICE: Final = "play_now"
"""The key in the session for what was chosen for the last game against bots."""


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the first page."""
    visitor, is_unavailable = visitor_of(request), False
    person = person_id(request)
    try:
        table_id = quick_play.find_running_table(request.session)
        backend = ask(current_backend())
        has_game_with_people = bool(ask(find_game_with_people(backend, person)))
    except TableError:
        table_id, has_game_with_people, is_unavailable = "", False, True
    context = {
        "is_unavailable": is_unavailable,
        "banned_until": banned_until(person) if person else None,
        "table_id": table_id,
        "has_game_with_people": has_game_with_people,
        "name": "" if visitor is None else visitor.name,
        "tiles": _EXAMPLE_HAND,
        "levels": bot_level_choices(),
        "lengths": SWITCHES["length"].values.items(),
        "clocks": CLOCK_NAMES.items(),
        **(_USUAL if visitor is not None and visitor.is_account else _FOR_NEWCOMERS),
        **request.session.get(_LAST_CHOICE, {}),
    }
    return render(request, "lobby/home.html", context)


@require_safe
def front_live(request: HttpRequest) -> HttpResponse:
    """Return the live part of the first page; nothing while Redis cannot be reached."""
    try:
        response = HttpResponse(front_page.live_part())
    except (TableError, OSError):
        return HttpResponse(status=503)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Vary"] = "Accept-Language, Cookie"
    return with_etag(request, response)


@require_POST
@with_error_pages(TOO_MANY_TABLES)
def play_now(request: HttpRequest) -> HttpResponse:
    """Open a table against bots of the chosen level, with the chosen number of players, length and
    clock, and redirect to it."""
    level = request.POST.get("bot", "")
    length = request.POST.get("length", "")
    clock = request.POST.get("clock", "")
    chosen: dict[str, Any] = {
        "players": "3" if request.POST.get("players") == "3" else "4",
        "level": level if level in LEVELS else BOT,
        "length": length if length == "east" else TENHOU.length,
        "clock": clock if clock in CLOCKS else DEFAULT_CLOCK,
        "quick_bots": "quick_bots" in request.POST,
    }
    table_id = quick_play.play_now(
        request.session,
        rate_limits.address_of(request),
        chosen["level"],
        TableSettings(
            rules=replace(
                _OF_THREE if chosen["players"] == "3" else TENHOU, length=chosen["length"]
            ),
            clock=chosen["clock"],
            quick_bots=chosen["quick_bots"],
        ),
    )
    request.session[_LAST_CHOICE] = chosen
    return redirect("game:table", table_id=table_id)


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
