"""Records of running tables in Redis are sealed: they can be neither read nor changed."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from redis import Redis
from redis.asyncio import Redis as AsyncRedis

from game.engine.tiles import NO_TILE
from game.live.process import Process
from game.tables.codec import decode_commit, encode
from game.tables.errors import TableUnreadable
from game.tables.keys import TableKeys
from game.tables.outcomes import FROZEN
from game.tables.requests import Vote
from game.tables.room import Room, TableId
from game.tables.sealing import SealBroken, Sealer, UnknownKey, site_sealer
from tests.kit.processes import RedisServer
from tests.tables.staging import (
    FakeTime,
    MakeProcess,
    discards_quietly,
    open_people_table,
    until_due,
)

KEY = "a secret key of no site, long enough"
OTHER_KEY = "another secret key of no site, as long"
TABLE = "table-a"


def test_sealed_record_opens_at_its_place() -> None:
    sealer = Sealer([KEY])
    sealed = sealer.seal(b"east wind", "commit", TABLE, 7)
    assert b"east" not in sealed
    assert sealer.open(sealed, "commit", TABLE, 7) == b"east wind"


def test_the_same_record_looks_different_at_each_place() -> None:
    sealer = Sealer([KEY])
    places = ("commit", TABLE, 7), ("commit", TABLE, 8), ("snapshot", TABLE, 7)
    others = ("commit", "table-b", 7), ("snapshot", "table-b", 7)
    sealed = [sealer.seal(b"east wind", *place)[14:] for place in (*places, *others)]
    assert len(set(sealed)) == len(sealed)


@pytest.mark.parametrize(
    ("kind", "table_id", "version"),
    [("snapshot", TABLE, 7), ("commit", "table-b", 7), ("commit", TABLE, 8)],
)
def test_a_record_opens_at_no_other_place(kind: Any, table_id: str, version: int) -> None:
    sealer = Sealer([KEY])
    sealed = sealer.seal(b"east wind", "commit", TABLE, 7)
    with pytest.raises(SealBroken):
        sealer.open(sealed, kind, table_id, version)


def test_changed_record_does_not_open() -> None:
    sealer = Sealer([KEY])
    sealed = sealer.seal(b"east wind", "snapshot", TABLE, 7)
    for place in range(len(sealed)):
        changed = bytearray(sealed)
        changed[place] ^= 0x10
        with pytest.raises((SealBroken, UnknownKey)):
            sealer.open(bytes(changed), "snapshot", TABLE)
    for length in range(len(sealed)):
        with pytest.raises((SealBroken, UnknownKey)):
            sealer.open(sealed[:length], "snapshot", TABLE)


def test_fallback_keys_open_records_and_seal_none() -> None:
    before, after = Sealer([OTHER_KEY]), Sealer([KEY, OTHER_KEY])
    assert after.open(before.seal(b"x", "commit", TABLE, 7), "commit", TABLE, 7) == b"x"
    with pytest.raises(UnknownKey):
        before.open(after.seal(b"x", "commit", TABLE, 7), "commit", TABLE, 7)


async def open_table_with_commits(process: Process, time: FakeTime, versions: int) -> Room:
    """Return a table at which that many commits have been made."""
    room = await process.service.read_room(await open_people_table(process))
    while room.version < versions:
        room = await until_due(process, time, room.table_id)
    return room


def secrets_of(room: Room) -> list[bytes]:
    """Return bytes that must stay secret: the seed, the wall, the hands."""
    return [
        room.table.seed,
        room.table.wall,
        room.table.wall[:14],
        *(bytes(hand.tiles) for hand in room.table.hands),
    ]


def values_of(client: Redis) -> list[bytes]:
    """Return all values in that Redis, without the names of keys."""
    values = list[bytes]()
    for key in client.scan_iter():
        match client.type(key):
            case b"string":
                values.append(bytes(client.get(key) or b""))
            case b"hash":
                values += dict(client.hgetall(key)).values()
            case b"stream":
                values += [fields[b"c"] for _, fields in client.xrange(key)]
            case b"zset":
                values += client.zrange(key, 0, -1)
            case b"set":
                values += client.smembers(key)
            case kind:
                raise AssertionError(f"{key!r} is a {kind!r}")
    return values


@pytest.mark.asyncio
async def test_redis_and_its_file_contain_no_readable_hand(
    redis_server: RedisServer, time: FakeTime
) -> None:
    process = Process(redis_server.url, now_ms=time, name="a")
    await process.start()
    try:
        seen = [await open_table_with_commits(process, time, versions) for versions in (1, 20, 40)]
        client = Redis.from_url(redis_server.url)
        values = values_of(client)
        client.close()
    finally:
        await process.stop()
    redis_server.stop()
    files = [path.read_bytes() for path in redis_server.data.rglob("*") if path.is_file()]
    assert len(values) > 10
    assert any(b"append.lua" in data or b"XADD" in data for data in files)
    assert any(seen[0].table_id.encode() in data for data in files)
    for room in seen:
        assert NO_TILE not in room.table.hands[0].tiles
        for secret in secrets_of(room):
            assert not any(secret in value for value in values)
            assert not any(secret in data for data in files)


async def replace_commit(redis: AsyncRedis, table_id: str, version: int, data: bytes) -> None:
    """Replace the commit of that version in the log by this data."""
    key = TableKeys.of(table_id).log
    rows: Any = await redis.xrange(key)
    await redis.delete(key)
    for row_id, fields in rows:
        is_meant = row_id == f"{version}-0".encode()
        await redis.xadd(key, {"c": data} if is_meant else fields, id=row_id)


async def read_stored_commit(redis: AsyncRedis, table_id: str, version: int) -> bytes:
    rows: Any = await redis.xrange(TableKeys.of(table_id).log, f"{version}-0", f"{version}-0")
    return bytes(rows[0][1][b"c"])


async def is_frozen_with_a_line(
    process: Process, table_id: TableId, caplog: pytest.LogCaptureFixture
) -> bool:
    """Check that the table cannot be read and that the log reports this once. Return whether the
    table is frozen."""
    caplog.clear()
    with caplog.at_level(logging.ERROR):
        for _ in range(2):
            with pytest.raises(TableUnreadable):
                await process.service.read_room(table_id)
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 1, lines
    assert f"table {table_id} cannot be read" in lines[0]
    assert "frozen" in lines[0]
    assert await process.store.index.list_running() == []
    return await process.store.is_frozen(table_id)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "forge",
    ["a bit", "another table", "another version", "no record", "a plain record", "a foreign key"],
)
async def test_a_forged_commit_freezes_the_table(
    make_process: MakeProcess, time: FakeTime, caplog: pytest.LogCaptureFixture, forge: str
) -> None:
    process = await make_process("a")
    await process.start()
    room = await open_table_with_commits(process, time, 6)
    table_id, redis = room.table_id, process.redis
    version = room.version
    own = await read_stored_commit(redis, table_id, version)
    plain = site_sealer().open(own, "commit", table_id, version)
    match forge:
        case "a bit":
            forged = own[:-1] + bytes([own[-1] ^ 1])
        case "another table":
            other = await open_table_with_commits(process, time, version)
            forged = await read_stored_commit(redis, other.table_id, version)
            await process.store.end_table(other.table_id, keep_s=60)
            await process.service.read_room(table_id)  # the cache dropped the unused room
        case "another version":
            forged = await read_stored_commit(redis, table_id, version - 1)
        case "no record":
            forged = b"garbage"
        case "a plain record":
            assert decode_commit(plain).version == version
            forged = plain
        case _:
            forged = Sealer([OTHER_KEY]).seal(plain, "commit", table_id, version)
    await replace_commit(redis, table_id, version, forged)
    fresh = await make_process("fresh")
    assert await is_frozen_with_a_line(fresh, table_id, caplog)
    assert await process.service.apply_request(table_id, Vote(0, "pause")) == FROZEN


@pytest.mark.asyncio
@pytest.mark.parametrize("forges_log", [False, True])
async def test_unsealed_records_freeze_the_table(
    make_process: MakeProcess, time: FakeTime, caplog: pytest.LogCaptureFixture, forges_log: bool
) -> None:
    """Also if no record is sealed, as in a release without sealing."""
    process = await make_process("a")
    room = await open_table_with_commits(process, time, 17)
    snapshot = await process.store.read_snapshot(room.table_id)
    assert snapshot is not None
    await process.redis.set(TableKeys.of(room.table_id).snap, snapshot)
    for version, data in await process.store.read_entries(room.table_id, 1) if forges_log else ():
        await replace_commit(process.redis, room.table_id, version, data)
    assert await is_frozen_with_a_line(await make_process("fresh"), room.table_id, caplog)


@pytest.mark.asyncio
async def test_key_is_announced_after_a_start_without_redis(
    redis_server: RedisServer, time: FakeTime, settings: Any
) -> None:
    redis_server.kill()
    owner = Process(redis_server.url, now_ms=time, name="owner")
    await owner.start()
    redis_server.start()
    table_id = await open_people_table(owner)
    settings.SECRET_KEY = OTHER_KEY
    stranger = Process(redis_server.url, now_ms=time, name="stranger")
    with pytest.raises(TableUnreadable):
        await stranger.service.read_room(table_id)
    assert not await owner.store.is_frozen(table_id)
    await owner.stop()
    await stranger.stop()


@pytest.mark.asyncio
async def test_process_without_the_key_leaves_the_table_alone(
    redis_url: str,
    make_process: MakeProcess,
    time: FakeTime,
    caplog: pytest.LogCaptureFixture,
    settings: Any,
) -> None:
    owner = await make_process("owner")
    await owner.start()
    room = await open_table_with_commits(owner, time, 3)
    own_key = settings.SECRET_KEY
    settings.SECRET_KEY = OTHER_KEY
    stranger = await make_process("stranger")
    with caplog.at_level(logging.ERROR), pytest.raises(TableUnreadable):
        await stranger.service.read_room(room.table_id)
    assert "SECRET_KEY_FALLBACKS" in caplog.text
    assert not await owner.store.is_frozen(room.table_id)
    assert await owner.store.index.list_running() == [room.table_id]
    settings.SECRET_KEY_FALLBACKS = [own_key]
    successor = await make_process("successor")
    assert await successor.service.read_room(room.table_id) == room
    later = await discards_quietly(successor, room.table_id)
    assert later.version > room.version
    assert encode(later) == encode(
        await (await make_process("again")).service.read_room(room.table_id)
    )
