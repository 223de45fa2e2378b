"""Routes of friends."""

from __future__ import annotations

from django.urls import path

from lobby.friends import views

urlpatterns = [
    path("friends/", views.friends, name="friends"),
    path("friends/news/", views.news, name="friend_news"),
    path("friends/<uuid:other>/", views.friend, name="friend"),
    path("friends/<uuid:other>/do/", views.act_on_person, name="friend_act"),
]
