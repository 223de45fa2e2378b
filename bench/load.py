"""Measures a load of tables: four players and a spectator at each, over real sockets.

``python -m bench.load --tables 1000`` plays at human pace, ``--pace 0`` as fast as the server
answers; some hundreds of tables keep it busy. ``--spectators 1000`` compares the waiting times of
players with and without so many spectators at one of the tables, ``--bot-tables 20`` with and
without so many tables of bots of people, ``--rush 250`` while so many tables open at once. Server
and clients share the machine. The figures of the server leave out Redis, which has lines of its
own.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from typing import NamedTuple

import psutil
import redis as redis_client

from bench import bot_load, report, spectator_load
from bench import rush as rush_load
from bench.loaded_site import PACE_S, Load, fill_tables, sign_in_fours, start_site
from bench.socket_clients import (
    Counts,
    TableClient,
    abort_sockets,
    closing_reasons,
    keep_pinging,
)
from tests.web.site import RunningSite


class ResourceUse(NamedTuple):
    """Resources that the processes have used so far. `resident` and `stored` are bytes."""

    cpu_s: dict[str, float]
    resident: int
    """Bytes of the Daphnes and workers."""
    stored: int
    """Bytes that Redis uses for its data."""
    crowd_s: float
    commits: int


def run(*, quick: bool) -> None:
    """Print the figures for human pace, for full speed, and for a table with spectators."""
    if quick:
        load = Load(4, pace=0.5, seconds=2.0, warm_up=1.0)
        with start_site(load) as running_site:
            measure(running_site, load)
            spectator_load.measure(running_site, load._replace(seconds=1.0, warm_up=0.5), 30, 1)
        return
    for load in (Load(100), Load(1_000), Load(1_000, daphnes=2, spread=True), Load(300, pace=0)):
        with start_site(load) as running_site:
            measure(running_site, load)
    load = Load(20, pace=1.0)
    with start_site(load) as running_site:
        spectator_load.measure(running_site, load, 1_000, 3)


def measure(running_site: RunningSite, load: Load) -> None:
    """Put that load on a running site, and print the figures."""
    pace = f"a discard every {load.pace} s" if load.pace else "as fast as it goes"
    report.print_heading(
        f"load: {load.tables} tables of four players and a spectator, {pace}; "
        f"{load.daphnes} Daphne, {load.workers} worker, Redis"
        + (", each table's sockets at different Daphnes" if load.spread else "")
    )
    asyncio.run(_measure(running_site, load))


async def _measure(running_site: RunningSite, load: Load) -> None:
    fours = sign_in_fours(running_site, load.tables)
    at_first, counts = _measure_use(running_site), Counts()
    began = time.perf_counter()
    clients, _ = await fill_tables(running_site, load, fours, [counts] * load.tables)
    report.print_line("sockets opened", f"{len(clients) / (time.perf_counter() - began):>7.0f} /s")
    pings = asyncio.create_task(keep_pinging(clients))
    await asyncio.sleep(load.warm_up)
    counts.is_counting, before, seen = (
        True,
        _measure_use(running_site),
        _count_received_events(clients),
    )
    await asyncio.sleep(load.seconds)
    counts.is_counting, after = False, _measure_use(running_site)
    counts.events = _count_received_events(clients) - seen
    pings.cancel()
    _print_figures(load, counts, at_first, before, after)
    lost = sum(bool(client.socket and client.socket.closed) for client in clients)
    report.print_line("sockets that the server closed", f"{lost:>7}  {closing_reasons(clients)}")
    abort_sockets(clients)


def _count_received_events(clients: Sequence[TableClient]) -> int:
    return sum(client.seq() for client in clients)


def _measure_use(running_site: RunningSite) -> ResourceUse:
    pids = {f"Daphne {number}": daphne.pid for number, daphne in enumerate(running_site.daphnes, 1)}
    pids |= {
        f"worker {number}": worker.pid for number, worker in enumerate(running_site.workers, 1)
    }
    found = {name: psutil.Process(pid) for name, pid in pids.items()}
    resident = sum(process.memory_info().rss for process in found.values())
    found["Redis"] = psutil.Process(running_site.redis.pid)
    times = {name: process.cpu_times() for name, process in found.items()}
    with redis_client.Redis.from_url(running_site.redis.url) as connection:
        stored = int(connection.info("memory")["used_memory"])
        commits = connection.info("commandstats").get("cmdstat_xadd", {"calls": 0})["calls"]
    return ResourceUse(
        {name: spent.user + spent.system for name, spent in times.items()},
        resident,
        stored,
        time.process_time(),
        commits,
    )


def _print_figures(
    load: Load, counts: Counts, at_first: ResourceUse, before: ResourceUse, after: ResourceUse
) -> None:
    discards = max(1, counts.discards)
    spent = {name: after.cpu_s[name] - before.cpu_s[name] for name in after.cpu_s}
    redis_s = spent.pop("Redis")
    parts = ", ".join(f"{name} {cpu / discards * 1000:.2f}" for name, cpu in spent.items())
    server_s = sum(spent.values())
    report.print_line("discards per second", f"{discards / load.seconds:>7.1f}")
    waits = counts.latencies_s
    slowest = f"  {max(waits, default=0.0) * 1000:.0f} ms at most"
    report.print_line(
        "from a discard to the others' receipt", report.format_latency(waits) + slowest
    )
    report.print_line("server CPU per discard", f"{server_s / discards * 1000:>7.2f} ms  ({parts})")
    commits = (after.commits - before.commits) / discards
    report.print_line("commits per discard", f"{commits:>7.2f}")
    report.print_line("Redis CPU per discard", f"{redis_s / discards * 1000:>7.2f} ms")
    crowd_s = after.crowd_s - before.crowd_s
    used = " / ".join(f"{cpu / load.seconds:.0%}" for cpu in (server_s, redis_s, crowd_s))
    report.print_line("of one processor: server / Redis / clients", f"{used:>7}")
    resident = (after.resident - at_first.resident) / load.tables / 1024
    report.print_line("memory of the server per table", f"{resident:>7.0f} KiB")
    stored = (after.stored - at_first.stored) / load.tables / 1024
    report.print_line("memory of Redis per table", f"{stored:>7.1f} KiB")
    each = counts.bytes / max(1, counts.frames)
    per_discard = counts.frames / discards
    report.print_line("bytes per frame", f"{each:>7.0f}  ({per_discard:.1f} frames per discard)")
    of_event = counts.bytes / max(1, counts.events)
    to_seats = counts.bytes_to_seats / discards
    report.print_line("bytes per discard to the four seats", f"{to_seats:>7.0f}")
    report.print_line("bytes per event and viewer", f"{of_event:>7.0f}")
    report.print_line("whole tables sent again", f"{counts.syncs:>7}")
    report.print_line("refused answers, in all", f"{counts.refused:>7}")


def main() -> None:
    """Measure one load from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--pace", type=float, default=PACE_S, help="seconds; 0: at once")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--warm-up", type=float, default=10.0, help="seconds before measuring")
    parser.add_argument("--daphnes", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--spread", action="store_true", help="one table at several Daphnes")
    parser.add_argument(
        "--one-processor", action="store_true", help="for the site with Redis; clients on others"
    )
    parser.add_argument("--spectators", type=int, default=0, help="at one of the tables")
    parser.add_argument("--rounds", type=int, default=3, help="without and with those")
    parser.add_argument("--bot-tables", type=int, default=0, help="of four bots, beside the tables")
    parser.add_argument("--bot-server", action="store_true", help="those bots at one more Daphne")
    parser.add_argument("--rush", type=int, default=0, help="tables that open within five seconds")
    asked = vars(parser.parse_args())
    rush = asked.pop("rush")
    spectators, rounds = asked.pop("spectators"), asked.pop("rounds")
    bot_tables, load = asked.pop("bot_tables"), Load(**asked)
    if load.bot_server and not bot_tables:
        parser.error("--bot-server needs --bot-tables")
    with start_site(load) as running_site:
        if rush:
            rush_load.measure(running_site, load, rush)
        elif bot_tables:
            bot_load.measure(running_site, load, bot_tables, rounds)
        elif spectators:
            spectator_load.measure(running_site, load, spectators, rounds)
        else:
            measure(running_site, load)


if __name__ == "__main__":
    main()
