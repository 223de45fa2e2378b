"""Maps websocket paths to the pages of the lobby."""

from __future__ import annotations

from django.urls import path

from lobby.bots.consumer import BOTS_PATH, BotConsumer
from lobby.play.consumer import (
    ClubPage,
    DirectorPage,
    DirectorTablePage,
    FeaturePage,
    LeaguePage,
    LobbyPage,
    PregamePage,
    TournamentPage,
    WaitingPage,
    WatchPage,
)

websocket_urlpatterns = [
    path(BOTS_PATH.lstrip("/"), BotConsumer.as_asgi()),
    path("ws/lobby/", LobbyPage.as_asgi()),
    path("ws/lobby/watch/", WatchPage.as_asgi()),
    path("ws/lobby/waiting/", WaitingPage.as_asgi()),
    path("ws/lobby/clubs/<slug:slug>/", ClubPage.as_asgi()),
    path("ws/lobby/clubs/<slug:slug>/leagues/<slug:league>/", LeaguePage.as_asgi()),
    path("ws/lobby/clubs/<slug:slug>/tournaments/<slug:tournament>/", TournamentPage.as_asgi()),
    path(
        "ws/lobby/clubs/<slug:slug>/tournaments/<slug:tournament>/director/",
        DirectorPage.as_asgi(),
    ),
    path(
        "ws/lobby/clubs/<slug:slug>/tournaments/<slug:tournament>/director/<int:round>/<int:table>/",
        DirectorTablePage.as_asgi(),
    ),
    path(
        "ws/lobby/clubs/<slug:slug>/tournaments/<slug:tournament>/feature/", FeaturePage.as_asgi()
    ),
    path("ws/lobby/tables/<slug:pregame_id>/", PregamePage.as_asgi()),
]
