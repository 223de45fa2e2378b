"""Measures what `REDIS_WAIT_REPLICAS=1` costs, and what it saves when a master dies.

The cost: commits of two processes in turn, one with 0 and one with 1, at a master with one replica.
The loss: tables play on a cluster whose replica lags; the master is killed (`kill -9`), the replica
is promoted, and acknowledged moves that its logs do not have are counted.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from django.test import override_settings
from redis.crc import key_slot

from bench import report
from bench.commits import MANY, open_table, play
from game.engine.state import Phase
from game.live.process import Process
from game.tables.errors import TablesUnavailable
from game.tables.keys import SHARDS, TableKeys, due_key
from game.tables.room import TableId
from tests.kit.processes import free_port, wait_until
from tests.kit.redises import SLOTS, Cluster, Server
from tests.tables.staging import submit_answer

_TABLES: Final = 8
"""At the master that is killed."""
_MOVE_EVERY_S: Final = 0.25
_LAGS_S: Final = (0.8, 3.0)
_BACKLOG: Final = 24 << 20
"""Bytes sent to the replica before the moves: more than the buffers of the sockets hold."""


def run(*, quick: bool) -> None:
    """Print the cost for one table and many, then the losses by the time for which a replica
    lagged."""
    _print_costs(quick=quick)
    _print_losses(_LAGS_S[:1] if quick else _LAGS_S)


def _print_costs(*, quick: bool) -> None:
    report.heading("replicas: commits with REDIS_WAIT_REPLICAS=0 and 1 in turn")
    rounds, seconds = (1, 0.5) if quick else (6, 2.0)
    with _master_with_replica() as url:
        for tables in (1, MANY):
            waits: dict[int, list[float]] = {0: [], 1: []}
            for _ in range(rounds):
                for replicas in waits:
                    waits[replicas] += asyncio.run(_commit(url, replicas, tables, seconds))
            for replicas, measured in waits.items():
                label = f"{tables} table{'s' if tables > 1 else ''}, {replicas}"
                rate = len(measured) / rounds / seconds
                report.line(label, f"{report.latency(measured)}, {rate:,.0f} commits/s")


@contextmanager
def _master_with_replica() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        options = ["--appendonly", "yes", "--repl-diskless-sync-delay", "0"]
        master = Server(Path(directory), free_port(), *options)
        follow = ["--replicaof", "127.0.0.1", str(master.port)]
        replica = Server(Path(directory), free_port(), *options, *follow)
        try:
            master.start()
            replica.start()
            wait_until(
                lambda: replica.info("replication")["master_link_status"] == "up",
                within_s=30,
                what="the replica is in sync",
            )
            yield f"redis://127.0.0.1:{master.port}/0"
        finally:
            master.kill()
            replica.kill()


async def _commit(url: str, replicas: int, tables: int, seconds: float) -> list[float]:
    """Return the seconds of each commit."""
    waits: list[float] = []
    with override_settings(REDIS_WAIT_REPLICAS=replicas):
        process = Process(url)
    try:
        table_ids = [await open_table(process) for _ in range(tables)]
        until = time.perf_counter() + seconds
        await asyncio.gather(*(play(process, table_id, until, waits) for table_id in table_ids))
    finally:
        await process.stop()
    return waits


def _print_losses(lags_s: tuple[float, ...]) -> None:
    report.heading(f"replicas: {_TABLES} tables, master killed while its replica lags")
    for lag_s in lags_s:
        for replicas in (0, 1):
            with tempfile.TemporaryDirectory(prefix="mj-") as directory:
                cluster = Cluster(Path(directory), replicas=1)
                try:
                    cluster.start()
                    acknowledged, lost = asyncio.run(_lose(cluster, replicas, lag_s))
                finally:
                    cluster.kill()
            report.line(
                f"lag {lag_s:g} s, REDIS_WAIT_REPLICAS={replicas}",
                f"{lost} of {acknowledged} moves lost that were acknowledged meanwhile",
            )


async def _lose(cluster: Cluster, replicas: int, lag_s: float) -> tuple[int, int]:
    """Return how many moves were acknowledged while the replica lagged, and how many are lost."""
    shard = next(shard for shard in range(SHARDS) if key_slot(due_key(shard).encode()) < SLOTS // 3)
    master, replica = cluster.masters[0], cluster.replicas[0]
    with override_settings(REDIS_WAIT_REPLICAS=replicas):
        process = Process(cluster.url)
    try:
        tables = await _tables_of(process)
        latest: dict[TableId, int] = {}
        playing = [asyncio.create_task(_play_slowly(process, table, latest)) for table in tables]
        await asyncio.sleep(1)
        before = dict(latest)
        replica.pause()
        until = time.monotonic() + lag_s
        await asyncio.to_thread(master.execute, "SET", f"{{{shard}}}backlog", bytes(_BACKLOG))
        await asyncio.sleep(until - time.monotonic())
        master.kill()
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        replica.resume()
        await asyncio.to_thread(
            wait_until,
            lambda: replica.info("replication")["role"] == "master",
            within_s=30,
            what="the replica is promoted",
        )
        kept = {table: int(replica.execute("XLEN", TableKeys.of(table).log)) for table in tables}
        acknowledged = sum(latest[table] - before[table] for table in tables)
        return acknowledged, sum(max(0, latest[table] - kept[table]) for table in tables)
    finally:
        await process.stop()


async def _tables_of(process: Process) -> list[TableId]:
    """Open tables at the first master."""
    tables: list[TableId] = []
    while len(tables) < _TABLES:
        table_id = await open_table(process)
        if key_slot(TableKeys.of(table_id).log.encode()) <= SLOTS // 3:
            tables.append(table_id)
    return tables


async def _play_slowly(process: Process, table_id: TableId, latest: dict[TableId, int]) -> None:
    """Answer at human pace, and note the last version that was acknowledged."""
    room = await process.service.read_room(table_id)
    latest[table_id] = room.version
    with suppress(TablesUnavailable):
        while room.table.phase != Phase.ENDED:
            await asyncio.sleep(_MOVE_EVERY_S)
            room = await submit_answer(process, room)
            latest[table_id] = room.version
