"""A TCP proxy between a browser and a site, which a test can disconnect."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from urllib.parse import urlsplit


class NetworkProxy:
    """A proxy on its own port, which forwards to the site at `address` while it is connected."""

    def __init__(self, address: str) -> None:
        self._target = urlsplit(address)
        self._is_connected = True
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", 0), self._loop
        ).result()
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        """The site's address through this proxy."""

    def disconnect(self) -> None:
        """Break all connections, and accept no new ones until `reconnect`."""
        self._is_connected = False
        self._loop.call_soon_threadsafe(self._break_all)

    def reconnect(self) -> None:
        self._is_connected = True

    def redirect_to(self, address: str) -> None:
        """Forward new connections to that address. Open connections stay."""
        self._target = urlsplit(address)

    def close(self) -> None:
        self.disconnect()
        asyncio.run_coroutine_threadsafe(self._close_server(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _close_server(self) -> None:
        self._server.close()
        this = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not this]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _break_all(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            if self._is_connected:
                await self._forward(reader, writer)
        except (OSError, asyncio.CancelledError):
            return
        finally:
            self._open.discard(writer)
            writer.transport.abort()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = self._target.hostname, self._target.port
        other_reader, other_writer = await asyncio.open_connection(host, port)
        self._open.add(other_writer)
        try:
            await asyncio.gather(
                _copy_bytes(reader, other_writer), _copy_bytes(other_reader, writer)
            )
        finally:
            self._open.discard(other_writer)
            other_writer.transport.abort()


async def _copy_bytes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
    with contextlib.suppress(OSError):
        writer.write_eof()
