"""Hundreds who connect and say nothing, or ask and do not read: those who play are answered, and
the server's memory stays within bounds. `make soak` does the same with thousands, and measures."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from random import Random

import psutil

from tests.hostile.conftest import Place
from tests.hostile.stranger import PING, Stranger, frame
from tests.web.players import Client

BOUND_BYTES = 60 * 2**20
"""What a crowd of hundreds may cost in memory: far more than it does, far less than a leak."""
ANSWERED_WITHIN_S = 5.0
"""Some milliseconds on a machine with nothing else to do."""
HELLO = frame(b'{"t":"hello","seq":0}')


async def costs(
    place: Place,
    figures: Callable[[str, object], None],
    what: str,
    crowd: Awaitable[list[Stranger]],
) -> None:
    """Let the crowd come, and see what it costs memory and those who sit at the table."""
    server = psutil.Process(place.served.daphnes[0].pid)
    player = Client(place.url, place.people[1].cookie)
    await player.open()
    before = server.memory_info().rss
    strangers = await crowd
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
        for stranger in strangers:
            stranger.go()
        await player.cut()
    figures(
        "figures",
        f"{what}: {len(strangers)} connections, {grown / 2**20:.1f} MiB,"
        f" slowest ping of a player {slowest * 1000:.0f} ms",
    )
    assert grown < BOUND_BYTES


async def test_connections_on_which_nothing_is_said(
    place: Place, record_property: Callable[[str, object], None]
) -> None:
    async def crowd() -> list[Stranger]:
        strangers = [await Stranger.at(place.url) for _ in range(300)]
        for stranger in strangers[::2]:
            await stranger.say(b"GET / HTTP/1.1\r\nHost:")
        return strangers

    await costs(place, record_property, "half-open", crowd())


async def test_sockets_on_which_nothing_is_said(
    place: Place, record_property: Callable[[str, object], None]
) -> None:
    async def crowd() -> list[Stranger]:
        return [await Stranger.in_socket(place.url) for _ in range(150)]

    await costs(place, record_property, "silent sockets", crowd())


async def test_who_asks_and_does_not_read(
    place: Place, record_property: Callable[[str, object], None]
) -> None:
    async def crowd() -> list[Stranger]:
        strangers = [await Stranger.in_socket(place.url) for _ in range(40)]
        for stranger in strangers:
            stranger.writer.transport.pause_reading()  # type: ignore[attr-defined]
            await stranger.say(HELLO * 200)
        return strangers

    await costs(place, record_property, "not reading", crowd())


async def test_floods_of_all_kinds(
    place: Place, record_property: Callable[[str, object], None]
) -> None:
    rng = Random(3)
    kinds = [HELLO, frame(b"", PING), frame(b"x" * 125, PING), frame(b"[]"), frame(b"x" * 5_000)]
    kinds += [frame(b"", final=False) + frame(b"", 0, final=False) * 200]

    async def crowd() -> list[Stranger]:
        strangers = [await Stranger.in_socket(place.url) for _ in range(30)]
        for stranger in strangers:
            stranger.writer.write(rng.choice(kinds) * 200)
        return strangers

    await costs(place, record_property, "floods", crowd())
