"""The scripts of the store: compare and append, and claims with a lease."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import msgspec
import pytest
import pytest_asyncio
from redis.asyncio.client import PubSub
from redis.exceptions import RedisClusterException

from game.redis.clients import connect
from game.redis.pipeline import Pipeline
from game.tables.errors import TablesUnavailable, reaching_redis
from game.tables.keys import SHARDS, TableKeys, shard_of
from game.tables.room import TableId
from game.tables.store import Append, Appended, Store
from tests.tables.staging import SharedRedis, masters, seconds_kept

pytestmark = pytest.mark.asyncio
TABLE = TableId("table-a")


@pytest_asyncio.fixture
async def store(redis_url: str) -> AsyncIterator[Store]:
    redis = connect(redis_url, connections=50)
    pipeline = Pipeline(redis)
    yield Store(redis, pipeline=pipeline)
    await pipeline.stop()
    await redis.aclose()


def entry(version: int, writer: str = "w", *, after: str = "w", due: int | None = None) -> Append:
    return Append(
        table_id=TABLE,
        expected=f"{version - 1}:{after}" if version > 1 else "",
        head=f"{version}:{writer}",
        version=version,
        commit=f"{version} by {writer}".encode(),
        due=due,
    )


async def test_one_of_forty_writers_wins_each_version(store: Store) -> None:
    winner = "w"
    assert await store.append(entry(1)) is Appended.DONE
    for version in range(2, 12):
        tries = [store.append(entry(version, f"w{n}", after=winner)) for n in range(40)]
        outcomes = await asyncio.gather(*tries)
        assert outcomes.count(Appended.DONE) == 1
        assert outcomes.count(Appended.CONFLICT) == 39
        winner = f"w{outcomes.index(Appended.DONE)}"
        assert (await store.read_entries(TABLE, version)) == [
            (version, f"{version} by {winner}".encode())
        ]
    assert len(await store.read_entries(TABLE, 1)) == 11


async def test_the_same_append_sent_twice_is_stored_once(store: Store) -> None:
    await store.append(entry(1))
    assert await store.append(entry(1)) is Appended.DONE
    assert len(await store.read_entries(TABLE, 1)) == 1


async def test_same_version_of_another_timeline_is_a_conflict(store: Store) -> None:
    await store.append(entry(1, "kept"))
    assert await store.append(entry(2, after="lost")) is Appended.CONFLICT


async def test_append_to_an_unknown_table_is_refused(store: Store) -> None:
    assert await store.append(entry(7)) is Appended.CONFLICT
    assert await store.read_heads([TABLE]) == [""]


@pytest.mark.one_redis
async def test_commit_is_published_to_other_subscribers_only(store: Store, redis_url: str) -> None:
    other = connect(redis_url, connections=5)
    async with other.pubsub(ignore_subscribe_messages=True) as subscriber:
        published = partial(published_heads, subscriber, store)
        await store.append(entry(1))
        await subscriber.subscribe(TableKeys.of(TABLE).channel)
        await store.append(entry(2))
        assert await published() == ["2:w"]
        await store.append(msgspec.structs.replace(entry(3), own_channel="hub:writer"))
        assert await published() == ["3:w"], "another connection is subscribed"
        await subscriber.subscribe("hub:writer")
        await store.append(msgspec.structs.replace(entry(4), own_channel="hub:writer"))
        assert await published() == []
        async with other.pubsub() as another:
            await another.subscribe(TableKeys.of(TABLE).channel)
            await another.get_message(timeout=30)
            await store.append(msgspec.structs.replace(entry(5), own_channel="hub:writer"))
            assert await published() == ["5:w"], "a second connection is subscribed as well"
    await other.aclose()


async def published_heads(subscriber: PubSub, store: Store) -> list[str]:
    """Return the heads published until now."""
    channel = TableKeys.of(TABLE).channel
    await store.redis.publish(channel, "end")
    heads = list[str]()
    while "end" not in heads:
        message = await subscriber.get_message(timeout=30)
        if message is not None:
            heads.append(message["data"].decode())
    return heads[:-1]


async def test_frozen_table_is_neither_due_nor_listed(store: Store) -> None:
    first = msgspec.structs.replace(entry(1, due=5), summary=b"line", listed_at=1)
    await store.append(first)
    assert await store.index.list_summaries(at_most=5) == [b"line"]
    await store.freeze(TABLE)
    assert await store.index.list_summaries(at_most=5) == []
    assert await store.append(entry(2)) is Appended.FROZEN
    await store.postpone(TABLE, expected=first.head, due=7)
    assert await store.is_frozen(TABLE)
    assert await store.claim(now=10, lease_ms=5, at_most=9) == ([], None)


async def test_claimed_table_belongs_to_one_worker_for_the_lease(store: Store) -> None:
    await store.append(entry(1, due=100))
    assert await store.claim(now=99, lease_ms=50, at_most=9) == ([], 100)
    assert await store.claim(now=100, lease_ms=50, at_most=9) == ([TABLE], 150)
    assert await store.claim(now=149, lease_ms=50, at_most=9) == ([], 150)
    assert await store.claim(now=150, lease_ms=50, at_most=9) == ([TABLE], 200)


async def test_a_commit_sets_when_the_table_is_due(store: Store) -> None:
    await store.append(entry(1, due=100))
    await store.claim(now=100, lease_ms=5_000, at_most=9)
    await store.append(entry(2, due=700))
    assert await store.claim(now=200, lease_ms=5_000, at_most=9) == ([], 700)
    await store.append(entry(3))
    assert await store.claim(now=9_999, lease_ms=5_000, at_most=9) == ([], None)


async def test_a_changed_table_is_not_postponed(store: Store) -> None:
    await store.append(entry(1, due=100))
    await store.append(entry(2, due=200))
    await store.postpone(TABLE, expected="1:w", due=900)
    assert (await store.claim(now=0, lease_ms=1, at_most=9))[1] == 200
    await store.postpone(TABLE, expected="2:w", due=900)
    assert (await store.claim(now=0, lease_ms=1, at_most=9))[1] == 900


async def test_an_ended_table_is_neither_due_nor_listed_and_expires(store: Store) -> None:
    first = Append(
        table_id=TABLE,
        expected="",
        head="1:w",
        version=1,
        commit=b"c",
        due=1,
        snapshot=b"s",
        summary=b"line",
        listed_at=1,
    )
    await store.append(first)
    assert await store.index.list_summaries(at_most=5) == [b"line"]
    await store.end_table(TABLE, keep_s=600)
    assert await store.index.list_summaries(at_most=5) == []
    assert await store.claim(now=10, lease_ms=1, at_most=9) == ([], None)
    keys = TableKeys.of(TABLE)
    for key in (keys.meta, keys.log, keys.snap):
        assert 0 < await seconds_kept(store.redis, key) <= 600


async def test_scripts_lost_by_redis_are_resent(store: Store, shared_redis: SharedRedis) -> None:
    def lose_scripts() -> None:
        for master in masters(shared_redis):
            master.script_flush()

    await store.append(entry(1, due=5))
    lose_scripts()
    assert await store.append(entry(2, due=5)) is Appended.DONE
    lose_scripts()
    assert (await store.claim(now=9, lease_ms=1, at_most=9))[0] == [TABLE]


async def test_missing_redis_makes_tables_unavailable() -> None:
    store = Store(connect("unix:///nowhere/at/all"))
    with pytest.raises(TablesUnavailable):
        await store.append(entry(1))
    with pytest.raises(TablesUnavailable):
        await store.claim(now=0, lease_ms=1, at_most=1)


async def test_keys_of_a_table_and_its_deadlines_share_a_slot() -> None:
    keys = TableKeys.of(TABLE)
    tag = f"{{{shard_of(TABLE)}}}"
    assert all(tag in key for key in (keys.meta, keys.log, keys.snap, keys.sockets, keys.channel))
    assert {shard_of(f"table-{n}") for n in range(500)} == set(range(SHARDS))


async def test_cluster_error_makes_the_table_unavailable() -> None:
    """In redis-py the error of a cluster is no RedisError."""
    with pytest.raises(TablesUnavailable, match="slots"), reaching_redis():
        raise RedisClusterException("some slots have no master")
