"""The faults at random, for as long as one likes: ``python -m tests.faults.soak``.

Prints the seed from which the faults follow, each fault as it comes, and at the end what it all
comes to. Exits with 1 if anything was found that should not have been.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()

import psutil  # noqa: E402

from tests.faults.faults import Strike, all_strikes, struck  # noqa: E402
from tests.faults.lines import Lines  # noqa: E402
from tests.faults.site import Floor  # noqa: E402
from tests.kit.processes import RedisServer, Site, migrated  # noqa: E402


def main(arguments: Sequence[str]) -> int:
    """Run for the minutes asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--seed", type=int, default=None)
    wanted = parser.parse_args(arguments)
    seed = Random().randrange(10_000) if wanted.seed is None else wanted.seed
    print(f"faults: seed {seed}, {wanted.tables} tables, {wanted.minutes:g} minutes", flush=True)
    with ExitStack() as stack:
        first, second, third = (
            Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mj-"))) for _ in range(3)
        )
        redis = RedisServer(first)
        stack.callback(redis.kill)
        redis.start()
        lines = Lines(second, redis.url)
        stack.callback(lines.close)
        site = Site(redis, third, migrated(second))
        stack.callback(site.stop)
        floor = Floor(site, lines, Random(seed))
        floor.start()
        asyncio.run(_soak(floor, wanted.tables, wanted.minutes * 60))
    for line in floor.tally.lines():
        print(line)
    return 1 if floor.tally.findings else 0


async def _soak(floor: Floor, tables: int, seconds: float) -> None:
    began = time.monotonic()
    floor.seat(tables)
    await floor.has_gone_on()
    memory = {"at first": _resident(floor)}
    while time.monotonic() - began < seconds:
        strikes = _next(floor.rng)
        found = len(floor.tally.findings)
        print(
            f"{time.monotonic() - began:7.1f} s  "
            + ", ".join(f"{strike.kind} ({strike.touches})" for strike in strikes),
            flush=True,
        )
        await struck(floor, *strikes)
        for finding in floor.tally.findings[found:]:
            print(f"FOUND {finding}", flush=True)
    memory["at the end"] = _resident(floor)
    await floor.stop()
    for when, resident in memory.items():
        print(f"resident memory {when}: {resident}")


def _next(rng: Random) -> list[Strike]:
    """One fault, or two that do not touch the same."""
    one, other = rng.sample(all_strikes(), 2)
    return [one, other] if rng.random() < 0.5 and one.touches != other.touches else [one]


def _resident(floor: Floor) -> str:
    processes = [*floor.web, *floor.workers, floor.redis]
    names = [*floor.line_of, "Redis"]
    sizes = [psutil.Process(process.pid).memory_info().rss / 2**20 for process in processes]
    by_name = dict(zip(["web 0", "web 1", "worker 0", "worker 1", "Redis"], sizes, strict=True))
    assert set(names) == set(by_name)
    return ", ".join(f"{name} {size:.0f} MiB" for name, size in by_name.items())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
