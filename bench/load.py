"""How many tables the machine holds: four players and a watcher at each, over real sockets.

``python -m bench.load --tables 1000`` plays at human pace, ``--pace 0`` as fast as the server
goes. Server and crowd share the machine. What is printed for the server leaves Redis out,
which has a line of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import psutil
import redis as redis_client

from bench import report
from bench.commits import own_redis
from bench.crowd import Counts, Pace, Seated, Watching, come, ended, keep_pinging
from game.engine.clock import ClockSettings
from game.engine.rules import TENHOU
from game.rooms.process import Process
from game.rooms.room import SeatMeta, TableId
from game.runtime import collect_seldom
from tests.kit.processes import Site, migrated
from tests.web.site import Served, Signed

PACE_S: Final = 2.5
"""Between two discards at a table of people."""
_AT_ONCE: Final = 12
"""Tables that are being sat down at."""
_HURRIED: Final = ClockSettings(
    lead_ms=0, deal_ms=0, pause_ms=0, result_ms=1_000, result_pause_ms=0, lag_ms=5_000
)


class Load(NamedTuple):
    """What is put upon which server."""

    tables: int
    pace: float = PACE_S
    seconds: float = 30.0
    warm_up: float = 10.0
    daphnes: int = 1
    workers: int = 1
    spread: bool = False
    """The sockets of one table at different Daphnes; else all at the same."""


class Use(NamedTuple):
    """What the processes have taken so far."""

    cpu_s: dict[str, float]
    resident: int
    """Bytes of the Daphnes and workers."""
    stored: int
    """Bytes that Redis uses for its data."""
    crowd_s: float
    commits: int


def run(*, quick: bool) -> None:
    """Print the figures of human pace and of as fast as it goes."""
    for load in (
        [Load(4, pace=0.5, seconds=2.0, warm_up=1.0)]
        if quick
        else [Load(100), Load(1_000), Load(1_000, daphnes=2, spread=True), Load(100, pace=0)]
    ):
        measure(load)


def measure(load: Load) -> None:
    """Start a site, put that load on it, and print what it took."""
    pace = f"a discard every {load.pace} s" if load.pace else "as fast as it goes"
    report.heading(
        f"load: {load.tables} tables of four players and a watcher, {pace}; "
        f"{load.daphnes} Daphne, {load.workers} worker, Redis"
        + (", each table's sockets at different Daphnes" if load.spread else "")
    )
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="mj-") as directory, ExitStack() as stack:
        database = migrated(Path(directory))
        own = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mj-")))
        site = Site(stack.enter_context(own_redis()), own, database)
        stack.callback(site.stop)
        site.env["SOCKETS_PER_ADDRESS"] = "0"
        workers = [site.worker() for _ in range(load.workers)]
        daphnes = [site.daphne() for _ in range(load.daphnes)]
        collect_seldom()
        asyncio.run(_measure(Served(site, workers=workers, daphnes=daphnes), load))


async def _measure(served: Served, load: Load) -> None:
    people = served.sign_in(*(f"p{number}" for number in range(4 * load.tables)))
    fours = [people[first : first + 4] for first in range(0, len(people), 4)]
    at_first, counts = _use(served), Counts()
    began = time.perf_counter()
    crowd = await _arrived(served, load, fours, counts)
    report.line("sockets opened", f"{len(crowd) / (time.perf_counter() - began):>7.0f} /s")
    pings = asyncio.create_task(keep_pinging(crowd))
    await asyncio.sleep(load.warm_up)
    counts.counts, before = True, _use(served)
    await asyncio.sleep(load.seconds)
    counts.counts, after = False, _use(served)
    pings.cancel()
    _print(load, counts, at_first, before, after)
    lost = sum(bool(who.socket and who.socket.closed) for who in crowd)
    report.line("sockets that the server closed", f"{lost:>7}  {ended(crowd)}")
    for who in crowd:
        if who.socket is not None:
            who.socket.abort()


async def _arrived(
    served: Served, load: Load, fours: list[list[Signed]], counts: Counts
) -> list[Seated | Watching]:
    """The tables are opened and sat down at, some at a time, and play at once."""
    waiting, rng = iter(enumerate(fours)), Random(1)
    process = Process(served.redis.url)
    clock = ClockSettings() if load.pace else _HURRIED
    crowd: list[Seated | Watching] = []

    async def usher() -> None:
        for number, four in waiting:
            table_id = await _opened(process, four, clock)
            pace, sent_at = Pace(load.pace, rng), [0.0] * 4
            seats = [Seated(seat, sent_at, pace, counts) for seat in range(4)]
            party: list[Seated | Watching] = [*seats, Watching(counts)]
            for place, who in enumerate(party):
                url = served.socket_url(table_id, (number + load.spread * place) % load.daphnes)
                await come(url, four[place].cookie if place < len(four) else "", who)
            crowd.extend(party)

    try:
        await asyncio.gather(*(usher() for _ in range(_AT_ONCE)))
    finally:
        await process.stop()
    return crowd


async def _opened(process: Process, four: list[Signed], clock: ClockSettings) -> TableId:
    east, south, west, north = [
        SeatMeta(name=f"p{seat}", person=who.person) for seat, who in enumerate(four)
    ]
    return await process.service.open_table(
        seats=(east, south, west, north), rules=TENHOU, clock=clock
    )


def _use(served: Served) -> Use:
    pids = {f"Daphne {number}": one.pid for number, one in enumerate(served.daphnes, 1)}
    pids |= {f"worker {number}": one.pid for number, one in enumerate(served.workers, 1)}
    found = {name: psutil.Process(pid) for name, pid in pids.items()}
    resident = sum(process.memory_info().rss for process in found.values())
    found["Redis"] = psutil.Process(served.redis.pid)
    times = {name: process.cpu_times() for name, process in found.items()}
    with redis_client.Redis.from_url(served.redis.url) as connection:
        stored = int(connection.info("memory")["used_memory"])
        commits = connection.info("commandstats").get("cmdstat_xadd", {"calls": 0})["calls"]
    return Use(
        {name: spent.user + spent.system for name, spent in times.items()},
        resident,
        stored,
        time.process_time(),
        commits,
    )


def _print(load: Load, counts: Counts, at_first: Use, before: Use, after: Use) -> None:
    discards = max(1, counts.discards)
    spent = {name: after.cpu_s[name] - before.cpu_s[name] for name in after.cpu_s}
    redis_s = spent.pop("Redis")
    parts = ", ".join(f"{name} {cpu / discards * 1000:.2f}" for name, cpu in spent.items())
    server_s = sum(spent.values())
    report.line("discards per second", f"{discards / load.seconds:>7.1f}")
    waits = counts.waits
    slowest = f"  {max(waits, default=0.0) * 1000:.0f} ms at most"
    report.line("from a discard to the others' receipt", report.latency(waits) + slowest)
    report.line("server CPU per discard", f"{server_s / discards * 1000:>7.2f} ms  ({parts})")
    commits = (after.commits - before.commits) / discards
    report.line("commits per discard", f"{commits:>7.2f}")
    report.line("Redis CPU per discard", f"{redis_s / discards * 1000:>7.2f} ms")
    crowd_s = after.crowd_s - before.crowd_s
    used = " / ".join(f"{cpu / load.seconds:.0%}" for cpu in (server_s, redis_s, crowd_s))
    report.line("of one processor: server / Redis / crowd", f"{used:>7}")
    resident = (after.resident - at_first.resident) / load.tables / 1024
    report.line("memory of the server per table", f"{resident:>7.0f} KiB")
    stored = (after.stored - at_first.stored) / load.tables / 1024
    report.line("memory of Redis per table", f"{stored:>7.1f} KiB")
    each = counts.bytes / max(1, counts.frames)
    per_discard = counts.frames / discards
    report.line("bytes per frame", f"{each:>7.0f}  ({per_discard:.1f} frames per discard)")
    report.line("whole tables sent anew", f"{counts.syncs:>7}")
    report.line("answers that could not be taken, in all", f"{counts.refused:>7}")


def main() -> None:
    """One load, from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--pace", type=float, default=PACE_S, help="seconds; 0: at once")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--daphnes", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--spread", action="store_true", help="one table at several Daphnes")
    measure(Load(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
