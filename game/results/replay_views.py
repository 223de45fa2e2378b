"""The pages of replays: a finished game, step by step."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable

from channels.db import database_sync_to_async
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.engine.events import Event
from game.identity.sessions import person_of
from game.models import Game, GameSeat
from game.results import history
from game.results.game_text import player_name, rules_name
from game.results.replay_script import ReplayScript, WriteEvent, encode, replay_script

ReadEvents = Callable[[Game], Iterable[Event]]
"""Reads the events of an archived game from its log. `game.urls` passes the archive's reader."""
_NO_INDEX = "noindex"


@never_cache
@require_safe
async def replay(request: HttpRequest, table_id: str) -> HttpResponse:
    """Show the viewer of a finished game. Its script fills it."""
    person = await person_of(request.session)
    game, seats = await find_replay(table_id, person)
    own = [seat.seat for seat in seats if person and str(seat.person_id) == person]
    context = {
        "title": rules_name(game.rules, game.preset),
        "script_url": reverse("game:replay_script", args=[table_id]),
        "back_url": reverse("game:game", args=[table_id]),
        "review_url": "",
        "seat": own[0] if own else None,
        "is_indexed": game.is_public,
    }
    response = render(request, "game/replay.html", context)
    if not game.is_public:
        response["X-Robots-Tag"] = _NO_INDEX
    return response


@never_cache
@require_safe
async def script(
    request: HttpRequest, table_id: str, read_events: ReadEvents, write_event: WriteEvent
) -> HttpResponse:
    """Return the script of the replay of a finished game."""
    game, seats = await find_replay(table_id, await person_of(request.session))
    names = [player_name(seat.name) for seat in seats]

    def make() -> ReplayScript:
        return replay_script(
            read_events(game), names, write=write_event, game_id=game.pk, preset=game.preset or None
        )

    made = await database_sync_to_async(make)()
    if not made.hands:
        raise Http404
    return script_response(request, made)


def script_response(request: HttpRequest, made: ReplayScript) -> HttpResponse:
    """Return a script as JSON, compressed if the browser takes that. It repeats nothing of the
    request, so its compressed size tells nothing."""
    content = encode(made)
    headers = {"Vary": "Accept-Encoding", "X-Robots-Tag": _NO_INDEX}
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        content = gzip.compress(content, 6)
        headers["Content-Encoding"] = "gzip"
    return HttpResponse(content, content_type="application/json", headers=headers)


async def find_replay(table_id: str, person: str) -> tuple[Game, list[GameSeat]]:
    """Return that game and its seats in order. Raises Http404 unless the person may see it and its
    log is kept."""
    game = await history.find_game(table_id)
    if game is None or not history.can_see(game, person) or not await history.has_record(game):
        raise Http404
    return game, sorted(game.seats.all(), key=lambda seat: seat.seat)
