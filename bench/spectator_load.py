"""What players notice of a thousand watchers at one table.

In one run and in turns: some seconds without them, some seconds with them. The waits of the
players of that table and of all other tables are told apart. With several web servers the watchers
are at the last one, and the players of that table at the first.
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
from bench.clients import Counts, keep_pinging
from bench.loaded_site import Load, arrived, fours_of, started
from bench.spectators import HERE
from tests.web.site import Served

_SETTLES_S: Final = 5.0
"""At most, after a thousand have come or gone: how many they are is told to all who are there."""


@dataclass
class Waits:
    """Seconds from a discard to its receipt, one for each other seat."""

    watched: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    p99s: list[tuple[float, float]] = field(default_factory=list)
    """Of each time of measuring: at the watched table, and at the others."""
    server_s: float = 0.0


def measure(load: Load, watchers: int, rounds: int) -> None:
    """Start a site, let people play, and let so many come and go."""
    with started(load) as served:
        measure_at(served, load, watchers, rounds)


def measure_at(served: Served, load: Load, watchers: int, rounds: int) -> None:
    """The same at a site that has been started."""
    report.heading(
        f"watched: {load.tables} tables, a discard every {load.pace} s at each; "
        f"{watchers} watchers at one of them, {rounds} times {load.seconds:.0f} s without and with"
    )
    asyncio.run(_measure(served, load, watchers, rounds))


async def _measure(served: Served, load: Load, watchers: int, rounds: int) -> None:
    at_watched, at_others = Counts(), Counts()
    counts = [at_watched, *[at_others] * (load.tables - 1)]
    crowd, tables = await arrived(served, load, fours_of(served, load.tables), counts)
    pings = asyncio.create_task(keep_pinging(crowd))
    without, with_them = Waits(), Waits()
    told = list[dict[str, Any]]()
    url = served.socket_url(tables[0], load.daphnes - 1)
    settles_s = min(_SETTLES_S, load.seconds)
    await asyncio.sleep(load.warm_up)
    for _ in range(rounds):
        await _waited(served, at_watched, at_others, load.seconds, without)
        stands = await _came(url, watchers)
        await asyncio.sleep(settles_s)
        await _waited(served, at_watched, at_others, load.seconds, with_them)
        told.append(await _gone(stands, at_watched))
        await asyncio.sleep(settles_s)
    pings.cancel()
    _print(without, with_them, told, load.seconds * rounds)
    for who in crowd:
        if who.socket is not None:
            who.socket.abort()


async def _waited(
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


async def _came(url: str, watchers: int) -> Process:
    stands = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.spectators", url, str(watchers)), stdin=PIPE, stdout=PIPE
    )
    assert stands.stdout is not None
    said = (await stands.stdout.readline()).decode().strip()
    if said != HERE:
        raise RuntimeError("the watchers could not come")
    return stands


async def _gone(stands: Process, at_watched: Counts) -> dict[str, Any]:
    said, _ = await stands.communicate(json.dumps(at_watched.received_at).encode() + b"\n")
    found: dict[str, Any] = json.loads(said)
    return found


def _server_s(served: Served) -> float:
    times = [psutil.Process(one.pid).cpu_times() for one in served.daphnes]
    return sum(spent.user + spent.system for spent in times)


def _print(
    without: Waits, with_them: Waits, told: Sequence[dict[str, Any]], seconds: float
) -> None:
    for place, name in enumerate(("the watched table", "the other tables")):
        for waits, how in ((without, "without"), (with_them, "with")):
            seconds_each = (waits.watched, waits.others)[place]
            middle = median(p99[place] for p99 in waits.p99s) * 1000
            value = f"{report.latency(seconds_each)}  {middle:.1f} ms p99 of the middle round"
            report.line(f"{name}, {how} the watchers", value)
    used = " / ".join(f"{one.server_s / seconds:.0%}" for one in (without, with_them))
    report.line("web servers, of one processor: without / with", used)
    frames = sum(one["frames"] for one in told)
    late = [max(one[name] for one in told) * 1000 for name in ("half_s", "slow_s")]
    report.line(
        "from a player's receipt of a frame to a watcher's",
        f"{late[0]:.0f} ms p50  {late[1]:.0f} ms p99  (of {frames:,})",
    )
    lost = sorted({how for one in told for how in one["ended"]})
    report.line("watchers that the server closed", f"{lost or 'none'}")
