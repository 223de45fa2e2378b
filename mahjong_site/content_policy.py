"""Adds to the Content-Security-Policy of each page what depends on its request.

`CONTENT_SECURITY_POLICY` in the settings has the rest: code, styles and sockets of this site only.
"""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache

from csp.middleware import CSPMiddleware, PolicyParts
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponseBase


def allow_style(request: HttpRequest, text: str) -> None:
    """Allow a `style` element with exactly this text in the page that answers the request."""
    request.inline_style = text  # type: ignore[attr-defined]  # Django's requests are open


class ContentPolicy(CSPMiddleware):
    """Middleware that adds the policy. No page can run inline scripts, and of inline styles only
    the one that `allow_style` names."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        text = getattr(request, "inline_style", None)
        styles = [] if text is None else [f"'sha256-{_hash(text)}'"]
        parts.update = {"connect-src": _sockets(request), "style-src": styles}
        return parts


@lru_cache(maxsize=8)
def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _sockets(request: HttpRequest) -> list[str]:
    """Return the origin of this host's websockets: in some browsers 'self' excludes them."""
    try:
        return [f"{'wss' if request.is_secure() else 'ws'}://{request.get_host()}"]
    except DisallowedHost:
        return []
