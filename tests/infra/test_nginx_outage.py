"""After an outage of all web servers, nginx lets every socket come back at once."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from collections.abc import Callable
from pathlib import Path

from tests.infra.nginx import NEEDS_NGINX, Nginx, two_machines
from tests.kit.processes import free_port
from tests.tables.staging import wait_for

SOCKETS = 500
_AGAIN_AFTER_S = 0.5
_FAILURES = 6
"""How often each page fails to connect during the outage: for longer than the two seconds after
which nginx forgets failures."""
_PLAIN = """location /ws/table/ {
    proxy_pass http://mahjong_tables;
    proxy_http_version 1.1;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $mahjong_connection;
}"""
"""Sockets without TLS, which would take most of the time of this test."""


class WebServers:
    """Stand-ins for web servers: they accept each socket and keep it open."""

    def __init__(self, count: int) -> None:
        self.ports = [free_port() for _ in range(count)]
        self.open = set[asyncio.StreamWriter]()
        self._listening: list[asyncio.Server] = []

    async def start(self) -> None:
        for port in self.ports:
            server = await asyncio.start_server(self._serve, "127.0.0.1", port, backlog=SOCKETS)
            self._listening.append(server)

    def kill(self) -> None:
        """End all of them at once."""
        for server in self._listening:
            server.close()
        self._listening.clear()
        for writer in self.open:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await reader.readuntil(b"\r\n\r\n")
            if b"/ws/table/" not in request:
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            self.open.add(writer)
            writer.write(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                b"Connection: Upgrade\r\n\r\n"
            )
            await reader.read()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.open.discard(writer)
            writer.close()


async def keep_open(port: int, path: str, note: Callable[[], None]) -> None:
    """Keep a socket open as a page does: connect again when it ends. Call `note` for each try."""
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(
                    f"GET {path} HTTP/1.1\r\nHost: localhost\r\n"
                    "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n".encode()
                )
                head = await reader.readuntil(b"\r\n\r\n")
                note()
                if b" 101 " in head:
                    await reader.read()
            finally:
                writer.transport.abort()
        await asyncio.sleep(_AGAIN_AFTER_S)


@NEEDS_NGINX
async def test_all_sockets_come_back_after_an_outage_of_all_web_servers(tmp_path: Path) -> None:
    servers, tries = WebServers(4), [0] * SOCKETS
    nginx = Nginx(
        tmp_path, servers.ports, two_machines(), {"return 301 https://$host$request_uri;": _PLAIN}
    )
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8 * SOCKETS), most))

    def note(number: int) -> Callable[[], None]:
        def note_try() -> None:
            tries[number] += 1

        return note_try

    await servers.start()
    await asyncio.to_thread(nginx.start)
    pages = [
        asyncio.create_task(keep_open(nginx.plain_port, f"/ws/table/{at}/", note(at)))
        for at in range(SOCKETS)
    ]
    try:
        await wait_for(lambda: len(servers.open) == SOCKETS)
        servers.kill()
        tries[:] = [0] * SOCKETS
        await wait_for(lambda: min(tries) >= _FAILURES)
        assert not servers.open
        await servers.start()
        tries[:] = [0] * SOCKETS
        await wait_for(lambda: max(tries) > 2 or len(servers.open) == SOCKETS)
        assert len(servers.open) == SOCKETS, f"{len(servers.open)} have come back with two tries"
    finally:
        for page in pages:
            page.cancel()
        await asyncio.gather(*pages, return_exceptions=True)
        servers.kill()
        await asyncio.to_thread(nginx.stop)
