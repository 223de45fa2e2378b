"""Every hand goes on after each kind of fault, and no move is lost, doubled or late.

The test injects each kind once. `make soak` injects faults for any time.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.faults.faults import Fault, all_faults, inject_faults
from tests.faults.redis_proxy import RedisProxies
from tests.faults.site import FaultSite
from tests.kit.processes import Site

TABLES = 3
"""The third one has three players."""
AT_THE_SAME_TIME = (
    ("client does not read", "commands sent twice", "notifications doubled"),
    ("notifications reordered", "sockets cut, after the frame"),
    ("notifications dropped", "sockets cut, half a frame"),
    ("web loses Redis's answers", "worker loses Redis's answers"),
    ("web killed", "Redis out of memory"),
    ("web paused", "worker paused"),
    ("Redis paused", "worker killed"),
    ("Redis killed",),
    ("Redis restarted",),
)


async def test_tables_go_on_after_every_fault(
    site: Site, record_property: Callable[[str, object], None]
) -> None:
    rng = Random(1)
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        proxies = RedisProxies(Path(directory), site.redis.url)
        fault_site = FaultSite(site, proxies, rng)
        report = fault_site.report
        try:
            await asyncio.to_thread(fault_site.start)
            fault_site.start_games(TABLES)
            await fault_site.wait_for_progress()
            for kinds in AT_THE_SAME_TIME:
                await inject_faults(fault_site, *(_fault_of(kind, rng) for kind in kinds))
            await fault_site.wait_for_archive(1)
        finally:
            await fault_site.stop()
            await asyncio.to_thread(site.stop)
            proxies.close()
    record_property("figures", f"faults: {report.summary()}")
    assert not report.errors, "\n".join(report.to_lines())
    assert set(report.faults) == {fault.kind for fault in all_faults()}
    assert report.archived > 0
    assert report.norths > 0
    assert set(report.notifications) == {"dropped", "doubled", "reordered"}


def _fault_of(kind: str, rng: Random) -> Fault:
    return rng.choice([fault for fault in all_faults() if fault.kind == kind])
