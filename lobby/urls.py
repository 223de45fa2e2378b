"""The pages before a table."""

from __future__ import annotations

from django.urls import path

from lobby import views

app_name = "lobby"
urlpatterns = [
    path("", views.home, name="home"),
    path("play/", views.play_now, name="play_now"),
]
