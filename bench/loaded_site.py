"""A site that is started for a load, and its tables, filled with a crowd."""

from __future__ import annotations

import asyncio
import os
import resource
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

from bench.clients import Counts, Pace, Reader, Seated, Watching, come
from bench.commits import own_redis
from game.engine.clock import ClockSettings
from game.engine.rules import TENHOU
from game.live.process import Process
from game.tables.room import SeatMeta, TableId
from mahjong_site.interpreter import collect_seldom
from tests.kit.processes import Site, migrated
from tests.web.site import Served, Signed

PACE_S: Final = 2.5
"""Between two discards at a table of people."""
_AT_ONCE: Final = 12
"""Tables that are being sat down at."""
_HURRIED: Final = ClockSettings(
    lead_ms=0, deal_ms=0, pause_ms=0, result_ms=1_000, result_pause_ms=0, lag_ms=5_000
)


class Load(NamedTuple):
    """What is put upon which server."""

    tables: int
    pace: float = PACE_S
    seconds: float = 30.0
    warm_up: float = 10.0
    daphnes: int = 1
    workers: int = 1
    spread: bool = False
    """The sockets of one table at different Daphnes; else all at the same."""


@contextmanager
def started(load: Load) -> Iterator[Served]:
    """A site with as many processes as that load asks for."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="mj-") as directory, ExitStack() as stack:
        database = migrated(Path(directory))
        own = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mj-")))
        site = Site(stack.enter_context(own_redis()), own, database)
        stack.callback(site.stop)
        site.env["SOCKETS_PER_ADDRESS"] = "0"
        workers = [site.worker() for _ in range(load.workers)]
        daphnes = [site.daphne() for _ in range(load.daphnes)]
        collect_seldom()
        yield Served(site, workers=workers, daphnes=daphnes)


async def arrived(
    served: Served, load: Load, fours: Sequence[Sequence[Signed]], counts: Sequence[Counts]
) -> tuple[list[Reader], list[TableId]]:
    """The tables are opened and sat down at, some at a time, and play at once. `counts` are
    those of the tables, one for each; who came, and the tables in the order of `fours`."""
    waiting, rng = iter(enumerate(fours)), Random(1)
    process = Process(served.redis.url)
    clock = ClockSettings() if load.pace else _HURRIED
    crowd: list[Reader] = []
    tables: dict[int, TableId] = {}

    async def usher() -> None:
        for number, four in waiting:
            table_id = tables[number] = await _opened(process, four, clock)
            pace, sent_at = Pace(load.pace, rng), [0.0] * 4
            seats = [Seated(seat, sent_at, pace, counts[number]) for seat in range(4)]
            party: list[Reader] = [*seats, Watching(counts[number])]
            for place, who in enumerate(party):
                url = served.socket_url(table_id, (number + load.spread * place) % load.daphnes)
                await come(url, four[place].cookie if place < len(four) else "", who)
            crowd.extend(party)

    try:
        await asyncio.gather(*(usher() for _ in range(_AT_ONCE)))
    finally:
        await process.stop()
    return crowd, [tables[number] for number in range(len(fours))]


def fours_of(served: Served, tables: int) -> list[list[Signed]]:
    """So many times four people with sessions."""
    people = served.sign_in(*(f"p{number}" for number in range(4 * tables)))
    return [people[first : first + 4] for first in range(0, len(people), 4)]


async def _opened(process: Process, four: Sequence[Signed], clock: ClockSettings) -> TableId:
    east, south, west, north = [
        SeatMeta(name=f"p{seat}", person=who.person) for seat, who in enumerate(four)
    ]
    return await process.service.open_table(
        seats=(east, south, west, north), rules=TENHOU, clock=clock
    )
