"""Health checks are answered by the address of the machine, and nothing else is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIHandler

from mahjong_site.probe_host import allow_probe_hosts


@pytest.mark.parametrize(
    ("path", "client", "host", "more", "status"),
    [
        ("/healthz", "127.0.0.1", "127.0.0.1:8001", [], 200),
        ("/healthz", "10.0.0.7", "10.0.0.5:8001", [], 200),
        ("/healthz", "fd00::7", "[fd00::5]:8001", [], 200),
        ("/healthz", "8.8.8.8", "mahjong.example", [], 200),
        ("/healthz", "8.8.8.8", "10.0.0.5", [], 400),
        ("/healthz", "127.0.0.1", "10.0.0.5", [(b"x-forwarded-for", b"8.8.8.8")], 400),
        ("/robots.txt", "127.0.0.1", "10.0.0.5", [], 400),
    ],
)
async def test_health_is_told_by_address_to_probes_nearby(
    path: str, client: str, host: str, more: list[tuple[bytes, bytes]], status: int, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["mahjong.example"]
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    received = asyncio.Queue[dict[str, Any]]()
    received.put_nowait({"type": "http.request", "body": b"", "more_body": False})

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [(b"host", host.encode()), *more],
        "client": (client, 40_000),
        "server": ("10.0.0.5", 8001),
        "scheme": "http",
    }
    await allow_probe_hosts(ASGIHandler())(scope, received.get, send)
    assert sent[0]["status"] == status
