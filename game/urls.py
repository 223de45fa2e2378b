"""The pages of tables and games."""

from __future__ import annotations

from django.urls import path
from django.views.generic import TemplateView

from game import views

app_name = "game"
urlpatterns = [
    path("watch/", views.watch, name="watch"),
    path("table/<slug:table_id>/", views.table, name="table"),
    path("game/<slug:table_id>/", views.game, name="game"),
    path(
        "gallery/",
        TemplateView.as_view(template_name="game/gallery.html"),
        name="gallery",
    ),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
]
