"""With `REDIS_WAIT_REPLICAS` a commit returns when replicas have it, or after a time limit."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from game.live.process import Process
from game.tables import replication
from game.tables.keys import TableKeys
from tests.kit.processes import free_port, wait_until
from tests.kit.redises import Server
from tests.tables.staging import open_people_table

Pair = tuple[Server, Server]


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    """Yield a master and its replica."""
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        at_once = ["--repl-diskless-sync-delay", "0"]
        master = Server(Path(directory), free_port(), *at_once)
        follow = ["--replicaof", "127.0.0.1", str(master.port)]
        replica = Server(Path(directory), free_port(), *follow)
        try:
            for server in (master, replica):
                server.start()
            wait_until(lambda: is_linked(replica), within_s=60, what="the replica is in sync")
            yield master, replica
        finally:
            master.kill()
            replica.kill()


def is_linked(replica: Server) -> bool:
    return bool(replica.info("replication")["master_link_status"] == "up")


@pytest_asyncio.fixture
async def process(pair: Pair, settings: Any) -> AsyncIterator[Process]:
    settings.REDIS_WAIT_REPLICAS = 1
    made = Process(f"redis://127.0.0.1:{pair[0].port}/0")
    yield made
    await made.stop()


def count_unreplicated() -> float:
    return REGISTRY.get_sample_value("mahjong_unreplicated_commits_total") or 0.0


async def has_new_commit(process: Process, server: Server) -> bool:
    """Commit, and return whether the server has the commit now."""
    table_id = await open_people_table(process)
    return bool(server.execute("XLEN", TableKeys.of(table_id).log))


async def test_commit_waits_for_the_replica(pair: Pair, process: Process) -> None:
    _, replica = pair
    assert await has_new_commit(process, replica)
    replica.pause()
    try:
        commit = asyncio.create_task(open_people_table(process))
        await asyncio.wait([commit], timeout=0.1)
        assert not commit.done()
    finally:
        replica.resume()
    assert replica.execute("XLEN", TableKeys.of(await commit).log) == 1


async def test_commit_stays_without_a_replica_and_is_counted(
    pair: Pair, process: Process, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replication, "WAIT_MS", 200)
    before, (master, replica) = count_unreplicated(), pair
    replica.pause()
    try:
        for count in (1, 2):
            assert await has_new_commit(process, master)
            assert count_unreplicated() == before + count
    finally:
        replica.resume()
    assert await has_new_commit(process, replica)
    assert count_unreplicated() == before + 2
    assert caplog.messages == [
        "commits did not reach 1 replica(s) in time",
        "commits reach replicas in time again",
    ]


async def test_commits_stop_waiting_while_a_replica_is_gone(
    pair: Pair, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replication, "WAIT_MS", 200)
    monkeypatch.setattr(replication, "GIVE_UP_AFTER_S", 0.1)
    monkeypatch.setattr(replication, "RETRY_AFTER_S", 3600)
    before, (master, replica) = count_unreplicated(), pair
    assert await has_new_commit(process, replica)
    replica.pause()
    try:
        assert await has_new_commit(process, master)
        waits = waits_of(master)
        assert await has_new_commit(process, master)
    finally:
        replica.resume()
    assert waits_of(master) == waits
    assert count_unreplicated() == before + 2


def waits_of(server: Server) -> int:
    return int(server.info("commandstats")["cmdstat_wait"]["calls"])
