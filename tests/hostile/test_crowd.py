"""A server with hundreds of silent, flooding or non-reading clients answers its players, and its
memory stays bounded.

`make soak` measures the same with thousands of clients.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from random import Random

import psutil

from tests.hostile.conftest import TargetTable
from tests.hostile.raw_client import PING, RawClient, frame
from tests.web.players import Client

MAX_GROWTH_BYTES = 60 * 2**20
"""Memory that hundreds of clients may take: far more than they need, and far less than a leak."""
ANSWERED_WITHIN_S = 5.0
"""The time within which a player is answered; on an idle machine it takes some milliseconds."""
HELLO = frame(b'{"t":"hello","seq":0}')


async def check_costs(
    target: TargetTable,
    figures: Callable[[str, object], None],
    what: str,
    connect: Awaitable[list[RawClient]],
) -> None:
    """Connect the clients, then check the server's memory and the answers to a player."""
    server = psutil.Process(target.running_site.daphnes[0].pid)
    player = Client(target.url, target.people[1].cookie)
    await player.open()
    before = server.memory_info().rss
    clients = await connect
    try:
        slowest = 0.0
        for _ in range(5):
            began = time.monotonic()
            await player.send({"t": "ping", "seq": player.seq, "at": 0})
            async with asyncio.timeout(ANSWERED_WITHIN_S):
                await player.until("pong")
            slowest = max(slowest, time.monotonic() - began)
            await asyncio.sleep(0.1)
        grown = server.memory_info().rss - before
    finally:
        for client in clients:
            client.abort()
        await player.cut()
    figures(
        "figures",
        f"{what}: {len(clients)} connections, {grown / 2**20:.1f} MiB,"
        f" slowest ping of a player {slowest * 1000:.0f} ms",
    )
    assert grown < MAX_GROWTH_BYTES


async def test_silent_connections_cost_little(
    target: TargetTable, record_property: Callable[[str, object], None]
) -> None:
    async def connect() -> list[RawClient]:
        clients = [await RawClient.connect(target.url) for _ in range(300)]
        for client in clients[::2]:
            await client.send(b"GET / HTTP/1.1\r\nHost:")
        return clients

    await check_costs(target, record_property, "half-open", connect())


async def test_silent_websockets_cost_little(
    target: TargetTable, record_property: Callable[[str, object], None]
) -> None:
    async def connect() -> list[RawClient]:
        return [await RawClient.open_websocket(target.url) for _ in range(150)]

    await check_costs(target, record_property, "silent sockets", connect())


async def test_clients_that_do_not_read_cost_little(
    target: TargetTable, record_property: Callable[[str, object], None]
) -> None:
    async def connect() -> list[RawClient]:
        clients = [await RawClient.open_websocket(target.url) for _ in range(40)]
        for client in clients:
            client.writer.transport.pause_reading()  # type: ignore[attr-defined]
            await client.send(HELLO * 200)
        return clients

    await check_costs(target, record_property, "not reading", connect())


async def test_floods_cost_little(
    target: TargetTable, record_property: Callable[[str, object], None]
) -> None:
    rng = Random(3)
    kinds = [HELLO, frame(b"", PING), frame(b"x" * 125, PING), frame(b"[]"), frame(b"x" * 5_000)]
    kinds += [frame(b"", final=False) + frame(b"", 0, final=False) * 200]

    async def connect() -> list[RawClient]:
        clients = [await RawClient.open_websocket(target.url) for _ in range(30)]
        for client in clients:
            client.writer.write(rng.choice(kinds) * 200)
        return clients

    await check_costs(target, record_property, "floods", connect())
