"""Every address of the site. The apps say what is behind theirs."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("game.urls")),
    path("", include("lobby.urls")),
]
