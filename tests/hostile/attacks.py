"""What strangers do to a server for some seconds: ``python -m tests.hostile.attacks NAME ...``.

In a process of its own, so that its work is not that of those who measure.
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

from tests.hostile.stranger import BINARY, CONTINUATION, PING, TEXT, Stranger, frame

Attack = Callable[[str, int, Counter[str]], Awaitable[None]]
"""Takes the address of a table's socket, how many attack, and where to count."""

_HELLO: Final = frame(b'{"t":"hello","seq":0}')
_PING: Final = frame(b'{"t":"ping","seq":0,"at":0}')
_BODY: Final = b"x" * 65_536


async def _each(count: int, counted: Counter[str], one: Callable[[int], Awaitable[None]]) -> None:
    """That many at once, each again and again."""

    async def again(number: int) -> None:
        while True:
            try:
                await one(number)
                counted["rounds"] += 1
            except (OSError, EOFError) as error:
                counted[f"ended by {type(error).__name__}"] += 1
                await asyncio.sleep(1.0)

    async with asyncio.TaskGroup() as tasks:
        for number in range(count):
            tasks.create_task(again(number))


async def _flooded(url: str, data: bytes, times: int) -> None:
    one = await Stranger.in_socket(url)
    try:
        for _ in range(times):
            await one.say(data)
        await one.is_turned_away(2.0)
    finally:
        one.go()


async def half_open(url: str, count: int, counted: Counter[str]) -> None:
    """Connections on which nothing is ever said."""

    async def one(_: int) -> None:
        stranger = await Stranger.at(url)
        counted["connected"] += 1
        try:
            await stranger.is_turned_away(3_600)
            counted["turned away"] += 1
        finally:
            stranger.go()

    await _each(count, counted, one)


async def half_requests(url: str, count: int, counted: Counter[str]) -> None:
    """Requests of which a header comes every second, without an end."""

    async def one(_: int) -> None:
        stranger = await Stranger.at(url)
        try:
            await stranger.say(b"GET / HTTP/1.1\r\nHost: " + urlsplit(url).netloc.encode())
            while True:
                await asyncio.sleep(1.0)
                await stranger.say(b"\r\nX-More: yes")
                if stranger.reader.at_eof():
                    counted["turned away"] += 1
                    return
        finally:
            stranger.go()

    await _each(count, counted, one)


async def silent_sockets(url: str, count: int, counted: Counter[str]) -> None:
    """Websockets on which nothing is ever said; they come within some seconds."""
    began = asyncio.get_running_loop().time()

    async def one(number: int) -> None:
        await asyncio.sleep(began + number / 100 - asyncio.get_running_loop().time())
        stranger = await Stranger.in_socket(url)
        try:
            await stranger.is_turned_away(3_600)
        finally:
            stranger.go()

    await _each(count, counted, one)


async def message_flood(url: str, count: int, counted: Counter[str]) -> None:
    """Short messages as fast as they can be sent."""
    await _each(count, counted, lambda _: _flooded(url, _PING * 500, 6))


async def picture_flood(url: str, count: int, counted: Counter[str]) -> None:
    """Messages that are answered by the whole table."""
    await _each(count, counted, lambda _: _flooded(url, _HELLO * 500, 6))


async def control_flood(url: str, count: int, counted: Counter[str]) -> None:
    """Websocket pings, which the framing itself answers."""
    await _each(count, counted, lambda _: _flooded(url, frame(b"x" * 100, PING) * 500, 40))


async def fragment_flood(url: str, count: int, counted: Counter[str]) -> None:
    """A message of empty parts that never ends."""

    async def one(_: int) -> None:
        stranger = await Stranger.in_socket(url)
        try:
            await stranger.say(frame(b"", TEXT, final=False))
            for _ in range(40):
                await stranger.say(frame(b"", CONTINUATION, final=False) * 2_000)
            await stranger.is_turned_away(2.0)
        finally:
            stranger.go()

    await _each(count, counted, one)


async def noise(url: str, count: int, counted: Counter[str]) -> None:
    """Bytes of no meaning, in a socket and before it."""
    rng = Random(1)

    async def one(number: int) -> None:
        is_inside = number % 2 == 0
        stranger = await (Stranger.in_socket(url) if is_inside else Stranger.at(url))
        try:
            await stranger.say(rng.randbytes(rng.randrange(1, 5_000)))
            await stranger.is_turned_away(1.0)
        finally:
            stranger.go()

    await _each(count, counted, one)


async def oversize(url: str, count: int, counted: Counter[str]) -> None:
    """Frames that are far too large, or say that they are."""

    async def one(number: int) -> None:
        stranger = await Stranger.in_socket(url)
        try:
            if number % 2:
                await stranger.say(frame(b"x" * 1_000, BINARY, says_length=2**62))
            else:
                await stranger.say(frame(b"x" * 60_000) * 20)
            await stranger.is_turned_away(2.0)
        finally:
            stranger.go()

    await _each(count, counted, one)


async def slow_readers(url: str, count: int, counted: Counter[str]) -> None:
    """Ask for the table as often as is allowed, and read nothing."""

    async def one(_: int) -> None:
        stranger = await Stranger.in_socket(url)
        stranger.writer.transport.pause_reading()  # type: ignore[attr-defined]
        try:
            for _ in range(60):
                await stranger.say(_HELLO)
                await asyncio.sleep(0.6)
        finally:
            stranger.go()

    await _each(count, counted, one)


async def large_bodies(url: str, count: int, counted: Counter[str]) -> None:
    """Forms of a gigabyte."""

    async def one(number: int) -> None:
        stranger = await Stranger.at(url)
        try:
            length = b"Transfer-Encoding: chunked" if number % 2 else b"Content-Length: 1000000000"
            host = urlsplit(url).netloc.encode()
            await stranger.say(
                b"POST /play/ HTTP/1.1\r\nHost: " + host + b"\r\n" + length + b"\r\n\r\n"
            )
            for _ in range(15_000):
                await stranger.say(b"10000\r\n" + _BODY + b"\r\n" if number % 2 else _BODY)
                counted["kB"] += 64
            await stranger.is_turned_away(2.0)
        finally:
            stranger.go()

    await _each(count, counted, one)


ATTACKS: Final[dict[str, tuple[Attack, int]]] = {
    "half_open": (half_open, 2_000),
    "half_requests": (half_requests, 500),
    "silent_sockets": (silent_sockets, 500),
    "message_flood": (message_flood, 10),
    "picture_flood": (picture_flood, 10),
    "control_flood": (control_flood, 10),
    "fragment_flood": (fragment_flood, 10),
    "noise": (noise, 10),
    "oversize": (oversize, 10),
    "slow_readers": (slow_readers, 100),
    "large_bodies": (large_bodies, 4),
}
"""By name, with how many take part."""


async def _run(name: str, url: str, seconds: float) -> None:
    attack, count = ATTACKS[name]
    counted = Counter[str]()
    try:
        async with asyncio.timeout(seconds):
            await attack(url, count, counted)
    except TimeoutError:
        pass
    print(", ".join(f"{value} {key}" for key, value in sorted(counted.items())), flush=True)
    os._exit(0)  # without goodbye on any of the connections


if __name__ == "__main__":
    asyncio.run(_run(sys.argv[1], sys.argv[2], float(sys.argv[3])))
