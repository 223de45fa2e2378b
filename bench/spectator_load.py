"""Measures how a thousand spectators at one table delay the players.

Periods without and with spectators alternate in one run. The players of the watched table and those
of all other tables are measured apart. With several web servers the spectators connect to the last
server, and the players of the watched table to the first.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

import psutil

from bench import report
from bench.loaded_site import Load, fill_tables, sign_in_fours
from bench.socket_clients import Counts, abort_sockets, keep_pinging
from bench.spectators import READY
from tests.web.site import RunningSite

_PAUSE_S: Final = 5.0
"""Pause after spectators come or go; their new count is sent meanwhile."""


@dataclass
class Latencies:
    """The measurements with or without spectators. Latencies are the seconds from a discard until
    another seat receives it."""

    watched: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    p99s: list[tuple[float, float]] = field(default_factory=list)
    """99th percentiles of each round, as a pair: at the watched table, and at the others."""
    server_s: float = 0.0
    """CPU seconds of the web servers."""


def measure(running_site: RunningSite, load: Load, spectators: int, rounds: int) -> None:
    """Measure a running site `rounds` times with and without `spectators` at one table."""
    report.print_heading(
        f"watched: {load.tables} tables, a discard every {load.pace} s at each; "
        f"{spectators} spectators at one, {rounds} times {load.seconds:.0f} s without and with"
    )
    asyncio.run(_measure(running_site, load, spectators, rounds))


async def _measure(running_site: RunningSite, load: Load, spectators: int, rounds: int) -> None:
    at_watched, at_others = Counts(), Counts()
    counts = [at_watched, *[at_others] * (load.tables - 1)]
    clients, tables = await fill_tables(
        running_site, load, sign_in_fours(running_site, load.tables), counts
    )
    pings = asyncio.create_task(keep_pinging(clients))
    without, with_them = Latencies(), Latencies()
    reports = list[dict[str, Any]]()
    url = running_site.socket_url(tables[0], load.daphnes - 1)
    pause_s = min(_PAUSE_S, load.seconds)
    await asyncio.sleep(load.warm_up)
    for _ in range(rounds):
        await _measure_latencies(running_site, at_watched, at_others, load.seconds, without)
        watching = await _start_spectators(url, spectators)
        await asyncio.sleep(pause_s)
        await _measure_latencies(running_site, at_watched, at_others, load.seconds, with_them)
        reports.append(await _stop_spectators(watching, at_watched))
        await asyncio.sleep(pause_s)
    pings.cancel()
    _print_latencies(without, with_them, reports, load.seconds * rounds)
    abort_sockets(clients)


async def _measure_latencies(
    running_site: RunningSite,
    at_watched: Counts,
    at_others: Counts,
    seconds: float,
    into: Latencies,
) -> None:
    before = _server_cpu_s(running_site)
    for counts in (at_watched, at_others):
        counts.latencies_s.clear()
        counts.received_at.clear()
        counts.is_counting = True
    await asyncio.sleep(seconds)
    at_watched.is_counting = at_others.is_counting = False
    into.watched += at_watched.latencies_s
    into.others += at_others.latencies_s
    into.p99s.append(
        (
            report.percentile(at_watched.latencies_s, 0.99),
            report.percentile(at_others.latencies_s, 0.99),
        )
    )
    into.server_s += _server_cpu_s(running_site) - before


async def _start_spectators(url: str, spectators: int) -> Process:
    watching = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.spectators", url, str(spectators)), stdin=PIPE, stdout=PIPE
    )
    assert watching.stdout is not None
    line = (await watching.stdout.readline()).decode().strip()
    if line != READY:
        raise RuntimeError("the spectators could not connect")
    return watching


async def _stop_spectators(watching: Process, at_watched: Counts) -> dict[str, Any]:
    output, _ = await watching.communicate(json.dumps(at_watched.received_at).encode() + b"\n")
    found: dict[str, Any] = json.loads(output)
    return found


def _server_cpu_s(running_site: RunningSite) -> float:
    times = [psutil.Process(daphne.pid).cpu_times() for daphne in running_site.daphnes]
    return sum(spent.user + spent.system for spent in times)


def _print_latencies(
    without: Latencies, with_them: Latencies, reports: Sequence[dict[str, Any]], seconds: float
) -> None:
    for place, name in enumerate(("the watched table", "the other tables")):
        for latencies, how in ((without, "without"), (with_them, "with")):
            seconds_each = (latencies.watched, latencies.others)[place]
            middle = median(p99[place] for p99 in latencies.p99s) * 1000
            value = (
                f"{report.format_latency(seconds_each)}  {middle:.1f} ms median of the rounds' p99"
            )
            report.print_line(f"{name}, {how} the spectators", value)
    used = " / ".join(f"{usage.server_s / seconds:.0%}" for usage in (without, with_them))
    report.print_line("web servers, of one processor: without / with", used)
    frames = sum(result["frames"] for result in reports)
    delays_ms = [max(result[name] for result in reports) * 1000 for name in ("median_s", "p99_s")]
    report.print_line(
        "from a player's receipt of a frame to a spectator's",
        f"{delays_ms[0]:.0f} ms p50  {delays_ms[1]:.0f} ms p99  (of {frames:,})",
    )
    lost = sorted({how for result in reports for how in result["ended"]})
    report.print_line("spectators that the server closed", f"{lost or 'none'}")
