"""Routes of previews, reviews, reports and games of other sites."""

from __future__ import annotations

from django.urls import path

from lobby.replays import import_views, preview_views, report_views, review_views

urlpatterns = [
    path("replay/", import_views.imports, name="imports"),
    path("replay/<slug:key>/", import_views.replay, name="imported_replay"),
    path("replay/<slug:key>/about/", import_views.game, name="imported_game"),
    path("replay/<slug:key>/replay.json", import_views.script, name="import_script"),
    path("replay/<slug:key>/review.json", review_views.of_record, name="record_review"),
    path("game/<slug:table_id>/review.json", review_views.of_game, name="game_review"),
    path("replay/<slug:key>/curves.json", review_views.curves_of_record, name="record_curves"),
    path("game/<slug:table_id>/curves.json", review_views.curves_of_game, name="game_curves"),
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
]
