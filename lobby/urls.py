"""Routes of accounts, the lobby and pregame tables."""

from __future__ import annotations

from django.urls import path

from lobby.pages import (
    account_views,
    api_views,
    archive_views,
    bot_tables,
    bot_views,
    club_views,
    csv_views,
    director_views,
    entrant_views,
    event_views,
    exercise_views,
    feature_views,
    fixture_views,
    friend_views,
    guided_views,
    home_views,
    import_views,
    intervention_log,
    league_views,
    learn_views,
    lobby_views,
    offline_views,
    pregame_views,
    preview_views,
    privacy_views,
    profile_views,
    registration_views,
    report_views,
    review_views,
    rules_views,
    ruling_views,
    scheme_views,
    standings_views,
    team_views,
    token_views,
    tournament_views,
    watch_views,
)

app_name = "lobby"
urlpatterns = [
    path("", home_views.home, name="home"),
    path("play/", home_views.play_now, name="play_now"),
    path("scheme/", scheme_views.choose_scheme, name="scheme"),
    path("lobby/", lobby_views.lobby, name="lobby"),
    path("lobby/seek/", lobby_views.seek, name="seek"),
    path("lobby/stop/", lobby_views.stop, name="stop"),
    path("lobby/take/<slug:table_id>/", lobby_views.take_seat, name="take_seat"),
    path("tables/new/", pregame_views.new_table, name="new_table"),
    path("tables/new/rules/<slug:preset>/", pregame_views.switches, name="switches"),
    path("tables/again/<slug:table_id>/", pregame_views.rematch, name="rematch"),
    path("tables/<slug:pregame_id>/", pregame_views.pregame_table, name="pregame_table"),
    path("tables/<slug:pregame_id>/rules/", pregame_views.table_rules, name="table_rules"),
    path("tables/<slug:pregame_id>/do/", pregame_views.act, name="act"),
    path("tables/<slug:pregame_id>/key/<slug:token>/", pregame_views.pregame_table, name="invited"),
    path("tables/<slug:pregame_id>/key/<slug:token>/do/", pregame_views.act, name="invited_act"),
    path(
        "tables/<slug:pregame_id>/key/<slug:token>/rules/",
        pregame_views.table_rules,
        name="invited_rules",
    ),
    path("watch/", watch_views.watch, name="watch"),
    path("watch/now/", watch_views.watch_best, name="watch_best"),
    path("rules/", rules_views.all_rules, name="all_rules"),
    path("rules/<slug:key>/", rules_views.rules, name="rules"),
    path("rules/<slug:key>/rename/", rules_views.rename, name="rename_rules"),
    path("rules/<slug:key>/delete/", rules_views.delete, name="delete_rules"),
    path("table/<slug:table_id>/yaku/", learn_views.table_yaku, name="table_yaku"),
    path("learn/", learn_views.learn, name="learn"),
    path("learn/yaku/", learn_views.yaku, name="learn_yaku"),
    path("learn/points/", learn_views.points, name="learn_points"),
    path("learn/glossary/", learn_views.glossary, name="learn_glossary"),
    path("learn/rules/", learn_views.compare_rules, name="learn_rules"),
    path("learn/exercises/", exercise_views.exercises, name="exercises"),
    path("learn/exercises/<slug:kind>/<slug:level>/", exercise_views.begin, name="next_exercise"),
    path(
        "learn/exercises/<slug:kind>/<slug:level>/<slug:seed>/",
        exercise_views.exercise,
        name="exercise",
    ),
    path("learn/guided/", guided_views.guided, name="guided"),
    path("learn/guided/<slug:name>/", guided_views.open_guided, name="open_guided"),
    path("learn/<slug:slug>/", learn_views.lesson, name="lesson"),
    path("clubs/", club_views.clubs, name="clubs"),
    path("clubs/new/", club_views.new_club, name="new_club"),
    path("clubs/<slug:slug>/", club_views.club, name="club"),
    path("clubs/<slug:slug>/join/", club_views.join, name="join_club"),
    path("clubs/<slug:slug>/join/<slug:key>/", club_views.invitation, name="club_invitation"),
    path("clubs/<slug:slug>/leave/", club_views.leave, name="leave_club"),
    path("clubs/<slug:slug>/members/", club_views.club_members, name="club_members"),
    path("clubs/<slug:slug>/members/do/", club_views.change_members, name="change_members"),
    path("clubs/<slug:slug>/games/", club_views.club_games, name="club_games"),
    path("clubs/<slug:slug>/rules/", club_views.club_rules, name="club_rules"),
    path("clubs/<slug:slug>/rules/default/", club_views.default_rules, name="default_rules"),
    path("clubs/<slug:slug>/edit/", club_views.edit, name="edit_club"),
    *(
        path(
            f"clubs/<slug:slug>/edit/{section}/",
            club_views.edit,
            {"section": section},
            name=f"club_{section}",
        )
        for section in ("text", "settings")
    ),
    path("clubs/<slug:slug>/leagues/", league_views.club_leagues, name="club_leagues"),
    *(
        path(f"clubs/<slug:slug>/{kind}s/new/", event_views.new_event, {"kind": kind}, name=name)
        for kind, name in (("league", "new_league"), ("tournament", "new_event"))
    ),
    *(
        path(f"clubs/<slug:slug>/leagues/<slug:league>/{end}", view, name=name)
        for end, view, name in (
            ("", league_views.league, "league"),
            ("rules/", event_views.event_rules, "league_rules"),
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
            ("edit/", event_views.edit, "edit_league"),
            ("delete/", event_views.delete, "delete_league"),
            ("standings.json", league_views.standings_json, "standings_json"),
        )
    ),
    *(
        path(f"clubs/<slug:slug>/tournaments/<slug:tournament>/{end}", view, name=name)
        for end, view, name in (
            ("", tournament_views.tournament, "tournament"),
            ("rules/", event_views.event_rules, "tournament_rules"),
            ("edit/", event_views.edit, "edit_tournament"),
            ("enter/", registration_views.register, "enter_tournament"),
            ("entrants/", registration_views.change_lists, "tournament_entrants"),
            ("calendar.ics", registration_views.calendar_file, "tournament_calendar"),
            ("standings/", standings_views.standings, "tournament_standings"),
            ("teams/", team_views.event_teams, "tournament_teams"),
            ("offline/", offline_views.offline_games, "tournament_offline"),
            ("offline/<int:game>/", offline_views.offline_games, "tournament_offline_game"),
            ("round/", tournament_views.start_round, "start_round"),
            ("delete/", event_views.delete, "delete_tournament"),
            ("standings.json", tournament_views.standings_json, "tournament_json"),
            ("feature/", feature_views.feature, "feature"),
            ("director/", director_views.director, "director"),
            ("director/do/", director_views.act, "director_act"),
            ("director/<int:round>/<int:table>/", director_views.director_table, "director_table"),
            ("log/", intervention_log.log, "event_log"),
            ("check-in/", entrant_views.check_in, "check_in"),
            ("games/", entrant_views.own_games, "own_games"),
        )
    ),
    *(
        path(
            f"clubs/<slug:slug>/{kind}/<slug:name>/records/<slug:form>.zip",
            archive_views.records,
            {"kind": kind},
            name=f"{kind}_records",
        )
        for kind in ("leagues", "tournaments")
    ),
    *(
        path(
            f"clubs/<slug:slug>/{kind}s/<slug:{kind}>/{part}.csv",
            csv_views.event_file,
            {"part": part},
            name=f"{kind}_{part}_csv",
        )
        for kind, parts in (
            ("league", csv_views.LEAGUE_PARTS),
            ("tournament", csv_views.PARTS),
        )
        for part in parts
    ),
    path("clubs/<slug:slug>/api/", token_views.tokens, name="club_api"),
    path("api/1/clubs/<slug:slug>/", api_views.club_events, name="api_club"),
    *(
        path(f"api/1/clubs/<slug:slug>/<slug:kind>/<slug:name>/{end}", view, more, name=name)
        for end, view, more, name in (
            ("", api_views.event, {}, "api_event"),
            *(
                (f"{part}/", api_views.part, {"part": part}, f"api_{part}")
                for part in api_views.PARTS
            ),
        )
    ),
    path("clubs/<slug:slug>/delete/", club_views.delete, name="delete_club"),
    path("replay/", import_views.imports, name="imports"),
    path("replay/<slug:key>/", import_views.replay, name="imported_replay"),
    path("replay/<slug:key>/about/", import_views.game, name="imported_game"),
    path("replay/<slug:key>/replay.json", import_views.script, name="import_script"),
    path("replay/<slug:key>/review.json", review_views.of_record, name="record_review"),
    path("game/<slug:table_id>/review.json", review_views.of_game, name="game_review"),
    path("games/review/", review_views.of_last_games, name="review_last_games"),
    path("game/<slug:table_id>/replay/report/", report_views.of_game, name="report"),
    path("shared/<slug:key>/report/", report_views.of_link, name="report_by_link"),
    *(
        route
        for kind, start in (
            ("game", "game/<slug:key>/replay/"),
            ("shared", "shared/<slug:key>/"),
            ("record", "replay/<slug:key>/"),
        )
        for route in (
            path(f"{start}preview/", preview_views.page, {"kind": kind}, name=f"preview_of_{kind}"),
            path(
                f"{start}preview.png",
                preview_views.image,
                {"kind": kind},
                name=f"preview_picture_of_{kind}",
            ),
        )
    ),
    path("replay/<slug:key>/delete/", import_views.delete, name="delete_import"),
    path("sign-up/", account_views.sign_up, name="sign_up"),
    path("sign-in/", account_views.sign_in, name="sign_in"),
    path("sign-out/", account_views.sign_out, name="sign_out"),
    path("sign-in/forgotten/", account_views.forgot_password, name="forgot_password"),
    path("sign-in/link/<str:uid>/<str:token>/", account_views.reset_link, name="reset_link"),
    path("profile/", profile_views.profile, name="profile"),
    *(
        path(f"profile/{section}/", profile_views.change, {"section": section}, name=section)
        for section in profile_views.SECTIONS
    ),
    path("bots/tables/", bot_tables.open_table, name="bot_tables"),
    path("profile/bots/", bot_views.bots, name="bots"),
    path("profile/settings/", profile_views.settings, name="settings"),
    path("friends/", friend_views.friends, name="friends"),
    path("friends/news/", friend_views.news, name="friend_news"),
    path("friends/<uuid:other>/", friend_views.friend, name="friend"),
    path("friends/<uuid:other>/do/", friend_views.act, name="friend_act"),
    path("privacy/", privacy_views.privacy, name="privacy"),
    path("privacy/own-data/", privacy_views.download_own_data, name="own_data"),
    path("profile/delete/", profile_views.delete, name="delete"),
]
