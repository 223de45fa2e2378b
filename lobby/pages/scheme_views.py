"""The colour scheme of the pages: light, dark, or that of the browser."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

COOKIE: Final = "scheme"
SCHEMES: Final = ("light", "dark")
_YEAR_S: Final = 365 * 86_400


@require_POST
def choose_scheme(request: HttpRequest) -> HttpResponse:
    """Keep the chosen scheme in a cookie; any other value deletes the cookie. Redirect to `next`, a
    path on this site."""
    back = request.POST.get("next", "")
    if not back.startswith("/") or not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = reverse("lobby:home")
    response: HttpResponse = HttpResponseRedirect(back)
    chosen = request.POST.get("scheme", "")
    if chosen in SCHEMES:
        response.set_cookie(
            COOKIE,
            chosen,
            max_age=_YEAR_S,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
