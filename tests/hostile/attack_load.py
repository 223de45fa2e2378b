"""Measure what attacks cost players: ``python -m tests.hostile.attack_load [NAME...]``.

Four players play at human pace on one web server. For each attack the program measures the server's
memory, and how long a discard takes to reach the other players before and during the attack. It
exits with 1 when the server stops answering, or grows or slows down beyond the limits in
`docs/operations.md`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()

import psutil  # noqa: E402

from bench import report  # noqa: E402
from bench.socket_clients import (  # noqa: E402
    Counts,
    Pace,
    PlayerClient,
    TableClient,
    abort_sockets,
    closing_reasons,
    keep_pinging,
    open_socket,
)
from tests.hostile.attacks import ATTACKS  # noqa: E402
from tests.kit.processes import RedisServer, Site, migrate_database  # noqa: E402
from tests.web.site import RunningSite, serve  # noqa: E402
from tests.web.tables import open_table  # noqa: E402

from game.engine.clock import ClockSettings  # noqa: E402  isort: skip

DISCARD_EVERY_S: Final = 2.0
MAX_P99_GROWTH_S: Final = 0.15
TRIES: Final = 3
"""An attack fails only if it fails this often: on a busy machine the slowest of some hundred
discards may be slow without any attack."""
MAX_MEMORY_GROWTH_BYTES: Final = 150 * 2**20
"""The largest growth of the server's memory during one attack."""


def main(arguments: Sequence[str]) -> int:
    """Run these attacks, or all; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.hostile.attack_load", description=__doc__
    )
    parser.add_argument("--tables", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=12.0, help="seconds of each attack")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"any of {', '.join(ATTACKS)}; all by default"
    )
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - ATTACKS.keys():
        parser.error(f"no such attack: {unknown.pop()}; there are {', '.join(ATTACKS)}")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with ExitStack() as stack:
        first, second, third = (
            Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mj-"))) for _ in range(3)
        )
        redis = RedisServer(first)
        stack.callback(redis.kill)
        redis.start()
        site = Site(redis, second, migrate_database(third))
        stack.callback(site.stop)
        running_site = serve(site)
        failures = asyncio.run(
            _measure_attacks(
                running_site, options.names or list(ATTACKS), options.tables, options.seconds
            )
        )
    for line in failures:
        print(f"FOUND {line}")
    return 1 if failures else 0


async def _measure_attacks(
    running_site: RunningSite, names: list[str], tables: int, seconds: float
) -> list[str]:
    people = running_site.sign_in(*(f"p{number}" for number in range(4 * tables)))
    counts, rng, failures = Counts(), Random(1), list[str]()
    target = running_site.socket_url(await open_table(running_site.redis.url, []))
    players: list[TableClient] = []
    for first in range(0, len(people), 4):
        four = people[first : first + 4]
        table_id = await open_table(running_site.redis.url, four, ClockSettings())
        pace, sent_at = Pace(DISCARD_EVERY_S, rng), [0.0] * 4
        for seat, person in enumerate(four):
            player = PlayerClient(seat, sent_at, pace, counts)
            await open_socket(running_site.socket_url(table_id), person.cookie, player)
            players.append(player)
    pings = asyncio.create_task(keep_pinging(players))
    await asyncio.sleep(4)
    for name in names:
        for _ in range(TRIES):
            found = await _measure_attack(running_site, name, target, counts, seconds)
            if not found:
                break
        failures += found
        if lost := closing_reasons(players):
            return [*failures, f"{name}: players lost their sockets: {', '.join(lost)}"]
        if counts.refused:
            return [*failures, f"{name}: {counts.refused} answers of players were refused"]
    pings.cancel()
    abort_sockets(players)
    return failures


async def _measure_attack(
    running_site: RunningSite, name: str, target: str, counts: Counts, seconds: float
) -> list[str]:
    server = psutil.Process(running_site.daphnes[0].pid)
    quiet = await _measure_discards(counts, seconds)
    before, cpu = server.memory_info().rss, server.cpu_times()
    attack = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.hostile.attacks", name, target, str(seconds)),
        stdout=asyncio.subprocess.PIPE,
    )
    peak, under_attack = before, list[float]()
    for _ in range(max(1, int(seconds))):
        under_attack += await _measure_discards(counts, 1.0)
        peak = max(peak, server.memory_info().rss)
    output, _ = await attack.communicate()
    spent = server.cpu_times()
    used = (spent.user + spent.system - cpu.user - cpu.system) / seconds
    await asyncio.sleep(1)
    after = server.memory_info().rss
    report.print_line(f"{name}: quiet", report.format_latency(quiet))
    report.print_line(f"{name}: under attack", report.format_latency(under_attack))
    sizes = " -> ".join(f"{size / 2**20:.0f}" for size in (before, peak, after))
    report.print_line(
        f"{name}: server", f"{sizes} MiB, {used:.0%} of a processor; {output.decode().strip()}"
    )
    failures = []
    if attack.returncode != 0:
        failures.append(f"{name}: the attack itself ended with {attack.returncode}")
    slower = report.percentile(under_attack, 0.99) - report.percentile(quiet, 0.99)
    if slower > MAX_P99_GROWTH_S:
        failures.append(f"{name}: a discard takes {slower:.3f} s longer")
    if peak - before > MAX_MEMORY_GROWTH_BYTES:
        failures.append(f"{name}: the server has grown by {(peak - before) / 2**20:.0f} MiB")
    if not under_attack:
        failures.append(f"{name}: no player could discard")
    return failures


async def _measure_discards(counts: Counts, seconds: float) -> list[float]:
    counts.latencies_s.clear()
    counts.is_counting = True
    await asyncio.sleep(seconds)
    counts.is_counting = False
    return list(counts.latencies_s)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
