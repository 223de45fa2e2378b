"""The pages of tables and games."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def watch(request: HttpRequest) -> HttpResponse:
    """The tables that are being played in public."""
    return render(request, "game/watch.html", {"tables": []})


def table(request: HttpRequest, table_id: str) -> HttpResponse:
    """The page of a table, for players and watchers."""
    return render(request, "game/table.html", {"table_id": table_id})


def game(request: HttpRequest, table_id: str) -> HttpResponse:
    """The result of a finished game."""
    return render(request, "game/game.html", {"table_id": table_id})


def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz(request: HttpRequest) -> HttpResponse:
    """The process can serve a table."""
    return HttpResponse("ok\n", content_type="text/plain")
