"""The guided first game: staged hands at the real table, one table for each hand."""

from __future__ import annotations

import secrets
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from game.bots import BOT_NAMES
from game.engine.clock import ClockSettings
from game.identity.sessions import person_of
from game.tables.bridge import ask
from game.tables.room import SeatMeta
from lobby.accounts import rate_limits
from lobby.accounts.refusals import TOO_MANY_TABLES, with_error_pages
from lobby.accounts.visitors import get_or_create_guest
from lobby.play import address_tables, movements
from lobby.play.backend import current_backend
from lobby.play.table_access import GUIDED, new_table_id
from lobby.play.table_list import has_running_seat

GUIDED_KEY: Final = "guided"
"""The key in the session for the guided table that the person opened last."""
_DAY_MS: Final = 24 * 60 * 60 * 1000
CLOCK: Final = ClockSettings(
    base_ms=_DAY_MS, bank_ms=0, is_unlimited=True, bot_min_ms=900, bot_max_ms=1_500
)
"""The clock of a guided table. The learner may return within a day. The bots play slowly, so that a
beginner can follow."""


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TABLES)
def guided(request: HttpRequest) -> HttpResponse:
    """Explain the guided first game, with a button for each hand."""
    table_id = _running_table(request.session)
    return render(request, "learn/guided.html", {"table_id": table_id})


@never_cache
@require_POST
@with_error_pages(TOO_MANY_TABLES)
def open_guided(request: HttpRequest, name: str) -> HttpResponse:
    """Open a table with that staged hand and redirect to it. The person's former guided table
    ends. A person in a running game with other people is redirected to that game instead.
    """
    if name not in GUIDED:
        raise Http404
    rate_limits.TABLES_OF_ADDRESS.count(rate_limits.address_of(request))
    session = request.session
    person = get_or_create_guest(session)
    who = str(person.pk)
    rate_limits.TABLES_OF_PERSON.count(who)
    backend = ask(current_backend())
    if table_id := ask(movements.find_game_with_people(backend, who)):
        return redirect("game:table", table_id=table_id)
    ask(movements.withdraw_player(backend, who))
    if table_id := _running_table(session):
        ask(backend.tables.leave(table_id, who))
    first, second, third = secrets.SystemRandom().sample(BOT_NAMES, 3)
    learner = SeatMeta(name=person.name, person=who)
    table_id = new_table_id()
    key = address_tables.key_of(rate_limits.address_of(request))
    ask(address_tables.reserve_table(backend, key, table_id))
    ask(backend.tables.open_guided(name, learner, (first, second, third), CLOCK, table_id))
    session[GUIDED_KEY] = table_id
    return redirect("game:table", table_id=table_id)


def _running_table(session: Any) -> str:
    """Return the guided table of this session that is not over, or ''."""
    table_id: str = session.get(GUIDED_KEY, "")
    is_running = table_id and ask(has_running_seat(table_id, person_of(session)))
    return table_id if is_running else ""
