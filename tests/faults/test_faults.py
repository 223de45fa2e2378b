"""While people play, everything that can break breaks, and nobody notices more than a pause.

Each kind of fault once. `make soak` goes on for as long as one likes.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.faults.faults import Strike, all_strikes, struck
from tests.faults.lines import Lines
from tests.faults.site import Floor
from tests.kit.processes import Site

TABLES = 2
AT_THE_SAME_TIME = (
    ("a client does not read", "commands arrive twice", "every poke doubled"),
    ("every poke reordered", "sockets cut, after the frame"),
    ("every poke dropped", "sockets cut, half a frame"),
    ("web loses Redis's answers", "worker loses Redis's answers"),
    ("web killed", "Redis's memory is full"),
    ("web stands still", "worker stands still"),
    ("Redis stands still", "worker killed"),
    ("Redis killed",),
    ("Redis restarted",),
)


@pytest.mark.timeout(120)
async def test_whatever_breaks_every_hand_goes_on(
    site: Site, record_property: Callable[[str, object], None]
) -> None:
    rng = Random(1)
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        lines = Lines(Path(directory), site.redis.url)
        floor = Floor(site, lines, rng)
        try:
            await asyncio.to_thread(floor.start)
            floor.seat(TABLES)
            await floor.has_gone_on()
            for kinds in AT_THE_SAME_TIME:
                await struck(floor, *(_one_of(kind, rng) for kind in kinds))
            await floor.has_archived(1)
        finally:
            await floor.stop()
            await asyncio.to_thread(site.stop)
            lines.close()
    record_property("figures", f"faults: {floor.tally.in_one_line()}")
    assert not floor.tally.findings, "\n".join(floor.tally.lines())
    assert set(floor.tally.faults) == {strike.kind for strike in all_strikes()}
    assert floor.tally.archived > 0
    assert set(floor.tally.pokes) == {"dropped", "doubled", "reordered"}


def _one_of(kind: str, rng: Random) -> Strike:
    return rng.choice([strike for strike in all_strikes() if strike.kind == kind])
