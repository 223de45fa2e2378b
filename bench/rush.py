"""Measures how many tables that open at once delay the players of running ones: the round of a
tournament, or the return of everybody after a restart.
"""

from __future__ import annotations

import asyncio
import time
from random import Random
from typing import Final

from bench import report
from bench.loaded_site import Load, fill_tables, open_table, sign_in_fours
from bench.socket_clients import (
    Counts,
    Pace,
    PlayerClient,
    TableClient,
    abort_sockets,
    closing_reasons,
    keep_pinging,
    open_socket,
)
from game.engine.clock import ClockSettings
from game.live.process import Process
from tests.web.site import RunningSite

WITHIN_S: Final = 5.0
"""The time in which all tables open and their players connect."""
_AFTER_S: Final = 5.0


def measure(running_site: RunningSite, load: Load, tables: int) -> None:
    """Open `tables` tables of four players within five seconds, while the tables of the load
    play."""
    report.print_heading(
        f"rush: beside {load.tables} tables, a discard every {load.pace} s at each, {tables} "
        f"tables with {4 * tables} sockets open within {WITHIN_S:.0f} s"
    )
    asyncio.run(_measure(running_site, load, tables))


async def _measure(running_site: RunningSite, load: Load, tables: int) -> None:
    counts = Counts()
    running, late = sign_in_fours(running_site, load.tables), sign_in_fours(running_site, tables)
    clients, _ = await fill_tables(running_site, load, running, [counts] * load.tables)
    pings = asyncio.create_task(keep_pinging(clients))
    await asyncio.sleep(load.warm_up)
    counts.is_counting = True
    await asyncio.sleep(load.seconds)
    quiet, counts.latencies_s = counts.latencies_s, []
    began = time.perf_counter()
    process, rng, new = Process(running_site.redis.url), Random(2), list[TableClient]()

    async def open_one(number: int) -> None:
        await asyncio.sleep(number * WITHIN_S / tables)
        table_id = await open_table(process, late[number], ClockSettings())
        pace, sent_at = Pace(load.pace, rng), [0.0] * 4
        for seat, person in enumerate(late[number]):
            client = PlayerClient(seat, sent_at, pace, Counts())
            url = running_site.socket_url(table_id, number % load.daphnes)
            await open_socket(url, person.cookie, client)
            new.append(client)

    try:
        await asyncio.gather(*(open_one(number) for number in range(tables)))
    finally:
        await process.stop()
    opened_s = time.perf_counter() - began
    await asyncio.sleep(_AFTER_S)
    counts.is_counting = False
    pings.cancel()
    report.print_line("opened within", f"{opened_s:>7.1f} s")
    report.print_line("from a discard to the others, before", report.format_latency(quiet))
    report.print_line(
        "from a discard to the others, meanwhile", report.format_latency(counts.latencies_s)
    )
    report.print_line("sockets that the server closed", f"{closing_reasons(clients + new)}")
    abort_sockets(clients + new)
