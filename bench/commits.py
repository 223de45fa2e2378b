"""Measures commits through the table service into a real Redis, from one process.

Players discard what they draw and never wait. Every commit is one answer: decided, appended in
Redis and folded. There are no spectators, so that no frames are encoded.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bench import report
from game.engine.rules import TENHOU
from game.engine.state import Phase
from game.live.process import Process
from game.tables.room import TableId, TableMeta
from tests.kit.processes import RedisServer
from tests.tables.staging import AT_ONCE, people, submit_answer

MANY: Final = 64


def run(*, quick: bool) -> None:
    """Print the figures of one table alone and of many tables at once."""
    runs, seconds = (1, 0.5) if quick else (3, 4.0)
    report.heading("redis: commits through rooms, one process, append-only file on")
    with own_redis() as redis:
        for tables in (1, MANY):
            measured = [asyncio.run(_measure(redis.url, tables, seconds)) for _ in range(runs)]
            label = f"{tables} table{'s' if tables > 1 else ' alone'}"
            rates = [len(waits) / seconds for waits, _ in measured]
            report.line(label, report.spread(rates, "commits/s"))
            waits = [wait for waits, _ in measured for wait in waits]
            report.line(f"{label}, from answer to commit", report.latency(waits))
            cpu = sum(spent for _, spent in measured) / len(waits)
            report.line(f"{label}, CPU of the process per commit", f"{cpu * 1e6:>7.0f} us")


@contextmanager
def own_redis() -> Iterator[RedisServer]:
    """Start a private empty Redis server, and end it afterwards."""
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        server = RedisServer(Path(directory))
        server.start()
        try:
            yield server
        finally:
            server.kill()


async def _measure(url: str, tables: int, seconds: float) -> tuple[list[float], float]:
    """Return the seconds of each commit, and the CPU seconds of this process for all of them."""
    process = Process(url)
    waits: list[float] = []
    try:
        table_ids = [await open_table(process) for _ in range(tables)]
        until = time.perf_counter() + seconds
        started = time.process_time()
        players = [play(process, table_id, until, waits) for table_id in table_ids]
        await asyncio.gather(*players)
        return waits, time.process_time() - started
    finally:
        await process.stop()


async def open_table(process: Process) -> TableId:
    return await process.service.open_table(TableMeta(seats=people(), clock=AT_ONCE), TENHOU)


async def play(process: Process, table_id: TableId, until: float, waits: list[float]) -> None:
    """Answer every question at a table; after its game, at a new one."""
    room = await process.service.read_room(table_id)
    while (began := time.perf_counter()) < until:
        room = await submit_answer(process, room)
        waits.append(time.perf_counter() - began)
        if room.table.phase == Phase.ENDED:
            room = await process.service.read_room(await open_table(process))
