"""Measures how a thousand spectators at one table delay the players.

Seconds without and with spectators alternate in one run. The players of that table and those of
all other tables are measured apart. With several web servers the spectators connect to the last,
and the players of that table to the first.
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
from bench.socket_clients import Counts, keep_pinging
from bench.spectators import READY
from tests.web.site import Served

_SETTLES_S: Final = 5.0
"""Waits this long after spectators come or go, while their new number is sent."""


@dataclass
class Waits:
    """Seconds from a discard to its receipt, one for each other seat."""

    watched: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    p99s: list[tuple[float, float]] = field(default_factory=list)
    """One pair per measurement: at the watched table, and at the others."""
    server_s: float = 0.0


def measure(served: Served, load: Load, spectators: int, rounds: int) -> None:
    """Measure a running site `rounds` times with and without `spectators` at one table."""
    report.heading(
        f"watched: {load.tables} tables, a discard every {load.pace} s at each; "
        f"{spectators} spectators at one, {rounds} times {load.seconds:.0f} s without and with"
    )
    asyncio.run(_measure(served, load, spectators, rounds))


async def _measure(served: Served, load: Load, spectators: int, rounds: int) -> None:
    at_watched, at_others = Counts(), Counts()
    counts = [at_watched, *[at_others] * (load.tables - 1)]
    crowd, tables = await fill_tables(served, load, sign_in_fours(served, load.tables), counts)
    pings = asyncio.create_task(keep_pinging(crowd))
    without, with_them = Waits(), Waits()
    reports = list[dict[str, Any]]()
    url = served.socket_url(tables[0], load.daphnes - 1)
    settles_s = min(_SETTLES_S, load.seconds)
    await asyncio.sleep(load.warm_up)
    for _ in range(rounds):
        await _measure_waits(served, at_watched, at_others, load.seconds, without)
        watching = await _start_spectators(url, spectators)
        await asyncio.sleep(settles_s)
        await _measure_waits(served, at_watched, at_others, load.seconds, with_them)
        reports.append(await _stop_spectators(watching, at_watched))
        await asyncio.sleep(settles_s)
    pings.cancel()
    _print(without, with_them, reports, load.seconds * rounds)
    for reader in crowd:
        if reader.socket is not None:
            reader.socket.abort()


async def _measure_waits(
    served: Served, at_watched: Counts, at_others: Counts, seconds: float, into: Waits
) -> None:
    before = _server_s(served)
    for counts in (at_watched, at_others):
        counts.waits.clear()
        counts.received_at.clear()
        counts.counts = True
    await asyncio.sleep(seconds)
    at_watched.counts = at_others.counts = False
    into.watched += at_watched.waits
    into.others += at_others.waits
    into.p99s.append(
        (report.percentile(at_watched.waits, 0.99), report.percentile(at_others.waits, 0.99))
    )
    into.server_s += _server_s(served) - before


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


def _server_s(served: Served) -> float:
    times = [psutil.Process(daphne.pid).cpu_times() for daphne in served.daphnes]
    return sum(spent.user + spent.system for spent in times)


def _print(
    without: Waits, with_them: Waits, reports: Sequence[dict[str, Any]], seconds: float
) -> None:
    for place, name in enumerate(("the watched table", "the other tables")):
        for waits, how in ((without, "without"), (with_them, "with")):
            seconds_each = (waits.watched, waits.others)[place]
            middle = median(p99[place] for p99 in waits.p99s) * 1000
            value = f"{report.latency(seconds_each)}  {middle:.1f} ms p99 of the middle round"
            report.line(f"{name}, {how} the spectators", value)
    used = " / ".join(f"{usage.server_s / seconds:.0%}" for usage in (without, with_them))
    report.line("web servers, of one processor: without / with", used)
    frames = sum(result["frames"] for result in reports)
    late = [max(result[name] for result in reports) * 1000 for name in ("half_s", "slow_s")]
    report.line(
        "from a player's receipt of a frame to a spectator's",
        f"{late[0]:.0f} ms p50  {late[1]:.0f} ms p99  (of {frames:,})",
    )
    lost = sorted({how for result in reports for how in result["ended"]})
    report.line("spectators that the server closed", f"{lost or 'none'}")
