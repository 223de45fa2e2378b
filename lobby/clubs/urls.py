"""Routes of clubs."""

from __future__ import annotations

from django.urls import path

from lobby.clubs import token_views, views

urlpatterns = [
    path("clubs/", views.clubs, name="clubs"),
    path("clubs/new/", views.new_club, name="new_club"),
    path("clubs/<slug:slug>/", views.club, name="club"),
    path("clubs/<slug:slug>/join/", views.join, name="join_club"),
    path("clubs/<slug:slug>/join/<slug:key>/", views.invitation, name="club_invitation"),
    path("clubs/<slug:slug>/leave/", views.leave, name="leave_club"),
    path("clubs/<slug:slug>/chat/", views.write_chat, name="club_chat"),
    path("clubs/<slug:slug>/members/", views.club_members, name="club_members"),
    path("clubs/<slug:slug>/members/do/", views.change_members, name="change_members"),
    path("clubs/<slug:slug>/games/", views.club_games, name="club_games"),
    path("clubs/<slug:slug>/rules/", views.club_rules, name="club_rules"),
    path("clubs/<slug:slug>/rules/default/", views.set_default_rules, name="default_rules"),
    path("clubs/<slug:slug>/edit/", views.edit, name="edit_club"),
    *(
        path(
            f"clubs/<slug:slug>/edit/{section}/",
            views.edit,
            {"section": section},
            name=f"club_{section}",
        )
        for section in ("text", "settings")
    ),
    path("clubs/<slug:slug>/api/", token_views.tokens, name="club_api"),
    path("clubs/<slug:slug>/delete/", views.delete, name="delete_club"),
]
