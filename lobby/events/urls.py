"""Routes of events of clubs."""

from __future__ import annotations

from django.urls import path, re_path

from lobby.events import (
    api,
    download_views,
    entrant_views,
    fixture_views,
    log_views,
    officials_views,
    offline_views,
    registration_views,
    round_views,
    standings_views,
    team_views,
    views,
)

urlpatterns = [
    path("clubs/<slug:slug>/events/", views.club_events, name="club_events"),
    path("clubs/<slug:slug>/events/new/", views.new_event, name="new_event"),
    *(
        path(f"clubs/<slug:slug>/events/<slug:event>/{end}", view, name=name)
        for end, view, name in (
            ("", views.event, "event"),
            ("rules/", views.event_rules, "event_rules"),
            ("edit/", views.edit, "event_edit"),
            ("delete/", views.delete, "event_delete"),
            ("enter/", registration_views.register, "event_enter"),
            ("entrants/", registration_views.change_lists, "event_entrants"),
            ("calendar.ics", registration_views.calendar_file, "event_calendar"),
            ("standings/", standings_views.standings, "event_standings"),
            ("standings.json", standings_views.standings_json, "event_json"),
            ("teams/", team_views.event_teams, "event_teams"),
            ("offline/", offline_views.offline_games, "event_offline"),
            ("offline/<int:game>/", offline_views.offline_games, "event_offline_game"),
            ("table/", views.make_table, "event_table"),
            ("fixtures/", fixture_views.fixture_list, "event_fixtures"),
            ("fixtures/<int:number>/", fixture_views.open_fixture, "open_fixture"),
            ("round/", round_views.next_round, "event_round"),
            ("feature/", officials_views.feature, "event_feature"),
            ("officials/", officials_views.officials, "event_officials"),
            ("officials/do/", officials_views.act_as_official, "event_act"),
            (
                "officials/<int:round>/<int:table>/",
                officials_views.one_table_page,
                "event_officials_table",
            ),
            ("log/", log_views.log, "event_log"),
            ("check-in/", entrant_views.check_in, "event_check_in"),
            ("games/", entrant_views.own_games, "event_games"),
        )
    ),
    path(
        "clubs/<slug:slug>/events/<slug:event>/records/<slug:form>.zip",
        download_views.records,
        name="event_records",
    ),
    *(
        path(
            f"clubs/<slug:slug>/events/<slug:event>/{part}.csv",
            download_views.event_file,
            {"part": part},
            name=f"event_{part}_csv",
        )
        for part in download_views.PARTS
    ),
    path("api/1/clubs/<slug:slug>/", api.club_events, name="api_club"),
    path("api/1/clubs/<slug:slug>/events/<slug:name>/", api.event, name="api_event"),
    *(
        path(
            f"api/1/clubs/<slug:slug>/events/<slug:name>/{part}/",
            api.part,
            {"part": part},
            name=f"api_{part}",
        )
        for part in api.PARTS
    ),
    re_path(
        r"^(?P<start>clubs|api/1/clubs)/(?P<slug>[-\w]+)/(?P<kind>league|tournament)s/"
        r"(?P<rest>.*)$",
        views.moved,
    ),
]
