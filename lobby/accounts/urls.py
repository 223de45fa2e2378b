"""Routes of accounts, profiles and privacy."""

from __future__ import annotations

from django.urls import path

from lobby.accounts import privacy_views, profile_views, views

urlpatterns = [
    path("scheme/", views.choose_scheme, name="scheme"),
    path("sign-up/", views.sign_up, name="sign_up"),
    path("sign-in/", views.sign_in, name="sign_in"),
    path("sign-out/", views.sign_out, name="sign_out"),
    path("sign-in/forgotten/", views.forgot_password, name="forgot_password"),
    path("sign-in/link/<str:uid>/<str:token>/", views.reset_link, name="reset_link"),
    path("profile/", profile_views.profile, name="profile"),
    *(
        path(f"profile/{section}/", profile_views.change, {"section": section}, name=section)
        for section in profile_views.SECTIONS
    ),
    path("profile/settings/", profile_views.settings, name="settings"),
    path("privacy/", privacy_views.privacy, name="privacy"),
    path("privacy/own-data/", privacy_views.download_own_data, name="own_data"),
    path("profile/delete/", profile_views.delete, name="delete"),
]
