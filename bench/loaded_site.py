"""Starts a site for a load, and fills its tables with clients."""

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

from bench.servers import own_redis
from bench.socket_clients import (
    Counts,
    Pace,
    PlayerClient,
    SpectatorClient,
    TableClient,
    open_socket,
)
from game.engine.clock import ClockSettings
from game.engine.rules import TENHOU, RuleSet
from game.live.process import Process
from game.tables.room import SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings
from mahjong_site.handover import Role
from mahjong_site.interpreter import collect_garbage_rarely
from tests.kit.processes import Site, migrate_database
from tests.web.site import RunningSite, SignedPerson

PACE_S: Final = 2.5
"""Seconds between two discards at a table of people."""
_OPENED_AT_ONCE: Final = 12
"""Tables that are filled at the same time."""
WITHOUT_PAUSES: Final = ClockSettings(
    lead_ms=0, deal_ms=0, reaction_ms=0, result_ms=1_000, result_pause_ms=0, lag_ms=5_000
)


class Load(NamedTuple):
    """A load of tables, and the server processes that carry it."""

    tables: int
    pace: float = PACE_S
    seconds: float = 30.0
    warm_up: float = 10.0
    daphnes: int = 1
    workers: int = 1
    spread: bool = False
    """Open the sockets of one table at different Daphnes; else all at the same."""
    bot_server: bool = False
    """Connect the bots of people to one more Daphne, at which no person is."""
    one_processor: bool = False
    """Run the site with its Redis on one processor, and the clients on another."""


@contextmanager
def start_site(load: Load, serves: Role = "all") -> Iterator[RunningSite]:
    """Start a site with the processes of that load, and stop it afterwards."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="mj-") as directory, ExitStack() as stack:
        if load.one_processor:
            ours = os.sched_getaffinity(0)
            stack.callback(os.sched_setaffinity, 0, ours)
            os.sched_setaffinity(0, {min(ours)})  # all that is started below stays there
        database = migrate_database(Path(directory))
        own = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mj-")))
        site = Site(stack.enter_context(own_redis()), own, database)
        stack.callback(site.stop)
        site.env |= {"SOCKETS_PER_ADDRESS": "0", "BUSY_LAG_MS": "50"}
        site.env |= {"PAGE_SECONDS_PER_ADDRESS": "20"}
        workers = [site.start_worker() for _ in range(load.workers)]
        daphnes = [site.start_daphne(serves) for _ in range(load.daphnes + load.bot_server)]
        if load.one_processor:
            os.sched_setaffinity(0, ours - {min(ours)})
        collect_garbage_rarely()
        yield RunningSite(site, workers=workers, daphnes=daphnes)


async def fill_tables(
    running_site: RunningSite,
    load: Load,
    fours: Sequence[Sequence[SignedPerson]],
    counts: Sequence[Counts],
    rng: Random | None = None,
    clock: ClockSettings | None = None,
) -> tuple[list[TableClient], list[TableId]]:
    """Open the tables and connect their clients, a few at a time; each table plays at once.

    `counts` has an entry for each table. `rng` draws the thinking times. Without `clock`, the clock
    settings follow from the load's pace. Return the clients, and the tables in the order of
    `fours`.
    """
    waiting, rng = iter(enumerate(fours)), rng or Random(1)
    process = Process(running_site.redis.url)
    clock = clock or (ClockSettings() if load.pace else WITHOUT_PAUSES)
    clients: list[TableClient] = []
    tables: dict[int, TableId] = {}

    async def fill() -> None:
        for number, four in waiting:
            table_id = tables[number] = await open_table(process, four, clock)
            pace, sent_at = Pace(load.pace, rng), [0.0] * 4
            seats = [PlayerClient(seat, sent_at, pace, counts[number]) for seat in range(4)]
            party: list[TableClient] = [*seats, SpectatorClient(counts[number])]
            for place, client in enumerate(party):
                url = running_site.socket_url(
                    table_id, (number + load.spread * place) % load.daphnes
                )
                await open_socket(url, four[place].cookie if place < len(four) else "", client)
            clients.extend(party)

    try:
        await asyncio.gather(*(fill() for _ in range(_OPENED_AT_ONCE)))
    finally:
        await process.stop()
    return clients, [tables[number] for number in range(len(fours))]


def sign_in_fours(running_site: RunningSite, tables: int) -> list[list[SignedPerson]]:
    """Sign in four people for each table."""
    people = running_site.sign_in(*(f"p{number}" for number in range(4 * tables)))
    return [people[first : first + 4] for first in range(0, len(people), 4)]


async def open_table(
    process: Process, four: Sequence[SignedPerson], clock: ClockSettings, rules: RuleSet = TENHOU
) -> TableId:
    """Open a table of these people."""
    east, south, west, north = [
        SeatMeta(name=f"p{seat}", person=person.person) for seat, person in enumerate(four)
    ]
    return await process.service.open_table(
        TableMeta(
            seats=(east, south, west, north), clock=clock, settings=TableSettings(rules=rules)
        )
    )
