"""The line between a browser and a site, to be pulled out and put back by a test."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from urllib.parse import urlsplit


class Cable:
    """Listens on a port of its own and hands on what comes in, while it is plugged in."""

    def __init__(self, address: str) -> None:
        self._target = urlsplit(address)
        self._is_plugged_in = True
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._connected, "127.0.0.1", 0), self._loop
        ).result()
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        """Where the site answers through this cable."""

    def pull_out(self) -> None:
        """Every connection breaks, and no new one comes to anything."""
        self._is_plugged_in = False
        self._loop.call_soon_threadsafe(self._break_all)

    def put_back(self) -> None:
        self._is_plugged_in = True

    def lead_to(self, address: str) -> None:
        """New connections come to that address. Open ones stay as they are."""
        self._target = urlsplit(address)

    def close(self) -> None:
        self.pull_out()
        asyncio.run_coroutine_threadsafe(self._closed(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _closed(self) -> None:
        self._server.close()
        this = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not this]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _break_all(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            if self._is_plugged_in:
                await self._joined(reader, writer)
        except (OSError, asyncio.CancelledError):
            return
        finally:
            self._open.discard(writer)
            writer.transport.abort()

    async def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = self._target.hostname, self._target.port
        other_reader, other_writer = await asyncio.open_connection(host, port)
        self._open.add(other_writer)
        try:
            await asyncio.gather(_handed_on(reader, other_writer), _handed_on(other_reader, writer))
        finally:
            self._open.discard(other_writer)
            other_writer.transport.abort()


async def _handed_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
    with contextlib.suppress(OSError):
        writer.write_eof()
