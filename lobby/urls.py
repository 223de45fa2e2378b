"""The pages before a table."""

from __future__ import annotations

from django.urls import path

from lobby import account_views, profile_views, views

app_name = "lobby"
urlpatterns = [
    path("", views.home, name="home"),
    path("play/", views.play_now, name="play_now"),
    path("sign-up/", account_views.sign_up, name="sign_up"),
    path("sign-in/", account_views.sign_in, name="sign_in"),
    path("sign-out/", account_views.sign_out, name="sign_out"),
    path("sign-in/forgotten/", account_views.forgotten, name="forgotten"),
    path("sign-in/link/<str:uid>/<str:token>/", account_views.reset_link, name="reset_link"),
    path("profile/", profile_views.profile, name="profile"),
    path("profile/name/", profile_views.rename, name="rename"),
    path("profile/language/", profile_views.language, name="language"),
    path("profile/table/", profile_views.table, name="table_settings"),
    path("profile/settings/", profile_views.settings, name="settings"),
    path("profile/password/", profile_views.password, name="password"),
    path("profile/mail/", profile_views.mail, name="mail"),
    path("profile/delete/", profile_views.delete, name="delete"),
]
