"""Routes of puzzles."""

from __future__ import annotations

from django.urls import path

from lobby.puzzles import views

urlpatterns = [
    path("learn/puzzles/", views.puzzles, name="puzzles"),
    path("learn/puzzles/next/", views.next_puzzle, name="next_puzzle"),
    path("learn/puzzles/<slug:key>/", views.puzzle, name="puzzle"),
]
