"""Routes of bots of players."""

from __future__ import annotations

from django.urls import path

from lobby.bots import api, views

urlpatterns = [
    path("bots/tables/", api.open_table, name="bot_tables"),
    path("profile/bots/", views.bots, name="bots"),
]
