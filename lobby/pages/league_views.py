"""Pages of leagues: the list, the page with the standings, their files, the forms of officers."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Final, cast

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.engine.presets import PRESETS
from game.results.game_text import preset_name
from game.tables.room import Watch
from lobby.accounts import rate_limits
from lobby.accounts.guests import require_person
from lobby.accounts.visitors import person_id
from lobby.clubs import leagues, registration
from lobby.clubs.event_data import game_item, row_item, team_items
from lobby.clubs.forms import LeagueForm, NewLeague, values_of
from lobby.clubs.members import ClubAccess
from lobby.clubs.table_results import counted
from lobby.clubs.tournaments import tournaments_of
from lobby.matchmaking.backend import current_backend
from lobby.models import League
from lobby.pages import fragments
from lobby.pages.club_views import any_club, visible_club
from lobby.pages.etags import with_etag
from lobby.pages.refusals import REFUSALS, View, count_not_found
from lobby.pages.registration_views import (
    REGISTRATION_NOTES,
    calendar_file,
    change_lists,
    register,
)
from lobby.pages.rules_views import render_sheet
from lobby.pregame import saved_rules, services
from lobby.pregame.clocks import DEFAULT_CLOCK
from lobby.pregame.club_tables import delay_of, may_play, season_of
from lobby.pregame.forms import CLOCK_NAMES
from lobby.pregame.model import Terms

_CHANGEABLE: Final = tuple(LeagueForm.base_fields)
LeagueView = Callable[..., Coroutine[Any, Any, HttpResponse]]


def visible_league(view: LeagueView) -> View:
    """Pass the club and the league of that address to the view; answer 404 to a visitor who may
    not see it."""

    @any_club
    @wraps(view)
    async def check(
        request: HttpRequest, access: ClubAccess, league: str, **named: object
    ) -> HttpResponse:
        found = await leagues.find_league(access.club, league)
        if found is None or not access.may_see(found):
            raise await count_not_found(request)
        return await view(request, access, found, **named)

    return check


@never_cache
@require_safe
@visible_club
async def club_leagues(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Show the leagues of the club."""
    found = [one for one in await leagues.leagues_of(access.club) if access.may_see(one)]
    cups = [one for one in await tournaments_of(access.club) if access.may_see(one)]
    context = {
        "access": access,
        "club": access.club,
        "tournaments": cups,
        "leagues": [{"league": one, "season": season_of(one)} for one in found],
    }
    return render(request, "lobby/clubs/leagues.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_club
async def new_league(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Make a league. For officers."""
    if not access.is_officer:
        raise await count_not_found(request)
    own = await saved_rules.saved_by(access.club)
    choices = [(one.key, one.name) for one in own]
    choices += [(name, preset_name(name)) for name in PRESETS]
    form = NewLeague(request.POST or None, choices=choices, club=access.club)
    if request.method == "POST" and form.is_valid():
        await require_person(request)
        given = dict(form.cleaned_data)
        named = await saved_rules.find_named(given.pop("rules"))
        try:
            if named is None:
                raise await count_not_found(request)
            clock = named.clock or DEFAULT_CLOCK
            made = await leagues.make_league(access.club, named.rules, clock, **given)
        except leagues.LeagueTaken:
            form.add_error("slug", _("This address is taken."))
        else:
            return redirect("lobby:league", slug=access.club.slug, league=made.slug)
    context = {"access": access, "club": access.club, "form": form}
    status = 422 if form.errors else 200
    return render(request, "lobby/clubs/league_form.html", context, status=status)


@never_cache
@require_safe
@visible_league
async def league(request: HttpRequest, access: ClubAccess, found: League) -> HttpResponse:
    """Show the league with its standings, tables and terms."""
    backend, person = await current_backend(), person_id(request)
    backend.cache.clear()
    context = await fragments.league_parts(backend, access, found, person)
    note = request.GET.get("note", "")
    context |= {
        "clock": CLOCK_NAMES[found.clock],
        "rules": fragments.rules_label(leagues.rules_of(found)),
        "may_play": bool(person) and await may_play(found.pk, person),
        "note": REGISTRATION_NOTES.get(note) or REFUSALS.get(note, ""),
    }
    return render(request, "lobby/clubs/league.html", context)


@require_safe
@visible_league
async def league_rules(request: HttpRequest, access: ClubAccess, found: League) -> HttpResponse:
    """Show the rules of the league in words."""
    return render_sheet(request, leagues.rules_of(found), title=found.name, clock=found.clock)


@never_cache
@require_POST
@visible_league
async def make_table(request: HttpRequest, access: ClubAccess, found: League) -> HttpResponse:
    """Make a table of the league, with the member on its first seat."""
    visitor = person_id(request)
    if not visitor or not await may_play(found.pk, visitor):
        raise await count_not_found(request)
    person = await require_person(request)
    await rate_limits.TABLES_OF_ADDRESS.count(rate_limits.address_of(request))
    await rate_limits.TABLES_OF_PERSON.count(visitor)
    pregame = await services.create(
        await current_backend(),
        person=visitor,
        name=person.name,
        terms=table_terms(access, found),
        bots=("", "", ""),
        password="",
    )
    return redirect("lobby:pregame_table", pregame_id=pregame.id)


def table_terms(access: ClubAccess, league: League, fixture: int = 0) -> Terms:
    """Return the terms of a table of the league, or of that table of its list."""
    return Terms(
        rules=leagues.rules_of(league),
        clock=league.clock,
        help=False,
        public=league.is_public,
        watch=cast("Watch", league.watch),
        watch_delay_s=delay_of(league),
        club=access.club.slug,
        league=league.pk,
        fixture=fixture,
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_league
async def edit(request: HttpRequest, access: ClubAccess, found: League) -> HttpResponse:
    """Change the league. For officers."""
    if not access.is_officer:
        raise await count_not_found(request)
    form = LeagueForm(request.POST or None, initial=values_of(found, _CHANGEABLE))
    if request.method == "POST" and form.is_valid():
        await require_person(request)
        await leagues.change_league(found, **form.cleaned_data)
        await registration.fill_places(found)
        return redirect("lobby:league", slug=access.club.slug, league=found.slug)
    context = {"access": access, "club": access.club, "form": form, "league": found}
    status = 422 if form.errors else 200
    return render(request, "lobby/clubs/league_form.html", context, status=status)


@never_cache
@require_POST
@visible_league
async def enter(request: HttpRequest, access: ClubAccess, found: League) -> HttpResponse:
    """Register for the league, or withdraw. For members."""
    return await register(request, access, found)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@visible_league
async def entrants(request: HttpRequest, access: ClubAccess, found: League) -> HttpResponse:
    """Show the lists of the registration, and do what `do` names. For officers."""
    return await change_lists(request, access, found)


@require_safe
@visible_league
async def calendar(request: HttpRequest, access: ClubAccess, found: League) -> HttpResponse:
    """Return the season as a calendar file."""
    return await calendar_file(request, access, found)


@never_cache
@require_POST
@visible_league
async def delete(request: HttpRequest, access: ClubAccess, found: League) -> HttpResponse:
    """Delete the league, if its name was typed. For the owner of the club."""
    if not access.may_delete_events:
        raise await count_not_found(request)
    if request.POST.get("name", "").strip() != found.name:
        return redirect("lobby:edit_league", slug=access.club.slug, league=found.slug)
    await require_person(request)
    await leagues.delete_league(found)
    return redirect("lobby:club_leagues", slug=access.club.slug)


@require_safe
@visible_league
async def standings_json(request: HttpRequest, access: ClubAccess, found: League) -> HttpResponse:
    """Return the standings and the games as JSON."""
    standings = await leagues.standings_of(found)
    data = {
        "version": 1,
        "club": access.club.slug,
        "league": found.slug,
        "name": found.name,
        "starts_on": found.starts_on.isoformat(),
        "ends_on": found.ends_on.isoformat(),
        "time_zone": found.time_zone,
        "ranking": found.ranking,
        "min_games": found.min_games,
        "max_games": found.max_games,
        "best_games": found.best_games,
        "standings": [row_item(row, standings.names) for row in standings.rows],
        "teams": await team_items(found),
        "games": [game_item(counted(game)) for game in standings.games],
    }
    return with_etag(request, JsonResponse(data, json_dumps_params={"ensure_ascii": False}))
