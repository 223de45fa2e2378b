"""The page of a tournament's feature table for a stream: only the board, as spectators see it."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.live.table_list import running_room
from game.tables.errors import TableError
from lobby.accounts.visitors import person_id
from lobby.clubs.feature import feature_table
from lobby.clubs.members import ClubAccess
from lobby.models import Tournament
from lobby.pages.event_views import visible_event

BACKGROUNDS: Final = ("felt", "plain", "transparent")


@never_cache
@require_safe
@visible_event
async def feature(request: HttpRequest, access: ClubAccess, tournament: Tournament) -> HttpResponse:
    """Show the board of the table that the director has chosen, or a text if there is none. The
    page is reloaded when another table is chosen. `?background=` is one of BACKGROUNDS."""
    table_id, number = await feature_table(tournament)
    room = None
    try:
        room = await running_room(table_id) if table_id else None
    except TableError:
        table_id = ""
    # The socket of a table gives players their own seats, which must not be on a stream.
    is_own = room is not None and room.seat_of(person_id(request)) is not None
    background = request.GET.get("background", "")
    context = {
        "club": access.club,
        "tournament": tournament,
        "number": number,
        "table_id": table_id,
        "background": background if background in BACKGROUNDS else BACKGROUNDS[0],
        "is_own": is_own,
        "is_shown": room is not None and room.meta.watch != "nobody" and not is_own,
    }
    return render(request, "lobby/clubs/feature.html", context)
