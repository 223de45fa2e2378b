"""Answers that browsers need to install the site as an app: the manifest, the service worker, and
the page that the worker shows without a network."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

_WORKER: Final = settings.BASE_DIR / "static" / "service_worker.js"
_WORKER_REMOVAL: Final = settings.BASE_DIR / "static" / "service_worker_removal.js"
_FELT_COLOUR: Final = "#0d1f1a"


@require_safe
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the app's manifest in the reader's language."""
    found: dict[str, Any] = {
        "id": "/",
        "name": _("Riichi mahjong"),
        "short_name": _("Riichi"),
        "description": _("Riichi mahjong in the browser: full games, exact rules, no sign-up."),
        "lang": get_language(),
        "start_url": reverse("lobby:home"),
        "scope": "/",
        "display": "standalone",
        "background_color": _FELT_COLOUR,
        "theme_color": _FELT_COLOUR,
        "categories": ["games"],
        "icons": [
            _icon("icon-192.png", 192, "any"),
            _icon("icon-512.png", 512, "any"),
            _icon("maskable-512.png", 512, "maskable"),
        ],
        "shortcuts": [
            {"name": _("Lobby"), "url": reverse("lobby:lobby")},
            {"name": _("Watch"), "url": reverse("lobby:watch")},
        ],
    }
    return JsonResponse(
        found,
        json_dumps_params={"ensure_ascii": False},
        content_type="application/manifest+json; charset=utf-8",
    )


def _icon(name: str, pixels: int, purpose: str) -> dict[str, str]:
    return {
        "src": static(f"img/icons/{name}"),
        "sizes": f"{pixels}x{pixels}",
        "type": "image/png",
        "purpose": purpose,
    }


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, or with SERVICE_WORKER=0 one that removes itself."""
    path = _WORKER if settings.SERVICE_WORKER else _WORKER_REMOVAL
    return HttpResponse(path.read_text(encoding="utf-8"), content_type="text/javascript")


@require_safe
@cache_control(no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """Show that there is no network. Browsers keep this page, so it contains nothing about its
    reader."""
    return render(request, "offline.html")


def install_context(request: HttpRequest) -> dict[str, bool]:
    """Tell templates whether pages register the service worker. This is a context processor."""
    return {"service_worker": settings.SERVICE_WORKER}
