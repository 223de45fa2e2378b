"""The index of tables: the number of Redis commands does not grow with the number of tables."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from game.live.process import Process
from game.operations import table_administration
from game.tables.keys import SHARDS, people_key, shard_of, tables_key
from game.tables.requests import Remove
from game.tables.room import SeatMeta, TableId, TableMeta
from game.tables.store import Append, Appended, Store
from game.tables.table_index import IndexEntry
from game.tables.worker import repair_index
from tests.tables.staging import FakeTime, MakeProcess, SharedRedis, masters, open_people_table

pytestmark = pytest.mark.asyncio


async def append(store: Store, table_id: str, opened_at: int) -> TableId:
    entry = Append(
        table_id=TableId(table_id),
        expected="",
        head="1:w",
        version=1,
        commit=b"c",
        due=9_000,
        summary=table_id.encode(),
        listed_at=opened_at,
        index=IndexEntry(opened_at, ()),
    )
    assert await store.append(entry) is Appended.DONE
    return entry.table_id


async def table_of(process: Process, *people: SeatMeta) -> TableId:
    bots = [SeatMeta(name=f"anna {seat}", bot="tsumogiri") for seat in range(4 - len(people))]
    east, south, west, north = (*people, *bots)
    return await process.service.open_table(TableMeta(seats=(east, south, west, north)))


def calls(redis: SharedRedis) -> Counter[str]:
    """Return how often Redis has executed each command."""
    counted = Counter[str]()
    for master in masters(redis):
        stats: dict[str, Any] = master.info("commandstats")  # type: ignore[assignment]
        counted.update(
            {name.removeprefix("cmdstat_"): counts["calls"] for name, counts in stats.items()}
        )
    return counted


@pytest.mark.parametrize("shards", [range(SHARDS), [3], [3, 4]])
@pytest.mark.parametrize("at_most", [1, 40, 1000])
async def test_newest_tables_of_all_shards(
    make_process: MakeProcess, shards: list[int], at_most: int
) -> None:
    store = (await make_process("a")).store
    names = [f"t{number}" for number in range(2000) if shard_of(f"t{number}") in shards][:120]
    tables = [await append(store, name, 7 * at % 100) for at, name in enumerate(names)]
    order = sorted(tables, key=lambda table: (7 * tables.index(table) % 100, table), reverse=True)
    assert await store.index.list_newest_tables(at_most=at_most) == order[:at_most]
    listed = await store.index.list_summaries(at_most=at_most)
    assert listed == [table_id.encode() for table_id in order[:at_most]]


async def test_listing_and_counting_read_no_more_than_they_return(
    make_process: MakeProcess, shared_redis: SharedRedis
) -> None:
    process = await make_process("a")
    for number in range(100):
        await append(process.store, f"t{number}", number)
    before = calls(shared_redis)
    assert len(await process.store.index.list_summaries(at_most=10)) == 10
    assert await process.store.index.count_running() == 100
    after = calls(shared_redis)
    assert after["hget"] - before.get("hget", 0) == 10
    assert after["zrevrange"] - before.get("zrevrange", 0) <= 2 * SHARDS
    assert after["zcard"] - before.get("zcard", 0) == SHARDS
    assert after.get("zrange", 0) == before.get("zrange", 0)


async def test_tables_are_found_by_their_people(make_process: MakeProcess) -> None:
    process = await make_process("a")
    anna, yuki = SeatMeta(name="Anna  Å", person="id-1"), SeatMeta(name="雪子", person="id-12")
    one, both = await table_of(process, anna), await table_of(process, anna, yuki)
    store = process.store
    assert await store.index.tables_of("id-1") == sorted([one, both])
    assert await store.index.tables_of("id-12") == [both]
    assert await store.index.tables_of("id") == []
    for text in ("anna å", "ANN", "id-1"):
        assert set(await store.index.find_tables(text, at_most=9)) == {one, both}
    for text in ("雪", "雪子", "id-12", both):
        assert await store.index.find_tables(text, at_most=9) == [both]
    assert len(await store.index.find_tables("anna", at_most=1)) == 1
    for text in ("nna", "", " ", "anna 1", "x\n"):
        assert await store.index.find_tables(text, at_most=9) == []

    await process.service.apply_request(both, Remove("id-1"))
    assert await store.index.tables_of("id-1") == [one]
    assert await store.index.tables_of("id-12") == [both]
    await store.freeze(both)
    assert await store.index.tables_of("id-12") == [both]
    await store.end_table(both, keep_s=60)
    assert await store.index.tables_of("id-12") == []
    assert await store.index.count_tables() == 1


async def test_repair_adds_tables_of_older_programs_and_backups(
    make_process: MakeProcess, time: FakeTime, shared_redis: SharedRedis
) -> None:
    process = await make_process("a")
    anna = SeatMeta(name="anna", person="id-1")
    one = await table_of(process, anna)
    time.now += 1_000
    frozen, ended = [await table_of(process, anna) for _ in range(2)]
    while shard_of(ended) != shard_of(one):  # one shard has one entry too many and one too few
        await process.store.end_table(ended, keep_s=60)
        ended = await table_of(process, anna)
    await process.store.freeze(frozen)
    for table_id in (one, frozen):
        for shard in [shard_of(table_id)]:
            await process.redis.zrem(tables_key(shard), table_id)
            await process.redis.delete(people_key(shard))
    await process.redis.zrem(f"due:{{{shard_of(ended)}}}", ended)
    await repair_index(process.service)
    assert await process.store.index.list_newest_tables(at_most=9) == [frozen, one]
    for table_id in (one, frozen):
        opened_at = (await process.service.read_room(table_id)).meta.opened_at
        assert await process.redis.zscore(tables_key(shard_of(table_id)), table_id) == opened_at
    assert await process.store.index.tables_of("id-1") == sorted([one, frozen])
    assert await process.store.index.find_differences() == (set(), set())
    before = calls(shared_redis)
    await repair_index(process.service)
    after = calls(shared_redis)
    written = {name: after[name] - before[name] for name in ("zadd", "zrem")}
    assert written == {"zadd": 0, "zrem": 0}, "a second repair changes nothing"
    assert after.get("zrange", 0) == before.get("zrange", 0), "no table is read"


async def test_pages_have_frozen_tables_first_and_then_the_newest(
    make_process: MakeProcess, time: FakeTime
) -> None:
    process = await make_process("a")
    tables = list[TableId]()
    for _ in range(table_administration.PAGE_SIZE + 5):
        time.now += 1_000
        tables.append(await open_people_table(process))
    old = tables[2]
    await process.store.freeze(old)
    order = [old, *[table_id for table_id in reversed(tables) if table_id != old]]
    found = list[TableId]()
    for page in (1, 2):
        rows, pages = await table_administration.list_page(process.service, page)
        assert pages == 2
        found += [row.table_id for row in rows]
        assert [row.table_id for row in rows if row.is_frozen] == ([old] if page == 1 else [])
    assert found == order
    beyond, _ = await table_administration.list_page(process.service, 99)
    assert [row.table_id for row in beyond] == order[table_administration.PAGE_SIZE :]
