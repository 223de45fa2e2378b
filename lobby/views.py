"""The first page, and the way from it to a table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST


def home(request: HttpRequest) -> HttpResponse:
    """The first page: one button."""
    return render(request, "lobby/home.html")


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """Open a table against three bots and go there."""
    return redirect("lobby:home")
