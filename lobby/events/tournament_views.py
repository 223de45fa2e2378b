"""Pages of tournaments: the page with tables and standings, its JSON, the start of a round."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from lobby.accounts.guests import require_person
from lobby.accounts.refusals import count_not_found
from lobby.accounts.visitors import person_id
from lobby.clubs.members import ClubAccess
from lobby.events import tournaments
from lobby.events.director_views import NOTES
from lobby.events.event_data import team_items
from lobby.events.registration import rules_of
from lobby.events.registration_views import REGISTRATION_NOTES
from lobby.events.seating import SeatingError
from lobby.events.views import event_address, visible_event
from lobby.models import Tournament
from lobby.play import fragments
from lobby.play.backend import current_backend
from lobby.play.forms import CLOCK_NAMES
from lobby.play.watch_texts import describe_watch

_NOTES: Final = {
    **{code: NOTES[code] for code in ("over", "running", "seats")},
    "substitutes": _("The director has to name members who take the seats that are left over."),
    "prescribed": _("The prescribed seats are for another number of entrants."),
    **REGISTRATION_NOTES,
}
"""Texts of refusals by the code in the query."""


@never_cache
@require_safe
@visible_event
async def tournament(
    request: HttpRequest, access: ClubAccess, tournament: Tournament
) -> HttpResponse:
    """Show the entrants, the tables of the rounds and the standings. Officers also see the button
    that starts the next round."""
    backend, person = await current_backend(), person_id(request)
    backend.cache.clear()
    context = await fragments.tournament_parts(backend, access, tournament, person)
    context |= {
        "clock": CLOCK_NAMES[tournament.clock],
        "watching": describe_watch(tournament.watch, tournament.watch_delay_s),
        "rules": fragments.rules_label(rules_of(tournament)),
        "note": _NOTES.get(request.GET.get("note", ""), ""),
    }
    return render(request, "lobby/clubs/tournament.html", context)


@never_cache
@require_POST
@visible_event
async def start_round(
    request: HttpRequest, access: ClubAccess, tournament: Tournament
) -> HttpResponse:
    """Start the round of that number. For officers."""
    number = request.POST.get("round", "")
    if not access.is_officer or not number.isdecimal() or len(number) > 2:
        raise await count_not_found(request)
    await require_person(request)
    address = event_address(access, tournament)
    try:
        await tournaments.start_round(tournament, int(number))
    except tournaments.RoundRefused as refusal:
        return redirect(f"{address}?note={refusal.code}")
    except SeatingError:
        return redirect(f"{address}?note=seats")
    await tournaments.open_tables(tournament)
    if request.POST.get("to") == "director":
        return redirect("lobby:director", slug=access.club.slug, tournament=tournament.slug)
    return redirect(address)


@require_safe
@visible_event
async def standings_json(
    request: HttpRequest, access: ClubAccess, tournament: Tournament
) -> HttpResponse:
    """Return the rounds with their seats and the standings as JSON."""
    standings = await tournaments.standings_of(tournament)
    rows = tournament.tables.all()
    numbers = tournament.entrants.filter(number__isnull=False)
    data = {
        "version": 1,
        "club": access.club.slug,
        "tournament": tournament.slug,
        "name": tournament.name,
        "method": tournament.method,
        "entrants": {
            str(number): str(person)
            async for number, person in numbers.values_list("number", "person")
        },
        "tables": [
            {"round": row.round, "table": row.number, "id": row.table_id, "seats": row.seats}
            async for row in rows
        ],
        "standings": [
            {
                "place": row.place,
                "player": row.player,
                "name": standings.names[row.player],
                "games": row.counted,
                "points": str(row.points),
            }
            for row in standings.rows
        ],
        "teams": await team_items(tournament, standings.rows),
    }
    return JsonResponse(data, json_dumps_params={"ensure_ascii": False})
