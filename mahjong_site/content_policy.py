"""The Content-Security-Policy of every page: code, styles and sockets of this site only."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from functools import lru_cache

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse

_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'{styles}",
        "img-src 'self' data:",
        "font-src 'self'",
        "media-src 'self'",
        "manifest-src 'self'",
        "connect-src 'self'{sockets}",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)


def allow_style(request: HttpRequest, text: str) -> None:
    """Allow a `style` element with exactly this text in the page that answers the request."""
    request.inline_style = text  # type: ignore[attr-defined]  # Django's requests are open


class ContentPolicy:
    """Middleware that adds the policy. No page can run inline scripts, and of inline styles only
    the one that `allow_style` names."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        text = getattr(request, "inline_style", None)
        styles = "" if text is None else f" 'sha256-{_hash(text)}'"
        policy = _POLICY.format(sockets=_sockets(request), styles=styles)
        response.headers.setdefault("Content-Security-Policy", policy)
        return response


@lru_cache(maxsize=8)
def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _sockets(request: HttpRequest) -> str:
    """Return the origin of this host's websockets: in some browsers 'self' excludes them."""
    try:
        return f" {'wss' if request.is_secure() else 'ws'}://{request.get_host()}"
    except DisallowedHost:
        return ""
