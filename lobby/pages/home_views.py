"""The first page, and the button that opens a game against bots."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from msgspec.structs import replace

from game.bots import LEVELS
from game.engine.rules import TENHOU
from game.moderation.sanctions import banned_until
from game.tables.errors import TableError
from lobby.accounts import rate_limits
from lobby.accounts.visitors import person_id, visitor_of
from lobby.matchmaking.backend import current_backend
from lobby.matchmaking.queues import BOT
from lobby.pages import quick_play
from lobby.pages.refusals import TOO_MANY_TABLES, with_error_pages
from lobby.pregame.bot_texts import level_choices
from lobby.pregame.clocks import CLOCKS, DEFAULT_CLOCK
from lobby.pregame.forms import CLOCK_NAMES
from lobby.pregame.movements import find_game_with_people
from lobby.pregame.rule_texts import SWITCHES

_EXAMPLE_HAND: Final = (
    *("1m", "2m", "3m", "4p", "5pr", "6p", "3s", "3s", "5s", "6s", "7s", "E", "E"),
    "4s",
)
"""The hand on the first page: thirteen tiles and the winning tile just drawn."""


_USUAL: Final = {"level": BOT, "length": TENHOU.length, "clock": DEFAULT_CLOCK}
"""The first choices of the form for a game against bots."""
_FOR_NEWCOMERS: Final = {"level": "novice", "length": "east", "clock": "60+0"}
"""The first choices for visitors without an account, who may play for the first time."""
_LAST_CHOICE: Final = "play_now"
"""The key in the session for what was chosen for the last game against bots."""


@never_cache
@require_safe
async def home(request: HttpRequest) -> HttpResponse:
    """Show the first page."""
    visitor, is_unavailable = visitor_of(request), False
    person = person_id(request)
    try:
        table_id = await quick_play.find_running_table(request.session)
        backend = await current_backend()
        has_game_with_people = bool(await find_game_with_people(backend, person))
    except TableError:
        table_id, has_game_with_people, is_unavailable = "", False, True
    context = {
        "is_unavailable": is_unavailable,
        "banned_until": await banned_until(person) if person else None,
        "table_id": table_id,
        "has_game_with_people": has_game_with_people,
        "name": "" if visitor is None else visitor.name,
        "tiles": _EXAMPLE_HAND,
        "levels": level_choices(),
        "lengths": SWITCHES["length"].values.items(),
        "clocks": CLOCK_NAMES.items(),
        **(_USUAL if visitor is not None and visitor.is_account else _FOR_NEWCOMERS),
        **await request.session.aget(_LAST_CHOICE, {}),
    }
    return render(request, "lobby/home.html", context)


@require_POST
@with_error_pages(TOO_MANY_TABLES)
async def play_now(request: HttpRequest) -> HttpResponse:
    """Open a table against three bots of the chosen level, with the chosen length and clock, and
    redirect to it."""
    level = request.POST.get("bot", "")
    length = request.POST.get("length", "")
    clock = request.POST.get("clock", "")
    chosen = {
        "level": level if level in LEVELS else BOT,
        "length": length if length == "east" else TENHOU.length,
        "clock": clock if clock in CLOCKS else DEFAULT_CLOCK,
    }
    table_id = await quick_play.play_now(
        request.session,
        rate_limits.address_of(request),
        chosen["level"],
        is_quick="quick_bots" in request.POST,
        clock=CLOCKS[chosen["clock"]],
        rules=replace(TENHOU, length=chosen["length"]),
    )
    await request.session.aset(_LAST_CHOICE, chosen)
    return redirect("game:table", table_id=table_id)
