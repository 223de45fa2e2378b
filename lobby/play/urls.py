"""Routes of the lobby, queues, tables before the game, quick play, the watch list and rules."""

from __future__ import annotations

from django.urls import path

from lobby.play import guided_views, pregame_views, rules_views, views

urlpatterns = [
    path("", views.home, name="home"),
    path("live/", views.front_live, name="front_live"),
    path("play/", views.play_now, name="play_now"),
    path("lobby/", views.lobby, name="lobby"),
    path("lobby/seek/", views.seek, name="seek"),
    path("lobby/practice/", views.practise, name="practise"),
    path("lobby/stop/", views.stop, name="stop"),
    path("lobby/take/<slug:table_id>/", views.take_seat, name="take_seat"),
    path("tables/new/", pregame_views.new_table, name="new_table"),
    path("tables/new/save/", pregame_views.save_rules, name="save_rules"),
    path("tables/new/rules/<slug:preset>/", pregame_views.switches, name="switches"),
    path("tables/again/<slug:table_id>/", pregame_views.rematch, name="rematch"),
    path("tables/<slug:pregame_id>/", pregame_views.pregame_table, name="pregame_table"),
    path("tables/<slug:pregame_id>/rules/", pregame_views.table_rules, name="table_rules"),
    path("tables/<slug:pregame_id>/do/", pregame_views.act_at_table, name="act"),
    path("tables/<slug:pregame_id>/chat/", pregame_views.table_chat, name="table_chat"),
    path("tables/<slug:pregame_id>/key/<slug:token>/", pregame_views.pregame_table, name="invited"),
    path(
        "tables/<slug:pregame_id>/key/<slug:token>/do/",
        pregame_views.act_at_table,
        name="invited_act",
    ),
    path(
        "tables/<slug:pregame_id>/key/<slug:token>/rules/",
        pregame_views.table_rules,
        name="invited_rules",
    ),
    path(
        "tables/<slug:pregame_id>/key/<slug:token>/chat/",
        pregame_views.table_chat,
        name="invited_chat",
    ),
    path("watch/", views.watch, name="watch"),
    path("watch/now/", views.watch_best, name="watch_best"),
    path("rules/", rules_views.all_rules, name="all_rules"),
    path("rules/<slug:key>/", rules_views.rules, name="rules"),
    path("rules/<slug:key>/rename/", rules_views.rename, name="rename_rules"),
    path("rules/<slug:key>/delete/", rules_views.delete, name="delete_rules"),
    path("learn/guided/", guided_views.guided, name="guided"),
    path("learn/guided/<slug:name>/", guided_views.open_guided, name="open_guided"),
]
