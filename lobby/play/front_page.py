"""The live part of the first page: a table that is being played, how many people are here, and the
next events.

All visitors with one language share it. While somebody loads it, it is made every five seconds at
most, for the whole site. Call it in a thread of pages.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.core.cache import cache
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language

from game.models import Game
from game.tables.bridge import ask
from lobby.models import Event
from lobby.play import queues
from lobby.play.backend import current_backend
from lobby.play.watch_list import watchable_tables

MADE_EVERY_S: Final = 5
_KEPT_S: Final = 60
_MAX_EVENTS: Final = 2


def live_part() -> str:
    """Return the HTML of the live part. Raises TableError or OSError if Redis cannot be reached."""
    key = f"front-page:{get_language()}"
    html: str | None = cache.get(key)
    if cache.add(f"{key}:made", 1, MADE_EVERY_S) or html is None:
        # Plain text: the cache stores no SafeString.
        html = "" + render_to_string("lobby/fragments/front_page.html", _context())
        cache.set(key, html, _KEPT_S)
    return html


def _context() -> dict[str, Any]:
    now = timezone.now()
    events = Event.objects.filter(is_public=True, club__is_public=True, starts_at__gt=now)
    games = Game.objects.filter(is_public=True, ended_at__gt=now - timedelta(days=1))
    return {
        **ask(_live_context()),
        "games": games.count(),
        "events": events.select_related("club").order_by("starts_at")[:_MAX_EVENTS],
    }


async def _live_context() -> dict[str, Any]:
    """Return the most interesting table whose board is shown, and the numbers of people."""
    tables = await watchable_tables()
    waiting = sum((await queues.count_waiting(await current_backend())).values())
    at_tables = sum(watched.table.players + watched.table.spectators for watched in tables)
    shown = [watched for watched in tables if watched.live is not None and watched.live.board]
    return {
        "watched": shown[0] if shown else None,
        "waiting": waiting,
        "online": at_tables + waiting,
    }
