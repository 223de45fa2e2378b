"""Inject faults at random for some minutes: ``python -m tests.faults.soak``.

Prints each fault, the seed that repeats the same faults, and a report at the end. Exits with 1 if
any error was found.
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

from tests.faults.faults import Fault, all_faults, inject_faults  # noqa: E402
from tests.faults.redis_proxy import RedisProxies  # noqa: E402
from tests.faults.site import FaultSite  # noqa: E402
from tests.kit.processes import RedisServer, Site, migrate_database  # noqa: E402


def main(arguments: Sequence[str]) -> int:
    """Run for the given minutes; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args(arguments)
    seed = Random().randrange(10_000) if options.seed is None else options.seed
    print(f"faults: seed {seed}, {options.tables} tables, {options.minutes:g} minutes", flush=True)
    with ExitStack() as stack:
        first, second, third = (
            Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mj-"))) for _ in range(3)
        )
        redis = RedisServer(first)
        stack.callback(redis.kill)
        redis.start()
        proxies = RedisProxies(second, redis.url)
        stack.callback(proxies.close)
        processes = Site(redis, third, migrate_database(second))
        stack.callback(processes.stop)
        site = FaultSite(processes, proxies, Random(seed))
        site.start()
        asyncio.run(_soak(site, options.tables, options.minutes * 60))
    for line in site.report.to_lines():
        print(line)
    return 1 if site.report.errors else 0


async def _soak(site: FaultSite, tables: int, seconds: float) -> None:
    began = time.monotonic()
    site.start_games(tables)
    await site.wait_for_progress()
    memory = {"at the start": _resident_memory(site)}
    while time.monotonic() - began < seconds:
        faults = _choose_faults(site.rng)
        known = len(site.report.errors)
        print(
            f"{time.monotonic() - began:7.1f} s  "
            + ", ".join(f"{fault.kind} ({fault.affects})" for fault in faults),
            flush=True,
        )
        await inject_faults(site, *faults)
        for error in site.report.errors[known:]:
            print(f"FOUND {error}", flush=True)
    memory["at the end"] = _resident_memory(site)
    await site.stop()
    for when, resident in memory.items():
        print(f"resident memory {when}: {resident}")


def _choose_faults(rng: Random) -> list[Fault]:
    """Choose one fault, or two that affect different things."""
    one, other = rng.sample(all_faults(), 2)
    return [one, other] if rng.random() < 0.5 and one.affects != other.affects else [one]


def _resident_memory(site: FaultSite) -> str:
    pids = (
        [server.pid for server in site.web]
        + [worker.pid for worker in site.workers]
        + [site.redis.pid]
    )
    sizes = [psutil.Process(pid).memory_info().rss / 2**20 for pid in pids]
    by_name = dict(zip(["web 0", "web 1", "worker 0", "worker 1", "Redis"], sizes, strict=True))
    assert {*site.proxy_of, "Redis"} == set(by_name)
    return ", ".join(f"{name} {size:.0f} MiB" for name, size in by_name.items())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
