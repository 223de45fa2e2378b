"""Pages of tournaments: make one, take part, start rounds, tables and standings."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.engine.presets import PRESETS
from game.results.game_text import preset_name
from lobby.accounts.guests import require_person
from lobby.accounts.visitors import person_id
from lobby.clubs import registration, tournaments
from lobby.clubs.event_data import team_items
from lobby.clubs.forms import NewTournament, TournamentForm, values_of
from lobby.clubs.members import ClubAccess
from lobby.events.seating import SeatingError
from lobby.matchmaking.backend import current_backend
from lobby.models import Tournament
from lobby.pages import fragments
from lobby.pages.club_views import any_club, visible_club
from lobby.pages.refusals import View, count_not_found
from lobby.pages.registration_views import (
    REGISTRATION_NOTES,
    calendar_file,
    change_lists,
    register,
)
from lobby.pages.rules_views import render_sheet
from lobby.pregame import saved_rules
from lobby.pregame.clocks import DEFAULT_CLOCK
from lobby.pregame.forms import CLOCK_NAMES

_NOTES: Final = {
    "over": _("All rounds have been played."),
    "running": _("The round before is not over yet."),
    "seats": _("The entrants do not fill tables of four."),
    "substitutes": _("The director has to name members who take the seats that are left over."),
    "prescribed": _("The prescribed seats are for another number of entrants."),
    **REGISTRATION_NOTES,
}
"""Why something was not done, by the code in the query."""
TournamentView = Callable[..., Coroutine[Any, Any, HttpResponse]]


def visible_tournament(view: TournamentView) -> View:
    """Pass the club and the tournament of that address to the view; answer 404 to a visitor who
    may not see it."""

    @any_club
    @wraps(view)
    async def check(
        request: HttpRequest, access: ClubAccess, tournament: str, **named: object
    ) -> HttpResponse:
        found = await tournaments.find_tournament(access.club, tournament)
        if found is None or not access.may_see(found):
            raise await count_not_found(request)
        return await view(request, access, found, **named)

    return check


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_club
async def new_tournament(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Make a tournament. For officers."""
    if not access.is_officer:
        raise await count_not_found(request)
    own = await saved_rules.saved_by(access.club)
    choices = [(one.key, one.name) for one in own]
    choices += [(name, preset_name(name)) for name in PRESETS]
    form = NewTournament(request.POST or None, choices=choices, club=access.club)
    if request.method == "POST" and form.is_valid():
        await require_person(request)
        given = dict(form.cleaned_data)
        named = await saved_rules.find_named(given.pop("rules"))
        if named is None:
            raise await count_not_found(request)
        try:
            made = await tournaments.make_tournament(
                access.club, named.rules, named.clock or DEFAULT_CLOCK, **given
            )
        except tournaments.TournamentTaken:
            form.add_error("slug", _("This address is taken."))
        else:
            return _page(access, made)
    context = {"access": access, "club": access.club, "form": form}
    status = 422 if form.errors else 200
    return render(request, "lobby/clubs/tournament_form.html", context, status=status)


@never_cache
@require_safe
@visible_tournament
async def tournament(request: HttpRequest, access: ClubAccess, found: Tournament) -> HttpResponse:
    """Show the tournament: entrants, tables of the rounds, standings; to officers the button that
    starts the next round."""
    backend, person = await current_backend(), person_id(request)
    backend.cache.clear()
    context = await fragments.tournament_parts(backend, access, found, person)
    context |= {
        "clock": CLOCK_NAMES[found.clock],
        "rules": fragments.rules_label(tournaments.rules_of(found)),
        "note": _NOTES.get(request.GET.get("note", ""), ""),
    }
    return render(request, "lobby/clubs/tournament.html", context)


@require_safe
@visible_tournament
async def tournament_rules(
    request: HttpRequest, access: ClubAccess, found: Tournament
) -> HttpResponse:
    """Show the rules of the tournament in words."""
    return render_sheet(request, tournaments.rules_of(found), title=found.name, clock=found.clock)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_tournament
async def edit(request: HttpRequest, access: ClubAccess, found: Tournament) -> HttpResponse:
    """Change the tournament. For officers."""
    if not access.is_officer:
        raise await count_not_found(request)
    fields = tuple(TournamentForm.base_fields)
    form = TournamentForm(request.POST or None, initial=values_of(found, fields))
    if request.method == "POST" and form.is_valid():
        await require_person(request)
        await tournaments.change_tournament(found, **form.cleaned_data)
        await registration.fill_places(found)
        return _page(access, found)
    context = {"access": access, "club": access.club, "form": form, "tournament": found}
    status = 422 if form.errors else 200
    return render(request, "lobby/clubs/tournament_form.html", context, status=status)


@never_cache
@require_POST
@visible_tournament
async def enter(request: HttpRequest, access: ClubAccess, found: Tournament) -> HttpResponse:
    """Register for the tournament, or withdraw. For members."""
    return await register(request, access, found)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_tournament
async def entrants(request: HttpRequest, access: ClubAccess, found: Tournament) -> HttpResponse:
    """Show the lists of the registration, and do what `do` names. For officers."""
    return await change_lists(request, access, found)


@require_safe
@visible_tournament
async def calendar(request: HttpRequest, access: ClubAccess, found: Tournament) -> HttpResponse:
    """Return the dates of the tournament as a calendar file."""
    return await calendar_file(request, access, found)


@never_cache
@require_POST
@visible_tournament
async def start_round(request: HttpRequest, access: ClubAccess, found: Tournament) -> HttpResponse:
    """Start the round of that number. For officers."""
    number = request.POST.get("round", "")
    if not access.is_officer or not number.isdecimal() or len(number) > 2:
        raise await count_not_found(request)
    await require_person(request)
    try:
        await tournaments.start_round(found, int(number))
    except tournaments.RoundRefused as refusal:
        return _page(access, found, refusal.code)
    except SeatingError:
        return _page(access, found, "seats")
    await tournaments.open_tables(found)
    if request.POST.get("to") == "director":
        return redirect("lobby:director", slug=access.club.slug, tournament=found.slug)
    return _page(access, found)


@never_cache
@require_POST
@visible_tournament
async def delete(request: HttpRequest, access: ClubAccess, found: Tournament) -> HttpResponse:
    """Delete the tournament, if its name was typed. For the owner of the club."""
    if not access.may_delete_events:
        raise await count_not_found(request)
    if request.POST.get("name", "").strip() != found.name:
        return _page(access, found)
    await require_person(request)
    await Tournament.objects.filter(pk=found.pk).adelete()
    return redirect("lobby:club_leagues", slug=access.club.slug)


@require_safe
@visible_tournament
async def standings_json(
    request: HttpRequest, access: ClubAccess, found: Tournament
) -> HttpResponse:
    """Return the rounds with their seats and the standings as JSON."""
    standings = await tournaments.standings_of(found)
    rows = found.tables.all()
    numbers = found.entrants.filter(number__isnull=False)
    data = {
        "version": 1,
        "club": access.club.slug,
        "tournament": found.slug,
        "name": found.name,
        "method": found.method,
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
        "teams": await team_items(found),
    }
    return JsonResponse(data, json_dumps_params={"ensure_ascii": False})


def _page(access: ClubAccess, found: Tournament, note: str = "") -> HttpResponse:
    address = reverse("lobby:tournament", args=[access.club.slug, found.slug])
    return redirect(f"{address}?note={note}" if note else address)
