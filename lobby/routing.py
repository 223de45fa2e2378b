"""Maps websocket paths to the pages of the lobby."""

from __future__ import annotations

from django.urls import path

from lobby.bots.consumer import BOTS_PATH, BotConsumer
from lobby.play.consumer import (
    ClubPage,
    EventPage,
    FeaturePage,
    LobbyPage,
    OfficialsPage,
    OfficialsTablePage,
    PregamePage,
    WaitingPage,
    WatchPage,
)

websocket_urlpatterns = [
    path(BOTS_PATH.lstrip("/"), BotConsumer.as_asgi()),
    path("ws/lobby/", LobbyPage.as_asgi()),
    path("ws/lobby/watch/", WatchPage.as_asgi()),
    path("ws/lobby/waiting/", WaitingPage.as_asgi()),
    path("ws/lobby/clubs/<slug:slug>/", ClubPage.as_asgi()),
    *(
        path(f"ws/lobby/clubs/<slug:slug>/events/<slug:event>/{end}", page.as_asgi())
        for end, page in (
            ("", EventPage),
            ("officials/", OfficialsPage),
            ("officials/<int:round>/<int:table>/", OfficialsTablePage),
            ("feature/", FeaturePage),
        )
    ),
    path("ws/lobby/tables/<slug:pregame_id>/", PregamePage.as_asgi()),
]
