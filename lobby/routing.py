"""Which websocket path leads to which page of the lobby."""

from __future__ import annotations

from django.urls import path

from lobby.pages.consumer import LobbyPage, PregamePage, WatchPage

websocket_urlpatterns = [
    path("ws/lobby/", LobbyPage.as_asgi()),
    path("ws/lobby/watch/", WatchPage.as_asgi()),
    path("ws/lobby/tables/<slug:pregame_id>/", PregamePage.as_asgi()),
]
