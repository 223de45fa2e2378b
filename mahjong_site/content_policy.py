"""The Content-Security-Policy of every page: code, styles and sockets of this site only."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse

_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
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


class ContentPolicy:
    """Middleware that adds the policy. Inline scripts and styles do not run anywhere."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        policy = _POLICY.format(sockets=_sockets(request))
        response.headers.setdefault("Content-Security-Policy", policy)
        return response


def _sockets(request: HttpRequest) -> str:
    """Return the origin of this host's websockets: in some browsers 'self' excludes them."""
    try:
        return f" {'wss' if request.is_secure() else 'ws'}://{request.get_host()}"
    except DisallowedHost:
        return ""
