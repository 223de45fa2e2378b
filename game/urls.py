"""The pages of tables and games."""

from __future__ import annotations

from django.urls import path
from django.views.generic import TemplateView

from game.analysis.deal_in_rates import DISCARDS, GAMES, HANDS
from game.archive.archive import read_events
from game.live import encoding, views
from game.operations.metrics_page import metrics
from game.results import replay_views
from game.results import views as results_views
from game.results.game_text import format_number
from game.results.views import fair

app_name = "game"
urlpatterns = [
    path("table/<slug:table_id>/", views.table, name="table"),
    path("table/<slug:table_id>/seat-proof/", views.seat_proof, name="seat_proof"),
    path("game/<slug:table_id>/", results_views.game, name="game"),
    path("game/<slug:table_id>/replay/", replay_views.replay, name="replay"),
    path(
        "game/<slug:table_id>/replay.json",
        replay_views.script,
        {"read_events": read_events, "write_event": encoding.encode_event},
        name="replay_script",
    ),
    path("game/<slug:table_id>/replay/links/", replay_views.make_link, name="make_replay_link"),
    path("shared/<slug:key>/", replay_views.shared_replay, name="shared_replay"),
    path("shared/<slug:key>/take-back/", replay_views.delete_link, name="take_back_link"),
    path(
        "shared/<slug:key>/replay.json",
        replay_views.shared_replay_data,
        {"read_events": read_events, "write_event": encoding.encode_event},
        name="shared_replay_data",
    ),
    path("game/<slug:table_id>/archived/", results_views.is_archived, name="is_archived"),
    path(
        "game/<slug:table_id>/<slug:kind>/",
        results_views.record,
        {"read_events": read_events},
        name="record",
    ),
    path("fair/", fair, name="fair"),
    path(
        "review/figures/",
        TemplateView.as_view(
            template_name="game/review_figures.html",
            extra_context={  # called for each page, in its language
                "discards": lambda: format_number(DISCARDS),
                "games": lambda: format_number(GAMES),
                "hands": lambda: format_number(HANDS),
            },
        ),
        name="review_figures",
    ),
    path("figures/", results_views.figure_definitions, name="figures"),
    path("games/", results_views.my_games, name="my_games"),
    path("player/<uuid:person>/", results_views.player, name="player"),
    path("ranking/", results_views.ladders, name="ladders"),
    path(
        "ranking/bots/<slug:preset>/<slug:length>/",
        results_views.ladder,
        {"bots": True},
        name="bot_ladder",
    ),
    path("ranking/<slug:preset>/", results_views.ladders, name="ladders_of_preset"),
    path("ranking/<slug:preset>/<slug:length>/", results_views.ladder, name="ladder"),
    path(
        "gallery/",
        TemplateView.as_view(template_name="game/gallery.html"),
        name="gallery",
    ),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
]
