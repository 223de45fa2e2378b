"""Attack a server for some seconds: ``python -m tests.hostile.attacks NAME URL SECONDS``.

Each attack runs in a process of its own, so that its CPU time does not count in the measurements.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from typing import Final
from urllib.parse import urlsplit

from tests.hostile.raw_client import BINARY, CONTINUATION, PING, TEXT, RawClient, frame

Attack = Callable[[str, int, Counter[str]], Awaitable[None]]
"""A function that takes the URL of a table's socket, the number of clients, and the counters to
update."""

_HELLO: Final = frame(b'{"t":"hello","seq":0}')
_PING: Final = frame(b'{"t":"ping","seq":0,"at":0}')
_BODY: Final = b"x" * 65_536


async def _run_clients(
    count: int, counts: Counter[str], attack: Callable[[int], Awaitable[None]]
) -> None:
    """Run that many clients at once; each starts again when it ends."""

    async def repeat(number: int) -> None:
        while True:
            try:
                await attack(number)
                counts["rounds"] += 1
            except (OSError, EOFError) as error:
                counts[f"ended by {type(error).__name__}"] += 1
                await asyncio.sleep(1.0)

    async with asyncio.TaskGroup() as tasks:
        for number in range(count):
            tasks.create_task(repeat(number))


async def _flood(url: str, data: bytes, times: int) -> None:
    client = await RawClient.open_websocket(url)
    try:
        for _ in range(times):
            await client.send(data)
        await client.is_disconnected(2.0)
    finally:
        client.abort()


async def half_open(url: str, count: int, counts: Counter[str]) -> None:
    """Open connections and send nothing."""

    async def attack(_: int) -> None:
        client = await RawClient.connect(url)
        counts["connected"] += 1
        try:
            await client.is_disconnected(3_600)
            counts["disconnected"] += 1
        finally:
            client.abort()

    await _run_clients(count, counts, attack)


async def half_requests(url: str, count: int, counts: Counter[str]) -> None:
    """Send requests that never end: one more header each second."""

    async def attack(_: int) -> None:
        client = await RawClient.connect(url)
        try:
            await client.send(b"GET / HTTP/1.1\r\nHost: " + urlsplit(url).netloc.encode())
            while True:
                await asyncio.sleep(1.0)
                await client.send(b"\r\nX-More: yes")
                if client.reader.at_eof():
                    counts["disconnected"] += 1
                    return
        finally:
            client.abort()

    await _run_clients(count, counts, attack)


async def silent_sockets(url: str, count: int, counts: Counter[str]) -> None:
    """Open a hundred websockets a second, and send nothing."""
    began = asyncio.get_running_loop().time()

    async def attack(number: int) -> None:
        await asyncio.sleep(began + number / 100 - asyncio.get_running_loop().time())
        client = await RawClient.open_websocket(url)
        try:
            await client.is_disconnected(3_600)
        finally:
            client.abort()

    await _run_clients(count, counts, attack)


async def message_flood(url: str, count: int, counts: Counter[str]) -> None:
    """Send short messages as fast as possible."""
    await _run_clients(count, counts, lambda _: _flood(url, _PING * 500, 6))


async def table_flood(url: str, count: int, counts: Counter[str]) -> None:
    """Send messages that are answered with the whole table."""
    await _run_clients(count, counts, lambda _: _flood(url, _HELLO * 500, 6))


async def control_flood(url: str, count: int, counts: Counter[str]) -> None:
    """Send websocket pings, which the websocket library answers."""
    await _run_clients(count, counts, lambda _: _flood(url, frame(b"x" * 100, PING) * 500, 40))


async def fragment_flood(url: str, count: int, counts: Counter[str]) -> None:
    """Send a message of empty fragments that never ends."""

    async def attack(_: int) -> None:
        client = await RawClient.open_websocket(url)
        try:
            await client.send(frame(b"", TEXT, final=False))
            for _ in range(40):
                await client.send(frame(b"", CONTINUATION, final=False) * 2_000)
            await client.is_disconnected(2.0)
        finally:
            client.abort()

    await _run_clients(count, counts, attack)


async def noise(url: str, count: int, counts: Counter[str]) -> None:
    """Send random bytes, in a websocket and before its handshake."""
    rng = Random(1)

    async def attack(number: int) -> None:
        is_inside = number % 2 == 0
        client = await (RawClient.open_websocket(url) if is_inside else RawClient.connect(url))
        try:
            await client.send(rng.randbytes(rng.randrange(1, 5_000)))
            await client.is_disconnected(1.0)
        finally:
            client.abort()

    await _run_clients(count, counts, attack)


async def oversize(url: str, count: int, counts: Counter[str]) -> None:
    """Send frames that are far too large, or state such a length."""

    async def attack(number: int) -> None:
        client = await RawClient.open_websocket(url)
        try:
            if number % 2:
                await client.send(frame(b"x" * 1_000, BINARY, stated_length=2**62))
            else:
                await client.send(frame(b"x" * 60_000) * 20)
            await client.is_disconnected(2.0)
        finally:
            client.abort()

    await _run_clients(count, counts, attack)


async def slow_readers(url: str, count: int, counts: Counter[str]) -> None:
    """Request the table as often as the limit allows, and read nothing."""

    async def attack(_: int) -> None:
        client = await RawClient.open_websocket(url)
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]
        try:
            for _ in range(60):
                await client.send(_HELLO)
                await asyncio.sleep(0.6)
        finally:
            client.abort()

    await _run_clients(count, counts, attack)


async def large_bodies(url: str, count: int, counts: Counter[str]) -> None:
    """Post bodies of a gigabyte."""

    async def attack(number: int) -> None:
        client = await RawClient.connect(url)
        try:
            length = b"Transfer-Encoding: chunked" if number % 2 else b"Content-Length: 1000000000"
            host = urlsplit(url).netloc.encode()
            await client.send(
                b"POST /play/ HTTP/1.1\r\nHost: " + host + b"\r\n" + length + b"\r\n\r\n"
            )
            for _ in range(15_000):
                await client.send(b"10000\r\n" + _BODY + b"\r\n" if number % 2 else _BODY)
                counts["kB"] += 64
            await client.is_disconnected(2.0)
        finally:
            client.abort()

    await _run_clients(count, counts, attack)


ATTACKS: Final[dict[str, tuple[Attack, int]]] = {
    "half_open": (half_open, 2_000),
    "half_requests": (half_requests, 500),
    "silent_sockets": (silent_sockets, 500),
    "message_flood": (message_flood, 10),
    "table_flood": (table_flood, 10),
    "control_flood": (control_flood, 10),
    "fragment_flood": (fragment_flood, 10),
    "noise": (noise, 10),
    "oversize": (oversize, 10),
    "slow_readers": (slow_readers, 100),
    "large_bodies": (large_bodies, 4),
}
"""The attacks by name, with the number of clients."""


async def _run(name: str, url: str, seconds: float) -> None:
    attack, count = ATTACKS[name]
    counts = Counter[str]()
    try:
        async with asyncio.timeout(seconds):
            await attack(url, count, counts)
    except TimeoutError:
        pass
    print(", ".join(f"{value} {key}" for key, value in sorted(counts.items())), flush=True)
    os._exit(0)  # end without a close handshake on any connection


if __name__ == "__main__":
    asyncio.run(_run(sys.argv[1], sys.argv[2], float(sys.argv[3])))
