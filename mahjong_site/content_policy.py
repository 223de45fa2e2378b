"""Adds to each page's Content-Security-Policy the parts that depend on the request.

The fixed parts are `CONTENT_SECURITY_POLICY` in the settings: code, styles and sockets of this site
only.
"""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache

from csp.middleware import CSPMiddleware, PolicyParts
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponseBase


def allow_style(request: HttpRequest, text: str) -> None:
    """Allow a `style` element with exactly this text in the page that answers this request."""
    request.inline_style = text  # type: ignore[attr-defined]  # Django's requests are open


class ContentPolicy(CSPMiddleware):
    """Middleware that adds the policy. No page can run inline scripts. The only inline style
    allowed is the one that `allow_style` was called with."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        text = getattr(request, "inline_style", None)
        styles = [] if text is None else [f"'sha256-{_style_hash(text)}'"]
        parts.update = {"connect-src": _socket_origins(request), "style-src": styles}
        return parts


@lru_cache(maxsize=8)
def _style_hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _socket_origins(request: HttpRequest) -> list[str]:
    """Return the origin of this host's websockets, which 'self' does not cover in some browsers."""
    try:
        return [f"{'wss' if request.is_secure() else 'ws'}://{request.get_host()}"]
    except DisallowedHost:
        return []
