"""The site over a Redis Cluster: three masters with a replica each, two web servers, a worker."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from prometheus_client import REGISTRY
from redis.crc import key_slot
from websockets.asyncio.client import connect as connect_socket
from websockets.typing import Origin

from game.engine.rules import TENHOU
from game.live.process import Process
from game.tables.keys import SHARDS, due_key, shard_of
from game.tables.room import TableId
from tests.cluster.sites import site_over
from tests.kit.redises import SLOTS, Cluster, Server
from tests.tables.staging import open_people_table
from tests.web.players import Client, NewClient, choose_to_win
from tests.web.site import RunningSite
from tests.web.tables import AT_ONCE, commits_of, open_table
from tests.web.visitor import Visitor

SHORT = msgspec.structs.replace(
    TENHOU, length="east", start_points=1_000, return_points=1_000, oka=0
)
"""Rules under which a game ends as soon as anybody has paid for anything."""
UNHURRIED = msgspec.structs.replace(AT_ONCE, reaction_ms=30, bot_min_ms=20, bot_max_ms=60)
PATIENCE_S = 30.0


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        yield Cluster(Path(directory), replicas=1)


@pytest.fixture(scope="module")
def running_site(
    cluster: Cluster, migrated_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningSite]:
    with site_over(
        cluster, tmp_path_factory.mktemp("site"), migrated_database, daphnes=2
    ) as running_site:
        yield running_site


def master_of(table_id: TableId) -> int:
    """Return the number of the master that has that table, while all masters live."""
    return key_slot(due_key(shard_of(table_id)).encode()) // -(-SLOTS // 3)


def test_every_master_has_some_of_the_shards() -> None:
    masters = [key_slot(due_key(shard).encode()) // -(-SLOTS // 3) for shard in range(SHARDS)]
    assert min(masters.count(number) for number in range(3)) >= SHARDS // 4


async def test_whole_game_is_played_and_archived(
    cluster: Cluster, running_site: RunningSite, new_client: NewClient
) -> None:
    people = running_site.sign_in("Anna", "Bruno")
    table_id = await open_table(running_site.redis.url, people, rules=SHORT)
    players = [
        new_client(
            running_site.socket_url(table_id, seat), person.cookie, seed=seat, choose=choose_to_win
        )
        for seat, person in enumerate(people)
    ]
    async with asyncio.timeout(100):
        await asyncio.gather(*(player.play() for player in players))
    first, second = (player.view or {} for player in players)
    assert first["placement"] == second["placement"]
    commits = await commits_of(running_site.redis.url, table_id)
    assert [commit.version for commit in commits] == list(range(1, len(commits) + 1))
    done = {(commit.seat, commit.cid) for commit in commits if commit.cid}
    for seat, player in enumerate(players):
        assert {(seat, cid) for cid in player.acknowledged} <= done
    await _wait_for_archive(running_site, table_id)
    assert sum(map(bool, cluster.key_counts())) > 1, "the keys are on several masters"


async def _wait_for_archive(running_site: RunningSite, table_id: TableId) -> None:
    path = running_site.site.env["DATABASE_URL"].removeprefix("sqlite:///")
    until = time.monotonic() + PATIENCE_S
    while True:
        with sqlite3.connect(path) as database:
            rows = database.execute("SELECT count(*) FROM game_game").fetchone()[0]
        if rows == 1:
            return
        assert time.monotonic() < until, f"table {table_id} has been archived {rows} times"
        await asyncio.sleep(0.1)


async def test_lobby_is_notified_by_another_server(running_site: RunningSite) -> None:
    first, second = running_site.daphnes
    origin = Origin(first.origin)
    url = f"{first.websocket_url}/ws/lobby/?language=en"
    async with connect_socket(url, origin=origin, proxy=None) as socket, asyncio.timeout(30):
        parts: dict[str, str] = {}
        while "joinable" not in parts:
            parts |= json.loads(await socket.recv()).get("parts", {})
        await asyncio.sleep(0.5)  # the page has polled once and polls again in five seconds
        began = time.monotonic()
        await asyncio.to_thread(_wait_for_a_game, second.url)
        while "1 player waiting" not in parts.get("queues", ""):
            parts |= json.loads(await socket.recv()).get("parts", {})
        assert time.monotonic() - began < 4, (
            "the change came with the next poll, not by notification"
        )


def _wait_for_a_game(address: str) -> None:
    visitor = Visitor(address)
    page = visitor.get("/lobby/")
    answer = visitor.submit(page, "/lobby/seek/", preset="tenhou", length="east", bots="never")
    assert answer.status == 200, answer.text


async def test_tables_continue_after_a_master_dies(
    cluster: Cluster, running_site: RunningSite, new_client: NewClient
) -> None:
    people = running_site.sign_in("Chika", "Dora")
    tables = [
        await open_table(running_site.redis.url, [person], clock=UNHURRIED) for person in people
    ]
    while master_of(tables[0]) == master_of(tables[1]):
        tables[1] = await open_table(running_site.redis.url, [people[1]], clock=UNHURRIED)
    struck, spared = players = [
        new_client(running_site.socket_url(table_id, server), person.cookie, seed=server)
        for server, (person, table_id) in enumerate(zip(people, tables, strict=True))
    ]
    broken = cluster.masters[master_of(tables[0])]
    games = [asyncio.create_task(player.play()) for player in players]
    try:
        await _wait_for_seq(struck, 20)
        broken.kill()
        await _wait_for_seq(spared, spared.seq + 20)
        await _wait_for_seq(struck, struck.seq + 20)
    finally:
        for game in games:
            game.cancel()
        await asyncio.gather(*games, return_exceptions=True)
        await asyncio.to_thread(broken.start)  # now the replica of its successor
        await asyncio.to_thread(cluster.wait_until_whole)
    for table_id in tables:
        versions = [commit.version for commit in await commits_of(running_site.redis.url, table_id)]
        assert versions == list(range(1, len(versions) + 1))


async def test_silent_replica_delays_only_commits_of_its_master(
    cluster: Cluster, running_site: RunningSite, settings: Any
) -> None:
    settings.REDIS_WAIT_REPLICAS = 1
    process = Process(cluster.url, name="waiting")
    before, masters = count_unreplicated(), list[int]()
    try:
        table_id = await open_people_table(process)
        struck = master_of(table_id)
        with pause_server(cluster.replica_of(key_slot(due_key(shard_of(table_id)).encode()))):
            while len(set(masters)) < 3:
                masters.append(master_of(await open_people_table(process)))
    finally:
        await process.stop()
    assert count_unreplicated() - before == masters.count(struck)


@contextmanager
def pause_server(server: Server) -> Iterator[None]:
    server.pause()
    try:
        yield
    finally:
        server.resume()


def count_unreplicated() -> float:
    return REGISTRY.get_sample_value("mahjong_unreplicated_commits_total") or 0.0


async def _wait_for_seq(player: Client, seq: int) -> None:
    until = time.monotonic() + PATIENCE_S
    while player.seq < seq and not player.has_ended:
        assert time.monotonic() < until, f"the table makes no progress at event {player.seq}"
        await asyncio.sleep(0.02)
