"""Maps websocket paths to consumers."""

from __future__ import annotations

from django.urls import path

from game.live.consumer import TableConsumer

websocket_urlpatterns = [
    path("ws/table/<slug:table_id>/", TableConsumer.as_asgi()),
]
