"""The ASGI application: passes pages to Django, and websockets of the site's own pages to the
consumers.

Works under every ASGI server, but only `mahjong_site.web` has the limits against floods.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings")
django.setup(set_prefix=False)

# What follows needs the apps.
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.urls import re_path  # noqa: E402

from game.routing import websocket_urlpatterns  # noqa: E402
from lobby.bots.consumer import BOTS_PATH  # noqa: E402
from lobby.routing import websocket_urlpatterns as lobby_websockets  # noqa: E402
from mahjong_site.handover import Role  # noqa: E402
from mahjong_site.interpreter import collect_garbage_rarely, take_short_turns  # noqa: E402
from mahjong_site.origin_check import FewPerAddress, OwnPagesOnly  # noqa: E402
from mahjong_site.pages import Pages  # noqa: E402
from mahjong_site.probe_host import allow_probe_hosts  # noqa: E402


async def _refuse_unknown_socket(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    """Refuse a websocket at an unknown address, without an error in the log."""
    await send({"type": "websocket.close"})


_sockets = URLRouter(
    [
        *websocket_urlpatterns,
        *lobby_websockets,
        re_path(r"", _refuse_unknown_socket),  # type: ignore[arg-type]  # not a view
    ]
)
_limited_sockets = FewPerAddress(_sockets)
_page_sockets = OwnPagesOnly(_limited_sockets)


def _route_socket(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> Awaitable[Any]:
    """Check the origin of each websocket, except those of bots: programs send no origin, and pages
    cannot send the header that bots must send."""
    inner = _limited_sockets if scope["path"] == BOTS_PATH else _page_sockets
    return inner(scope, receive, send)


def application_for(role: Role) -> ProtocolTypeRouter:
    """Return the ASGI application of a web server with that role."""
    pages = Pages(only_probes=role == "tables")
    sockets = _refuse_unknown_socket if role == "pages" else _route_socket
    return ProtocolTypeRouter({"http": allow_probe_hosts(pages), "websocket": sockets})


application = application_for("all")

if "mahjong_site.daphne_guard" not in sys.modules:
    logging.getLogger(__name__).warning(
        "This ASGI server does not have the limits against floods of `python -m mahjong_site.web` "
        "(docs/operations.md, Attacks). Set limits like these in the server or in its proxy."
    )
collect_garbage_rarely()
take_short_turns()
