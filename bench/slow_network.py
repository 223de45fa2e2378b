"""A slow network on the loopback address, for the measurement of a first visit."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Final

_CHUNK: Final = 1_460
"""About what one packet holds."""


@dataclass(frozen=True, slots=True)
class SlowNetwork:
    """The network between a browser and a server. All connections share its rate, and each packet
    takes half a round trip."""

    bytes_per_s: float
    round_trip_s: float


class _Direction:
    """One direction of the network. It sends one packet after the other."""

    def __init__(self, network: SlowNetwork) -> None:
        self._network = network
        self._free_at = 0.0

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass the packets on in their order, until the sender closes."""
        packets = asyncio.Queue[tuple[float, bytes]]()
        sending = asyncio.create_task(self._deliver(packets, writer))
        try:
            while data := await reader.read(_CHUNK):
                self._free_at = max(self._free_at, time.monotonic())
                self._free_at += len(data) / self._network.bytes_per_s
                packets.put_nowait((self._free_at + self._network.round_trip_s / 2, data))
            packets.put_nowait((time.monotonic() + self._network.round_trip_s / 2, b""))
            await sending
        finally:
            sending.cancel()
            writer.close()

    @staticmethod
    async def _deliver(
        packets: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter
    ) -> None:
        while True:
            arrives_at, data = await packets.get()
            await asyncio.sleep(max(0.0, arrives_at - time.monotonic()))
            if not data:
                return
            writer.write(data)
            await writer.drain()


@contextlib.asynccontextmanager
async def _start_proxy(network: SlowNetwork, port: int) -> AsyncIterator[int]:
    up, down = _Direction(network), _Direction(network)

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(network.round_trip_s)  # the handshake of TCP
        # asyncio logs a connection that ends with a cancellation, as all do in the end.
        with contextlib.suppress(OSError, asyncio.CancelledError):
            there, back = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.gather(up.carry(reader, back), down.carry(there, writer))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


@contextlib.contextmanager
def open_slow_port(network: SlowNetwork, port: int) -> Iterator[int]:
    """Listen on a new port that leads over the slow network to the server on `port`. Yield the new
    port."""
    ready = threading.Event()
    opened: list[tuple[int, asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        done = asyncio.Event()
        async with _start_proxy(network, port) as own:
            opened.append((own, asyncio.get_running_loop(), done))
            ready.set()
            await done.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    ready.wait()
    own, loop, done = opened[0]
    try:
        yield own
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()
