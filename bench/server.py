"""The whole server with real sockets: Daphne, a worker and Redis as processes of their own,
and tables of four players who discard about every two seconds.

Clients and server share the machine: with many tables the clients' own work slows down what
they measure.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import psutil
import redis

from bench import report
from bench.commits import own_redis
from bench.players import Measured, Seated
from game.engine.rules import TENHOU
from game.rooms.process import Process
from game.rooms.room import SeatMeta, TableId
from tests.kit.processes import Site, migrated
from tests.web.site import Served, Signed

TABLES: Final = (10, 50, 100)
SECONDS: Final = 32.0
WARM_UP_S: Final = 4.0
_MEGABYTE: Final = 1024 * 1024


class Use(NamedTuple):
    """What the server's processes have taken so far."""

    cpu_s: dict[str, float]
    resident: int
    """Bytes of Daphne and the worker."""
    stored: int
    """Bytes that Redis uses for its data."""


def run(*, quick: bool) -> None:
    """Print the figures for each number of tables, each on a server freshly started."""
    report.heading("server: Daphne, worker, Redis; 4 sockets at each table, at human pace")
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        database = migrated(Path(directory))
        for tables in (4,) if quick else TABLES:
            with ExitStack() as stack:
                own = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mj-")))
                site = Site(stack.enter_context(own_redis()), own, database)
                stack.callback(site.stop)
                served = Served(site, workers=[site.worker()], daphnes=[site.daphne()])
                asyncio.run(_measure(served, tables, 4.0 if quick else SECONDS))


async def _measure(served: Served, tables: int, seconds: float) -> None:
    people = served.sign_in(*(f"p{number}" for number in range(4 * tables)))
    fours = [people[first : first + 4] for first in range(0, len(people), 4)]
    table_ids = await _opened(served.redis.url, fours)
    measured, rng = Measured(), Random(1)
    async with asyncio.TaskGroup() as tasks:
        playing = []
        for table_id, four in zip(table_ids, fours, strict=True):
            playing += await _seated(tasks, served.socket_url(table_id), four, measured, rng)
            if len(playing) == len(four):
                one_table = _use(served)
        await asyncio.sleep(WARM_UP_S)
        measured.counts = True
        before = _use(served)
        await asyncio.sleep(seconds)
        measured.counts = False
        _print(tables, seconds, measured, one_table, before, _use(served))
        for task in playing:
            task.cancel()


async def _seated(
    tasks: asyncio.TaskGroup, url: str, four: list[Signed], measured: Measured, rng: Random
) -> list[asyncio.Task[None]]:
    """The four players of a table, who have sat down and play on."""
    sent_at = [0.0] * 4
    playing = []
    seated = [asyncio.Event() for _ in four]
    for seat, who in enumerate(four):
        player = Seated(seat, sent_at, measured, Random(rng.random()))
        playing.append(tasks.create_task(player.play(url, who.cookie, seated[seat])))
    for sat_down in seated:
        await sat_down.wait()
    return playing


async def _opened(url: str, fours: list[list[Signed]]) -> list[TableId]:
    process = Process(url)
    try:
        table_ids = []
        for four in fours:
            east, south, west, north = [
                SeatMeta(name=f"p{seat}", person=who.person) for seat, who in enumerate(four)
            ]
            table_ids.append(
                await process.service.open_table(seats=(east, south, west, north), rules=TENHOU)
            )
        return table_ids
    finally:
        await process.stop()


def _use(served: Served) -> Use:
    (daphne,), (worker,) = served.daphnes, served.workers
    pids = {"Daphne": daphne.pid, "worker": worker.pid, "Redis": served.redis.pid}
    found = {name: psutil.Process(pid) for name, pid in pids.items()}
    times = {name: process.cpu_times() for name, process in found.items()}
    with redis.Redis.from_url(served.redis.url) as connection:
        stored = int(connection.info("memory")["used_memory"])
    return Use(
        {name: spent.user + spent.system for name, spent in times.items()},
        sum(found[name].memory_info().rss for name in ("Daphne", "worker")),
        stored,
    )


def _print(
    tables: int, seconds: float, measured: Measured, one_table: Use, before: Use, after: Use
) -> None:
    discards = max(1, measured.discards)
    spent = {name: after.cpu_s[name] - before.cpu_s[name] for name in after.cpu_s}
    parts = ", ".join(f"{name} {cpu / discards * 1000:.2f}" for name, cpu in spent.items())
    each = f"{tables} tables"
    report.line(f"{each}, discards per second", f"{measured.discards / seconds:>7.1f}")
    report.line(f"{each}, from a discard to the others' receipt", report.latency(measured.waits))
    cpu = sum(spent.values())
    report.line(f"{each}, server CPU per discard", f"{cpu / discards * 1000:>7.2f} ms  ({parts})")
    report.line(f"{each}, server CPU used", f"{cpu / seconds:>7.1%} of one processor")
    more = tables - 1
    resident = (after.resident - one_table.resident) / more / _MEGABYTE
    stored = after.stored / tables / 1024
    report.line(
        f"{each}, memory per table",
        f"{resident:>7.2f} MiB of Daphne and worker, {stored:.1f} KiB of Redis",
    )
