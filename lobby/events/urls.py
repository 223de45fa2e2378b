"""Routes of events of clubs."""

from __future__ import annotations

from django.urls import path

from lobby.events import (
    api,
    director_views,
    download_views,
    entrant_views,
    fixture_views,
    league_views,
    offline_views,
    registration_views,
    ruling_views,
    standings_views,
    team_views,
    tournament_views,
    views,
)

urlpatterns = [
    path("clubs/<slug:slug>/leagues/", league_views.club_leagues, name="club_leagues"),
    *(
        path(f"clubs/<slug:slug>/{kind}s/new/", views.new_event, {"kind": kind}, name=name)
        for kind, name in (("league", "new_league"), ("tournament", "new_event"))
    ),
    *(
        path(f"clubs/<slug:slug>/leagues/<slug:league>/{end}", view, name=name)
        for end, view, name in (
            ("", league_views.league, "league"),
            ("rules/", views.event_rules, "league_rules"),
            ("enter/", registration_views.register, "enter_league"),
            ("entrants/", registration_views.change_lists, "league_entrants"),
            ("calendar.ics", registration_views.calendar_file, "league_calendar"),
            ("standings/", standings_views.standings, "league_standings"),
            ("teams/", team_views.event_teams, "league_teams"),
            ("offline/", offline_views.offline_games, "league_offline"),
            ("offline/<int:game>/", offline_views.offline_games, "league_offline_game"),
            ("table/", league_views.make_table, "league_table"),
            ("rulings/", ruling_views.ruling_list, "rulings"),
            ("fixtures/", fixture_views.fixture_list, "fixtures"),
            ("fixtures/<int:number>/", fixture_views.open_fixture, "open_fixture"),
            ("edit/", views.edit, "edit_league"),
            ("delete/", views.delete, "delete_league"),
            ("standings.json", league_views.standings_json, "standings_json"),
        )
    ),
    *(
        path(f"clubs/<slug:slug>/tournaments/<slug:tournament>/{end}", view, name=name)
        for end, view, name in (
            ("", tournament_views.tournament, "tournament"),
            ("rules/", views.event_rules, "tournament_rules"),
            ("edit/", views.edit, "edit_tournament"),
            ("enter/", registration_views.register, "enter_tournament"),
            ("entrants/", registration_views.change_lists, "tournament_entrants"),
            ("calendar.ics", registration_views.calendar_file, "tournament_calendar"),
            ("standings/", standings_views.standings, "tournament_standings"),
            ("teams/", team_views.event_teams, "tournament_teams"),
            ("offline/", offline_views.offline_games, "tournament_offline"),
            ("offline/<int:game>/", offline_views.offline_games, "tournament_offline_game"),
            ("round/", tournament_views.start_round, "start_round"),
            ("delete/", views.delete, "delete_tournament"),
            ("standings.json", tournament_views.standings_json, "tournament_json"),
            ("feature/", director_views.feature, "feature"),
            ("director/", director_views.director, "director"),
            ("director/do/", director_views.act, "director_act"),
            ("director/<int:round>/<int:table>/", director_views.director_table, "director_table"),
            ("log/", director_views.log, "event_log"),
            ("check-in/", entrant_views.check_in, "check_in"),
            ("games/", entrant_views.own_games, "own_games"),
        )
    ),
    *(
        path(
            f"clubs/<slug:slug>/{kind}/<slug:name>/records/<slug:form>.zip",
            download_views.records,
            {"kind": kind},
            name=f"{kind}_records",
        )
        for kind in ("leagues", "tournaments")
    ),
    *(
        path(
            f"clubs/<slug:slug>/{kind}s/<slug:{kind}>/{part}.csv",
            download_views.event_file,
            {"part": part},
            name=f"{kind}_{part}_csv",
        )
        for kind, parts in (
            ("league", download_views.LEAGUE_PARTS),
            ("tournament", download_views.PARTS),
        )
        for part in parts
    ),
    path("api/1/clubs/<slug:slug>/", api.club_events, name="api_club"),
    *(
        path(f"api/1/clubs/<slug:slug>/<slug:kind>/<slug:name>/{end}", view, more, name=name)
        for end, view, more, name in (
            ("", api.event, {}, "api_event"),
            *((f"{part}/", api.part, {"part": part}, f"api_{part}") for part in api.PARTS),
        )
    ),
]
