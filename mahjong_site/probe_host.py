"""Lets load balancers and monitoring request the health checks by the address of a machine.

Django refuses requests whose `Host` is not in ALLOWED_HOSTS. A probe asks each web server by its
own address, which changes with the machines, so it may do that from this machine and from private
addresses. Requests that were forwarded by a proxy must name the site like any other.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from typing import Any, Final

from django.conf import settings

from mahjong_site.health import allowed_name

Scope = dict[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[None]]

PATHS: Final = frozenset({"/healthz", "/readyz"})
_FORWARDED: Final = frozenset({b"x-forwarded-for", b"x-real-ip", b"forwarded", b"via"})


def allow_probe_hosts(pages: Application) -> Application:
    """Return the application with the name of the site as `Host` in requests of probes."""

    async def application(scope: Scope, receive: Any, send: Any) -> None:
        if scope["path"] in PATHS and _is_near(scope):
            others = [(name, value) for name, value in scope["headers"] if name != b"host"]
            host = (b"host", allowed_name(settings.ALLOWED_HOSTS).encode())
            scope = {**scope, "headers": [host, *others]}
        await pages(scope, receive, send)

    return application


def _is_near(scope: Scope) -> bool:
    """Return whether the request comes directly from this machine or from a private address."""
    if any(name in _FORWARDED for name, _ in scope["headers"]):
        return False
    try:
        address = ip_address((scope.get("client") or ("",))[0])
    except ValueError:
        return False
    return address.is_private  # loopback addresses are private as well
