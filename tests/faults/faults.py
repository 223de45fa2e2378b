"""The faults: each breaks something of a house and makes it whole again.

A strike returns when what it broke is mended. It names what it touches, so that two at a time
do not mend what the other has broken.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import redis
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.faults.lines import Notifications
from tests.faults.player import Cut, Deaf
from tests.faults.site import CALAMITY_S, Floor
from tests.kit.processes import Daphne, RedisServer, Worker

POKES_FOR_S: Final = 1.5
FULL_FOR_S: Final = 1.8
TWICE_FOR_S: Final = 2.0
_FILLER: Final = "filler"


@dataclass(frozen=True)
class Strike:
    """One fault."""

    kind: str
    touches: str
    carry_out: Callable[[Floor], Awaitable[None]]


async def struck(floor: Floor, *strikes: Strike) -> None:
    """Carry these out at the same time, and see that every table goes on as it should."""
    for strike in strikes:
        floor.tally.faults[strike.kind] += 1
    await asyncio.gather(*(strike.carry_out(floor) for strike in strikes))
    await floor.has_gone_on(*(strike.kind for strike in strikes))


def all_strikes() -> list[Strike]:
    """One of each kind for each process that it can hit."""
    cuts: tuple[Cut, ...] = ("half a frame", "after the frame")
    pokes: tuple[Notifications, ...] = ("dropped", "doubled", "reordered")
    strikes = [
        Strike("Redis killed", "Redis", lambda floor: _restarted(floor.redis, floor.redis.kill)),
        Strike("Redis restarted", "Redis", lambda floor: _restarted(floor.redis, floor.redis.stop)),
        Strike("Redis stands still", "Redis", lambda floor: _stood_still(floor.redis.pid)),
        Strike("Redis's memory is full", "Redis", _full),
        Strike("commands arrive twice", "players", _twice),
        Strike("a client does not read", "clients", _deaf),
        *map(_cut, cuts),
        *map(_pokes, pokes),
    ]
    for number in range(2):
        strikes += [_killed("web", number), _killed("worker", number)]
        strikes += [_still("web", number), _still("worker", number)]
        strikes += [_line("web", number), _line("worker", number)]
    return strikes


def _process(floor: Floor, what: str, number: int) -> Daphne | Worker:
    return floor.web[number] if what == "web" else floor.workers[number]


def _killed(what: str, number: int) -> Strike:
    async def strike(floor: Floor) -> None:
        process = _process(floor, what, number)
        await _restarted(process, process.kill)

    return Strike(f"{what} killed", f"{what} {number}", strike)


def _still(what: str, number: int) -> Strike:
    async def strike(floor: Floor) -> None:
        still = asyncio.create_task(_stood_still(_process(floor, what, number).pid))
        if what == "web":
            await asyncio.sleep(0)
            _lose_sockets_elsewhere(floor, number)
        await still

    return Strike(f"{what} stands still", f"{what} {number}", strike)


def _lose_sockets_elsewhere(floor: Floor, number: int) -> None:
    """Who sits at another web server comes to this one next."""
    for player in (one for sitting in floor.sittings for one in sitting.players):
        if player.socket is not None and not player.url.startswith(floor.web[number].websocket_url):
            player.socket.transport.abort()


def _line(what: str, number: int) -> Strike:
    async def strike(floor: Floor) -> None:
        """Redis does what it is told, and its answers are lost with the line."""
        line = floor.line_of[f"{what} {number}"]
        line.loses_answers = True
        await asyncio.sleep(0.3)
        floor.lines.break_line(line)
        line.loses_answers = False

    return Strike(f"{what} loses Redis's answers", f"{what} {number}", strike)


def _cut(cut: Cut) -> Strike:
    async def strike(floor: Floor) -> None:
        players = [one for sitting in floor.sittings for one in sitting.players]
        for player in players:
            player.cut_next = cut
        for _ in range(100):
            await asyncio.sleep(0.05)
            if not any(player.cut_next and not player.has_ended for player in players):
                return

    return Strike(f"sockets cut, {cut}", "players", strike)


def _pokes(how: Notifications) -> Strike:
    async def strike(floor: Floor) -> None:
        for line in floor.line_of.values():
            line.pokes = how
        await asyncio.sleep(POKES_FOR_S)
        for line in floor.line_of.values():
            line.pokes = "as they are"

    return Strike(f"every poke {how}", "pokes", strike)


async def _restarted(process: Daphne | Worker | RedisServer, end: Callable[[], None]) -> None:
    await asyncio.to_thread(end)
    await asyncio.to_thread(process.start)


async def _stood_still(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)
    try:
        await asyncio.sleep(CALAMITY_S)
    finally:
        os.kill(pid, signal.SIGCONT)


async def _full(floor: Floor) -> None:
    await asyncio.to_thread(_fill, floor.redis.url)
    await asyncio.sleep(FULL_FOR_S)
    await asyncio.to_thread(_free, floor.redis.url)


def _fill(url: str) -> None:
    with redis.Redis.from_url(url) as connection:
        connection.config_set("maxmemory", _used(connection) + 1_000_000)
        with contextlib.suppress(redis.exceptions.OutOfMemoryError):
            while True:
                connection.append(_FILLER, "x" * 10_000)
        # What connections had needed for a moment is free again, and would hold some commits.
        connection.config_set("maxmemory", _used(connection) - 200_000)


def _used(connection: redis.Redis) -> int:
    return int(connection.info("memory")["used_memory"])


def _free(url: str) -> None:
    with redis.Redis.from_url(url) as connection:
        connection.config_set("maxmemory", 0)
        connection.delete(_FILLER)


async def _twice(floor: Floor) -> None:
    once = [one for sitting in floor.sittings for one in sitting.players if not one.sends_twice]
    for player in once:
        player.sends_twice = True
    await asyncio.sleep(TWICE_FOR_S)
    for player in once:
        player.sends_twice = False


async def _deaf(floor: Floor) -> None:
    """A second window of each first player, that is sent everything and reads nothing."""
    sittings = list(floor.sittings)
    windows = [Deaf(one.players[0].urls[1], cookie=one.players[0].cookie) for one in sittings]
    try:
        for window in windows:
            await window.sit()
        await asyncio.sleep(TWICE_FOR_S)
        for window, sitting in zip(windows, sittings, strict=True):
            await window.listen(until_seq=sitting.players[0].seq)
    except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
        return  # its server is being struck by another fault
    finally:
        for window in windows:
            await window.cut()
