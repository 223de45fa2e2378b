"""Commands follow moved slots and promoted masters, and no command is executed twice."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from redis.asyncio import Redis
from redis.crc import key_slot
from redis.exceptions import InvalidResponse, RedisError, ResponseError

from game.live.process import Process
from game.redis.blocking_clients import client
from game.redis.channel_layer import ChannelLayer
from game.redis.clients import ANSWER_WITHIN_S, connect
from game.redis.cluster import BY_CHANNEL, KEY_AFTER_COUNT, KEY_FIRST, WITHOUT_KEY, key_of
from game.redis.pipeline import Pipeline
from game.tables.copies import copy_tables, put_copy_back, schedule_copy
from game.tables.keys import TableKeys
from game.tables.room import TableId
from game.tables.store import Append, Appended, Store
from game.tables.worker import repair_index
from mahjong_site import redis_server
from tests.kit.long_form import IS_LONG
from tests.kit.processes import wait_until
from tests.kit.redises import Cluster, Sentinels, Server
from tests.tables.staging import open_people_table

KEY = "moving:{a}"
SLOT = key_slot(KEY.encode())
BEFORE_HUNG_NODE_FAILS_S = ANSWER_WITHIN_S - 0.5
"""The time within which commands are done that did not wait for a hung node."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        made = Cluster(Path(directory))
        try:
            made.start()
            for server in made.servers:
                # With a shorter timeout a resumed node would mark the others as failed.
                server.execute("CONFIG", "SET", "cluster-node-timeout", 30_000)
            yield made
        finally:
            made.kill()


@pytest_asyncio.fixture
async def redis(cluster: Cluster) -> AsyncIterator[Redis]:
    made = connect(cluster.url)
    await made.delete(KEY)
    yield made
    await made.aclose()


def owner_of(cluster: Cluster, key: str = KEY) -> tuple[Server, Server]:
    """Return the master that has the key's slot, and another one."""
    for server in cluster.masters:
        try:
            server.execute("EXISTS", key)
        except ResponseError:
            continue
        return server, next(master for master in cluster.masters if master is not server)
    raise AssertionError(f"no master has the slot of {key}")


def name_of(server: Server) -> str:
    return str(server.execute("CLUSTER", "MYID").decode())


async def test_commands_follow_a_moving_slot(cluster: Cluster, redis: Redis) -> None:
    before, after = await asyncio.to_thread(owner_of, cluster)
    pipeline, other = Pipeline(redis), connect(cluster.url)
    assert await pipeline.call("INCRBY", KEY, 1) == 1
    assert await other.get(KEY) == b"1"
    after.execute("CLUSTER", "SETSLOT", SLOT, "IMPORTING", name_of(before))
    before.execute("CLUSTER", "SETSLOT", SLOT, "MIGRATING", name_of(after))
    assert await pipeline.call("INCRBY", KEY, 1) == 2, "the key has not moved yet"
    before.execute("MIGRATE", "127.0.0.1", after.port, KEY, 0, 5000)
    assert await pipeline.call("INCRBY", KEY, 1) == 3, (
        "the command follows the key to the new owner (ASK)"
    )
    for server in cluster.masters:
        server.execute("CLUSTER", "SETSLOT", SLOT, "NODE", name_of(after))
    both = await asyncio.gather(pipeline.call("INCRBY", KEY, 1), pipeline.call("GET", KEY))
    assert tuple(both) == (4, b"4")
    pipe = other.pipeline(transaction=True)  # sent by a map of slots that is out of date
    pipe.incr(KEY)
    pipe.get(KEY)
    assert await pipe.execute() == [5, b"5"]
    await other.aclose()


async def test_closed_client_keeps_no_connection_of_a_late_refresh(cluster: Cluster) -> None:
    client: Any = connect(cluster.url)
    await client.get(KEY)

    async def refresh() -> None:
        with contextlib.suppress(asyncio.CancelledError):  # swallowed, as `asyncio.timeout` may do
            await asyncio.sleep(60)
        await client._client_of(("127.0.0.1", cluster.masters[0].port)).ping()

    client._refreshing = asyncio.create_task(refresh())
    await asyncio.sleep(0)
    await client.aclose()
    assert not client._nodes


async def test_wait_is_sent_to_the_node_of_the_preceding_write(
    cluster: Cluster, redis: Redis
) -> None:
    before, after = await asyncio.to_thread(owner_of, cluster)
    await redis.get(KEY)  # the client reads the map of slots
    after.execute("CLUSTER", "SETSLOT", SLOT, "IMPORTING", name_of(before))
    before.execute("CLUSTER", "SETSLOT", SLOT, "MIGRATING", name_of(after))
    before.execute("MIGRATE", "127.0.0.1", after.port, KEY, 0, 5000)
    for server in cluster.masters:
        server.execute("CLUSTER", "SETSLOT", SLOT, "NODE", name_of(after))
    pipe = redis.pipeline(transaction=False)
    pipe.incr(KEY)
    pipe.execute_command("WAIT", 0, 100)
    await pipe.execute()
    assert after.info("commandstats")["cmdstat_wait"]["calls"] == 1
    await redis.delete(KEY)


async def test_transaction_over_two_slots_names_the_command(redis: Redis) -> None:
    pipe = redis.pipeline(transaction=True)
    for letter in "abcdefgh":
        pipe.set(f"{{{letter}}}", 1)
    with pytest.raises(ResponseError, match="CROSSSLOT"):
        await pipe.execute()
    assert await redis.exists("{a}") == 0
    pipeline = Pipeline(redis)
    await redis.set("text", "no number")
    wrong, right = list[object](
        await asyncio.gather(
            pipeline.call("INCRBY", "text", 1),
            pipeline.call("INCRBY", "count", 1),
            return_exceptions=True,
        )
    )
    assert isinstance(wrong, ResponseError)
    assert right == 1


async def test_lobby_notification_reaches_other_processes(cluster: Cluster) -> None:
    first, second = ChannelLayer(url=cluster.url), ChannelLayer(url=cluster.url)
    channels = [await layer.new_channel() for layer in (first, second)]
    await first.group_add("lobby", channels[0])
    await second.group_add("lobby", channels[1])
    await asyncio.sleep(0.2)  # nodes tell each other of subscriptions a little later
    await first.group_send("lobby", {"type": "look.again"})
    async with asyncio.timeout(30):
        for layer, channel in zip((first, second), channels, strict=True):
            assert await layer.receive(channel) == {"type": "look.again"}
    await first.flush()
    await second.flush()


async def test_every_commit_of_a_cluster_is_published(cluster: Cluster, redis: Redis) -> None:
    store, table_id, own_channel = Store(redis), TableId("published"), "hub:writer"
    keys = TableKeys.of(table_id)
    owner, elsewhere = owner_of(cluster, keys.meta)
    own, other = (connect(f"redis://127.0.0.1:{server.port}/0") for server in (owner, elsewhere))
    async with own.pubsub() as writer, other.pubsub(ignore_subscribe_messages=True) as reader:
        await writer.subscribe(keys.channel, own_channel)
        for _ in range(2):
            await writer.get_message(timeout=30)
        assert await own.pubsub_numsub(keys.channel, own_channel) == [
            (keys.channel.encode(), 1),
            (own_channel.encode(), 1),
        ]
        await reader.subscribe(keys.channel)
        await reader.get_message(timeout=30)
        entry = Append(
            table_id=table_id,
            expected="",
            head="1:a",
            version=1,
            commit=b"c",
            due=None,
            own_channel=own_channel,
        )
        assert await store.append(entry) is Appended.DONE
        async with asyncio.timeout(30):
            while (message := await reader.get_message(timeout=1)) is None:
                pass
        assert message["data"] == b"1:a"
    for redis_client in (own, other):
        await redis_client.aclose()


async def test_hung_node_delays_no_other_commands(cluster: Cluster, redis: Redis) -> None:
    struck, _ = await asyncio.to_thread(owner_of, cluster)
    others = [key for key in map(str, range(40)) if _is_elsewhere(struck, key)]
    assert others
    pipeline = Pipeline(redis)
    assert await pipeline.call("EXISTS", KEY) in (0, 1)
    struck.pause()
    try:
        held_up = asyncio.create_task(pipeline.call("GET", KEY))
        await asyncio.sleep(0.05)
        async with asyncio.timeout(1.5):
            for key in others:
                await pipeline.call("SET", key, key)
        assert not held_up.done()
        with pytest.raises((RedisError, OSError)):
            await held_up
        async with asyncio.timeout(1.5):  # the client asks the other nodes for the map first
            assert await pipeline.call("GET", others[0]) == others[0].encode()
    finally:
        struck.resume()


def _is_elsewhere(server: Server, key: str) -> bool:
    try:
        server.execute("EXISTS", key)
    except ResponseError:
        return True
    return False


def test_supervisor_accepts_a_healthy_cluster(cluster: Cluster) -> None:
    redis_server.check_version(cluster.url)
    assert redis_server.check_keeps_tables(cluster.url) == ""
    assert redis_server.is_answering(cluster.url)


@pytest.mark.skipif(not IS_LONG, reason="ten seconds: LONG=1 runs it")
async def test_commands_follow_a_sentinel_failover_without_repeats() -> None:
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        servers = Sentinels(Path(directory))
        try:
            await asyncio.to_thread(servers.start)
            redis_server.check_version(servers.url)
            redis = connect(servers.url)
            layer = ChannelLayer(url=servers.url)
            channel = await layer.new_channel()
            await layer.group_add("lobby", channel)
            assert await Pipeline(redis).call("INCRBY", KEY, 1) == 1
            wait_until(lambda: _has(servers.replica, b"1"), within_s=30, what="it is copied")
            servers.master.kill()
            assert await _count_again(redis) == 2
            with client(servers.url, within_s=3) as plain:
                assert plain.get(KEY) == b"2"
            await _receives_again(layer, channel)
            await layer.flush()
            await redis.aclose()
        finally:
            servers.kill()


def _has(server: Server, value: bytes) -> bool:
    return bool(server.execute("GET", KEY) == value)


async def _count_again(redis: Redis) -> int:
    """Return the next count as soon as counting works again; commands before that are refused."""
    until = time.monotonic() + 30
    while True:
        try:
            return int(await Pipeline(redis).call("INCRBY", KEY, 1))
        except (RedisError, OSError):
            assert time.monotonic() < until, "no replica has been promoted"
            await asyncio.sleep(0.1)


async def _receives_again(layer: ChannelLayer, channel: str) -> None:
    received = asyncio.create_task(layer.receive(channel))
    until = time.monotonic() + 20
    while not received.done():
        assert time.monotonic() < until, "the lobby gets no more messages"
        with contextlib.suppress(RedisError, OSError):
            await layer.group_send("lobby", {"type": "look.again"})
        await asyncio.wait([received], timeout=0.2)
    assert await received == {"type": "look.again"}


async def test_tables_of_a_cluster_are_backed_up_and_restored(cluster: Cluster) -> None:
    process = Process(cluster.url, name="copying")
    tables = sorted([await open_people_table(process) for _ in range(6)])
    copies = [copy async for copy in copy_tables(process.store)]
    await process.stop()
    assert [copy.table_id for copy in copies if copy.table_id in tables] == tables
    for server in cluster.masters:
        server.execute("FLUSHALL")
    fresh = Process(cluster.url, name="fresh")
    for copy in copies:
        await put_copy_back(fresh.redis, copy)
        await schedule_copy(fresh.store, copy)
    assert await fresh.store.index.list_running() == [copy.table_id for copy in copies]
    for table_id in tables:
        assert (await fresh.service.read_room(table_id)).version == 1
    assert await fresh.store.index.count_tables() == 0, "a worker lists tables that were put back"
    await repair_index(fresh.service)
    assert await fresh.store.index.count_tables() == len(copies)
    assert await fresh.store.index.find_differences() == (set(), set())
    await fresh.stop()


def test_redis_finds_the_key_of_each_command_in_the_same_place(cluster: Cluster) -> None:
    server = cluster.masters[0]
    for name in KEY_FIRST | KEY_AFTER_COUNT.keys() | WITHOUT_KEY | BY_CHANNEL:
        (about,) = server.execute("COMMAND INFO", name)
        command: list[str | int] = [name, *(f"word {n}" for n in range(1, abs(about[1])))]
        if name in KEY_AFTER_COUNT:
            command[KEY_AFTER_COUNT[name] - 1 :] = [1, "the key"]
        try:
            key = server.execute("COMMAND GETKEYS", *command)[0].encode()
        except ResponseError as error:
            key = None if "no key arguments" in str(error) else error
        assert key == (None if name in BY_CHANNEL else key_of(command)), name


async def test_malformed_reply_of_a_node_shifts_no_later_replies(
    cluster: Cluster, redis: Redis
) -> None:
    struck, _ = await asyncio.to_thread(owner_of, cluster)
    other = next(key for key in map(str, range(40)) if _is_elsewhere(struck, key))
    pipeline = Pipeline(redis)
    await redis.set(KEY, "a")
    await redis.set(other, "b")

    def fail(*_: object, **__: object) -> None:
        raise ValueError("not a number")

    redis_of_node = redis._client_of(("127.0.0.1", struck.port))  # type: ignore[attr-defined]
    own = await redis_of_node.client_id()
    redis_of_node.set_response_callback("GET", fail)
    wrong, right = await asyncio.gather(
        *(pipeline.call("GET", key) for key in (KEY, other)), return_exceptions=True
    )
    assert isinstance(wrong, InvalidResponse)
    assert right == b"b", "the reply of another node is read"
    del redis_of_node.response_callbacks["GET"]
    assert await pipeline.call("GET", KEY) == b"a"
    assert await redis_of_node.client_id() != own, "by a new connection"


async def test_hung_node_keeps_processes_known_to_other_tables(cluster: Cluster) -> None:
    process, other = Process(cluster.url, name="serving"), Process(cluster.url, name="other")
    try:
        tables = [await open_people_table(process) for _ in range(12)]
        await process.start()
        await process.heartbeat.register()
        await process.worker_beats.note()
        for table_id in tables:
            await process.service.add_socket(table_id, 0)
        for key in ("heartbeat:serving", "workers"):
            struck, _ = await asyncio.to_thread(owner_of, cluster, key)
            own = [table for table in tables if not _is_elsewhere(struck, TableKeys.of(table).meta)]
            left = [table for table in tables if table not in own][:3]
            began = process.service.now_ms()
            struck.pause()
            try:
                leaving = [
                    asyncio.create_task(process.service.remove_socket(table, 0)) for table in own
                ]
                await asyncio.sleep(2)  # longer than a silent process counts as alive
                async with asyncio.timeout(BEFORE_HUNG_NODE_FAILS_S):
                    for table_id in left:
                        heartbeats, sockets = await other.presence.read_sockets(table_id, [0])
                        assert sockets[0].processes == ("serving",)
                        assert not heartbeats.is_silent("serving", other.service.now_ms())
                        await process.service.remove_socket(table_id, 0)
                        assert not await other.presence.has_socket(table_id, 0)
                        heartbeats, _ = await other.presence.read_sockets(table_id, [0])
                        assert heartbeats.accepting == ("serving",)
                async with asyncio.timeout(BEFORE_HUNG_NODE_FAILS_S):
                    assert await other.worker_beats.last_at()
                lost_ms = [process.heartbeat.outage_ms(began, table) for table in (own[0], left[0])]
                assert lost_ms[0] > lost_ms[1], "an outage is one of the tables of that node"
            finally:
                struck.resume()
            await asyncio.gather(*leaving, return_exceptions=True)
            await asyncio.to_thread(cluster.wait_until_whole)
            for table_id in (*own, *left):
                await process.service.add_socket(table_id, 0)
    finally:
        for started in (process, other):
            await started.stop()
