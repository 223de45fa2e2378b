"""Refuses, with HTTP 403, websockets opened by foreign pages, and too many websockets of one
address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from prometheus_client import Gauge

from game.live.send_queue import SOCKET
from lobby.accounts.rate_limits import network_of

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

SOCKETS: Final = Gauge("mahjong_sockets", "Open websockets of this process.")
_USUAL_PORTS: Final = {"http": "80", "https": "443"}


class OwnPagesOnly:
    """Refuses websockets whose origin (scheme, host and port) is not that of the socket's own
    address, as Django does for forms. ALLOWED_ORIGINS names further origins."""

    def __init__(self, inner: Application) -> None:
        self._inner = inner

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[Any]:
        """Return the awaitable of the inner application, without a coroutine of its own, which
        would live as long as the socket."""
        origin = origin_of(_header(scope, b"origin"))
        allowed = map(origin_of, settings.ALLOWED_ORIGINS)
        if origin and (origin == _own_origin(scope) or origin in allowed):
            return self._inner(scope, receive, send)
        return send({"type": "websocket.close"})


class FewPerAddress:
    """Limits the open websockets of one address in this process to SOCKETS_PER_ADDRESS."""

    def __init__(self, inner: Application) -> None:
        self._inner = inner
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        network = network_of_client(scope)
        at_most = settings.SOCKETS_PER_ADDRESS
        if at_most and self._open[network] >= at_most:
            await send({"type": "websocket.close"})
            return
        self._open[network] += 1
        SOCKETS.inc()
        socket = scope.get("extensions", {}).get(SOCKET)
        if socket is not None:  # the application returns before the socket ends
            socket.inbox.work.add_done_callback(lambda _: self._leave(network))
            await self._inner(scope, receive, send)
            return
        try:
            await self._inner(scope, receive, send)
        finally:
            self._leave(network)

    def _leave(self, network: str) -> None:
        SOCKETS.dec()
        self._open[network] -= 1
        if not self._open[network]:
            del self._open[network]


def network_of_client(scope: Scope) -> str:
    """Return the network of the client's address, which limits treat as one address; '' if the
    server does not know it."""
    client = scope.get("client") or [""]
    return network_of(str(client[0]))


def origin_of(text: str) -> str:
    """Parse an origin into the form scheme://host:port; '' if the text is none."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme not in _USUAL_PORTS or not parts.hostname or parts.path or parts.query:
        return ""
    if parts.username is not None or parts.fragment:
        return ""
    return f"{parts.scheme}://{parts.hostname}:{port or _USUAL_PORTS[parts.scheme]}"


def _own_origin(scope: Scope) -> str:
    """Return the origin of this site's pages at the same address as the socket; '' if there are
    none."""
    host = _header(scope, b"host")
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return ""
    forwarded = settings.HTTPS and _header(scope, b"x-forwarded-proto") == "https"
    is_secure = forwarded or scope.get("scheme") == "wss"
    return origin_of(f"{'https' if is_secure else 'http'}://{host}")


def _header(scope: Scope, name: bytes) -> str:
    """Return the value of the header; '' if it is missing or repeated."""
    found = [value for key, value in scope["headers"] if key == name]
    return str(found[0].decode("latin-1")) if len(found) == 1 else ""
