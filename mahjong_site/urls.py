"""Every address of the site. The apps say what is behind theirs."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django_otp.admin import OTPAdminSite

from game.operations import admin_pages
from lobby.pages.account_views import sign_in_admin
from lobby.pages.profile_views import choose_language
from mahjong_site.not_found import no_page
from mahjong_site.robots import robots

if settings.ADMIN_OTP:
    # The way that django-otp documents for the default site, with all that is registered there.
    admin.site.__class__ = OTPAdminSite

urlpatterns = [
    path("admin/login/", sign_in_admin),
    path("admin/tables/", admin_pages.tables, name="running_tables"),
    # The admin's way from an object to its page: none has one, and an id that is none is an error.
    path("admin/r/<path:content_type_id>/<path:object_id>/", admin.site.admin_view(no_page)),
    path("admin/", admin.site.urls),
    path("robots.txt", robots),
    path("language/", choose_language, name="set_language"),
    path("", include("game.urls")),
    path("", include("lobby.urls")),
]

handler400 = "mahjong_site.error_pages.bad_request"
handler404 = "mahjong_site.not_found.not_found"
handler500 = "mahjong_site.error_pages.server_error"
