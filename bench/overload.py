"""Measures what a web server does with more tables than its processor can serve.

``python -m bench.overload --tables 300`` plays at human pace, then faster and faster until the web
server takes a whole processor or a discard takes a quarter of a second to the others. Then the
players ask for 1.25 times that much, and calm down again. For each part it prints how long a
discard takes to the others, at last how many seconds after the hurry it takes as long as before.
Tables have no pauses, which would limit the speed. Server and clients share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from random import Random
from typing import Final

import psutil

from bench import report
from bench.loaded_site import PACE_S, WITHOUT_PAUSES, Load, fill_tables, sign_in_fours, start_site
from bench.socket_clients import (
    Counts,
    TableClient,
    abort_sockets,
    closing_reasons,
    keep_pinging,
)
from tests.web.site import RunningSite

_RECOVERED_FACTOR: Final = 2.0
"""The server has recovered when the median of a second is below that many times the one before."""
_ALWAYS_GOOD_S: Final = 0.05
"""A median below this counts as recovered in any case."""
_MAX_RECOVERY_S: Final = 30
"""After so many seconds it has not recovered."""
_FULL_LOAD: Final = 0.85
"""Of a processor."""
_LATE_S: Final = 0.25
_SPEED_STEP: Final = 1.5
_MAX_SPEED: Final = 60


class _Hurry:
    """How much faster than at human pace the players of all tables play."""

    factor = 1.0


class _HurriedRandom(Random):
    """The random numbers of `Pace`, by which players think: all are divided by the hurry."""

    def __init__(self, hurry: _Hurry) -> None:
        super().__init__(1)
        self._hurry = hurry

    def uniform(self, a: float, b: float) -> float:
        return super().uniform(a, b) / self._hurry.factor


async def measure(running_site: RunningSite, load: Load, times: float) -> None:
    """Print the figures of the three parts."""
    counts, hurry = Counts(), _Hurry()
    fours = sign_in_fours(running_site, load.tables)
    clients, _ = await fill_tables(
        running_site, load, fours, [counts] * load.tables, _HurriedRandom(hurry), WITHOUT_PAUSES
    )
    pings = asyncio.create_task(keep_pinging(clients))
    server = psutil.Process(running_site.daphnes[0].pid)
    await asyncio.sleep(load.warm_up)
    usual_s, share = await _measure_part("at human pace", counts, server, load.seconds)
    median_s = usual_s
    while share < _FULL_LOAD and median_s < _LATE_S and hurry.factor < _MAX_SPEED:
        hurry.factor *= _SPEED_STEP
        part = f"{hurry.factor:.1f} times as fast"
        median_s, share = await _measure_part(part, counts, server, load.seconds / 4)
    hurry.factor *= times
    await _measure_part("overload", counts, server, load.seconds)
    hurry.factor = 1.0
    ended_at = time.perf_counter()
    for _ in range(_MAX_RECOVERY_S):
        median_s, _ = await _measure_part("after it", counts, server, 1.0)
        if 0 < median_s <= max(_RECOVERED_FACTOR * usual_s, _ALWAYS_GOOD_S):
            outcome = "recovered after"
            break
    else:
        outcome = "not recovered after"
    report.print_line(outcome, f"{time.perf_counter() - ended_at:>7.1f} s")
    pings.cancel()
    _close_sockets(clients)


async def _measure_part(
    part: str, counts: Counts, server: psutil.Process, seconds: float
) -> tuple[float, float]:
    """Play for that time and print the figures. Return the median seconds until a discard reaches
    the other players, and the share of one processor that the web server used."""
    counts.latencies_s.clear()
    counts.discards = counts.syncs = counts.refused = 0
    before, counts.is_counting = server.cpu_times(), True
    await asyncio.sleep(seconds)
    counts.is_counting, after = False, server.cpu_times()
    share = (after.user + after.system - before.user - before.system) / seconds
    report.print_line(f"{part}: discard to the others", report.format_latency(counts.latencies_s))
    report.print_line(
        f"{part}: discards a second, of a processor, whole tables",
        f"{counts.discards / seconds:>7.0f}  {share:.0%}  {counts.syncs}",
    )
    return report.percentile(counts.latencies_s, 0.5), share


def _close_sockets(clients: Sequence[TableClient]) -> None:
    lost = sum(bool(client.socket and client.socket.closed) for client in clients)
    report.print_line("sockets that the server closed", f"{lost:>7}  {closing_reasons(clients)}")
    abort_sockets(clients)


def main() -> None:
    """Measure from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.overload", description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--times", type=float, default=1.25, help="of what it can serve")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each part")
    asked = parser.parse_args()
    load = Load(asked.tables, pace=PACE_S, seconds=asked.seconds)
    with start_site(load) as running_site:
        report.print_heading(
            f"overload: {load.tables} tables, {asked.times} times what it can serve"
        )
        asyncio.run(measure(running_site, load, asked.times))


if __name__ == "__main__":
    main()
