"""The faults that a test can inject into a running site.

Each fault ends when the process or connection that it broke works again. It names what it affects,
so that two faults at a time do not repair each other's damage.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, cast

import redis
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.faults.player import Cut, NonReadingClient
from tests.faults.redis_proxy import Notifications
from tests.faults.site import PAUSE_S, FaultSite
from tests.kit.processes import Daphne, RedisServer, Worker

NOTIFICATION_FAULT_S: Final = 1.5
FULL_MEMORY_S: Final = 1.8
CLIENT_FAULT_S: Final = 2.0
_FILLER: Final = "filler"


@dataclass(frozen=True)
class Fault:
    """One fault. Two faults with the same `affects` cannot be injected at the same time."""

    kind: str
    affects: str
    inject: Callable[[FaultSite], Awaitable[None]]


async def inject_faults(site: FaultSite, *faults: Fault) -> None:
    """Inject these faults at the same time, then check that every table goes on."""
    for fault in faults:
        site.report.faults[fault.kind] += 1
    await asyncio.gather(*(fault.inject(site) for fault in faults))
    await site.wait_for_progress(*(fault.kind for fault in faults))


def all_faults() -> list[Fault]:
    """Return all faults: one of each kind for each process that it can hit."""
    cuts: tuple[Cut, ...] = ("half a frame", "after the frame")
    notifications: tuple[Notifications, ...] = ("dropped", "doubled", "reordered")
    faults = [
        Fault("Redis killed", "Redis", lambda site: _restart(site.redis, site.redis.kill)),
        Fault("Redis restarted", "Redis", lambda site: _restart(site.redis, site.redis.stop)),
        Fault("Redis paused", "Redis", lambda site: _pause(site.redis.pid)),
        Fault("Redis out of memory", "Redis", _fill_redis_for_a_while),
        Fault("commands sent twice", "players", _send_commands_twice),
        Fault("client does not read", "clients", _add_clients_that_do_not_read),
        *map(_socket_cut, cuts),
        *map(_notification_fault, notifications),
    ]
    for number in range(2):
        faults += [_kill_process("web", number), _kill_process("worker", number)]
        faults += [_pause_process("web", number), _pause_process("worker", number)]
        faults += [_answers_lost("web", number), _answers_lost("worker", number)]
    return faults


def _process(site: FaultSite, role: str, number: int) -> Daphne | Worker:
    return site.web[number] if role == "web" else site.workers[number]


def _kill_process(role: str, number: int) -> Fault:
    async def inject(site: FaultSite) -> None:
        process = _process(site, role, number)
        await _restart(process, process.kill)

    return Fault(f"{role} killed", f"{role} {number}", inject)


def _pause_process(role: str, number: int) -> Fault:
    async def inject(site: FaultSite) -> None:
        pause = asyncio.create_task(_pause(_process(site, role, number).pid))
        if role == "web":
            await asyncio.sleep(0)
            _disconnect_from_other_servers(site, number)
        await pause

    return Fault(f"{role} paused", f"{role} {number}", inject)


def _disconnect_from_other_servers(site: FaultSite, number: int) -> None:
    """Disconnect the players of the other web servers, so that they try this one next."""
    for player in site.players:
        if player.socket is not None and not player.url.startswith(site.web[number].websocket_url):
            player.socket.transport.abort()


def _answers_lost(role: str, number: int) -> Fault:
    async def inject(site: FaultSite) -> None:
        """Let Redis run commands whose answers are lost with the connection."""
        proxy = site.proxy_of[f"{role} {number}"]
        proxy.drops_answers = True
        await asyncio.sleep(0.3)
        site.proxies.disconnect(proxy)
        proxy.drops_answers = False

    return Fault(f"{role} loses Redis's answers", f"{role} {number}", inject)


def _socket_cut(cut: Cut) -> Fault:
    async def inject(site: FaultSite) -> None:
        players = site.players
        for player in players:
            player.cut_next = cut
        for _ in range(100):
            await asyncio.sleep(0.05)
            if not any(player.cut_next and not player.has_ended for player in players):
                return

    return Fault(f"sockets cut, {cut}", "players", inject)


def _notification_fault(kind: Notifications) -> Fault:
    async def inject(site: FaultSite) -> None:
        for proxy in site.proxy_of.values():
            proxy.notifications = kind
        await asyncio.sleep(NOTIFICATION_FAULT_S)
        for proxy in site.proxy_of.values():
            proxy.notifications = "unchanged"

    return Fault(f"notifications {kind}", "notifications", inject)


async def _restart(process: Daphne | Worker | RedisServer, end: Callable[[], None]) -> None:
    await asyncio.to_thread(end)
    await asyncio.to_thread(process.start)


async def _pause(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)
    try:
        await asyncio.sleep(PAUSE_S)
    finally:
        os.kill(pid, signal.SIGCONT)


async def _fill_redis_for_a_while(site: FaultSite) -> None:
    await asyncio.to_thread(_fill, site.redis.url)
    await asyncio.sleep(FULL_MEMORY_S)
    await asyncio.to_thread(_free, site.redis.url)


def _fill(url: str) -> None:
    with redis.Redis.from_url(url) as connection:
        connection.config_set("maxmemory", _used_memory(connection) + 1_000_000)
        with contextlib.suppress(redis.exceptions.OutOfMemoryError):
            while True:
                connection.append(_FILLER, "x" * 10_000)
        # Connections have freed buffers meanwhile; the free memory would hold some commits.
        connection.config_set("maxmemory", _used_memory(connection) - 200_000)


def _used_memory(connection: redis.Redis) -> int:
    return cast("dict[str, int]", connection.info("memory"))["used_memory"]


def _free(url: str) -> None:
    with redis.Redis.from_url(url) as connection:
        connection.config_set("maxmemory", 0)
        connection.delete(_FILLER)


async def _send_commands_twice(site: FaultSite) -> None:
    changed = [player for player in site.players if not player.sends_twice]
    for player in changed:
        player.sends_twice = True
    await asyncio.sleep(CLIENT_FAULT_S)
    for player in changed:
        player.sends_twice = False


async def _add_clients_that_do_not_read(site: FaultSite) -> None:
    """Open a second window for the first player of each table, and read nothing there."""
    games = list(site.games)
    clients = [
        NonReadingClient(game.players[0].urls[1], cookie=game.players[0].cookie) for game in games
    ]
    try:
        for client in clients:
            await client.connect()
        await asyncio.sleep(CLIENT_FAULT_S)
        for client, game in zip(clients, games, strict=True):
            await client.read_until(game.players[0].seq)
    except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
        return  # another fault may hit this client's server
    finally:
        for client in clients:
            await client.cut()
