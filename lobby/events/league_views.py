"""Pages of leagues: the list, the page with the standings, their files, the forms of officers."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from game.moderation.sanctions import banned_until
from game.tables.settings import TableSettings, Watch
from lobby.accounts import rate_limits
from lobby.accounts.guests import require_person
from lobby.accounts.refusals import REFUSALS, count_not_found, with_etag
from lobby.accounts.visitors import person_id
from lobby.clubs.members import ClubAccess
from lobby.clubs.views import visible_club
from lobby.events import leagues
from lobby.events.event_data import game_item, row_item, team_items
from lobby.events.registration import rules_of
from lobby.events.registration_views import REGISTRATION_NOTES
from lobby.events.table_results import counted_game
from lobby.events.tournaments import states_of, tournaments_of
from lobby.events.views import visible_event
from lobby.models import League
from lobby.play import fragments, pregame_services
from lobby.play.backend import current_backend
from lobby.play.club_tables import may_play, season_of
from lobby.play.forms import CLOCK_NAMES
from lobby.play.watch_texts import describe_watch


@never_cache
@require_safe
@visible_club
async def club_leagues(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Show the leagues of the club."""
    found = [league for league in await leagues.leagues_of(access.club) if access.may_see(league)]
    cups = [
        tournament for tournament in await tournaments_of(access.club) if access.may_see(tournament)
    ]
    states = await states_of(access.club)
    context = {
        "access": access,
        "club": access.club,
        "tournaments": [{"tournament": cup, "state": states.get(cup.pk, "")} for cup in cups],
        "leagues": [{"league": league, "season": season_of(league)} for league in found],
    }
    return render(request, "lobby/clubs/leagues.html", context)


@never_cache
@require_safe
@visible_event
async def league(request: HttpRequest, access: ClubAccess, league: League) -> HttpResponse:
    """Show the league with its standings, tables and terms."""
    backend, person = await current_backend(), person_id(request)
    backend.cache.clear()
    context = await fragments.league_parts(backend, access, league, person)
    note = request.GET.get("note", "")
    context |= {
        "clock": CLOCK_NAMES[league.clock],
        "watching": describe_watch(league.watch, league.watch_delay_s),
        "rules": fragments.rules_label(rules_of(league)),
        "may_play": context["may_sit"] and await may_play(league.pk, person),
        "note": REGISTRATION_NOTES.get(note) or REFUSALS.get(note, ""),
        "banned_until": await banned_until(person) if person else None,
    }
    return render(request, "lobby/clubs/league.html", context)


@never_cache
@require_POST
@visible_event
async def make_table(request: HttpRequest, access: ClubAccess, league: League) -> HttpResponse:
    """Make a table of the league, with the member on its first seat."""
    visitor = person_id(request)
    if not visitor or not await may_play(league.pk, visitor):
        raise await count_not_found(request)
    person = await require_person(request)
    await rate_limits.TABLES_OF_ADDRESS.count(rate_limits.address_of(request))
    await rate_limits.TABLES_OF_PERSON.count(visitor)
    pregame = await pregame_services.create(
        await current_backend(),
        person=visitor,
        name=person.name,
        settings=table_settings(access, league),
        bots=("", "", ""),
    )
    return redirect("lobby:pregame_table", pregame_id=pregame.id)


def table_settings(access: ClubAccess, league: League, fixture: int = 0) -> TableSettings:
    """Return the settings of a table of the league, or of that table of its list."""
    return TableSettings(
        rules=rules_of(league),
        clock=league.clock,
        help=False,
        public=league.is_public,
        watch=cast("Watch", league.watch),
        watch_delay_s=league.delay_s,
        club=access.club.slug,
        league=league.pk,
        fixture=fixture,
    )


@require_safe
@visible_event
async def standings_json(request: HttpRequest, access: ClubAccess, league: League) -> HttpResponse:
    """Return the standings and the games as JSON."""
    games = await leagues.games_of(league)
    standings = await leagues.standings_of(league, games=games)
    data = {
        "version": 1,
        "club": access.club.slug,
        "league": league.slug,
        "name": league.name,
        "starts_on": league.starts_on.isoformat(),
        "ends_on": league.ends_on.isoformat(),
        "time_zone": league.time_zone,
        "ranking": league.ranking,
        "min_games": league.min_games,
        "max_games": league.max_games,
        "best_games": league.best_games,
        "standings": [row_item(row, standings.names) for row in standings.rows],
        "teams": await team_items(league, standings.rows),
        "games": [game_item(counted_game(game)) for game in games],
    }
    return with_etag(request, JsonResponse(data, json_dumps_params={"ensure_ascii": False}))
