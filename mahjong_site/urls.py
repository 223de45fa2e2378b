"""Root URLs: admin, files of the installed page, and the URLs of `game` and `lobby`."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.generic import TemplateView
from django_otp.admin import OTPAdminSite

from game.operations import admin_pages
from lobby.accounts.profile_views import choose_language
from lobby.accounts.views import sign_in_admin, sign_out_admin
from mahjong_site import installable
from mahjong_site.error_pages import refuse_library_page

if settings.ADMIN_OTP:
    # As django-otp documents it for the default site and what is registered there.
    admin.site.__class__ = OTPAdminSite

urlpatterns = [
    path("admin/login/", sign_in_admin),
    path("admin/logout/", sign_out_admin),
    path("admin/tables/", admin_pages.tables, name="running_tables"),
    # The admin's link from an object to its page. No object has one, and Django fails on wrong ids.
    path(
        "admin/r/<path:content_type_id>/<path:object_id>/",
        admin.site.admin_view(refuse_library_page),
    ),
    path("admin/", admin.site.urls),
    # Games, players, rankings and tables name people, so that search engines do not list them.
    path(
        "robots.txt",
        TemplateView.as_view(template_name="robots.txt", content_type="text/plain; charset=utf-8"),
    ),
    path("manifest.webmanifest", installable.manifest, name="manifest"),
    path("sw.js", installable.service_worker, name="service_worker"),
    path("offline/", installable.offline, name="offline"),
    path("language/", choose_language, name="set_language"),
    path("", include("game.urls")),
    path("", include("lobby.urls")),
]

handler400 = "mahjong_site.error_pages.bad_request"
handler404 = "mahjong_site.error_pages.not_found"
handler500 = "mahjong_site.error_pages.server_error"
