"""The bundled server opens data of an older Redis. The older server refuses data of the bundled one
and changes no file."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec
import pytest
import redis

from game.engine.legal import pending_seats
from game.live.process import Process
from game.tables.codec import decode_room
from game.tables.keys import TableKeys
from game.tables.room import TableId, TableMeta
from game.tables.sealing import site_sealer
from mahjong_site.redis_server import (
    Binary,
    DataForm,
    RedisUnusable,
    command,
    data_form,
    find_binary,
    find_bundled,
)
from tests.infra.old_servers import FILES, LAST_VERSION, NAMES
from tests.kit.processes import RedisServer, wait_until
from tests.tables.staging import FakeTime, submit_answer, until_due

REDIS_6 = Binary("/usr/bin/redis-server", (6, 2))
REDIS_7 = Binary("/usr/bin/redis-server", (7, 0))


@pytest.fixture
def directory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="mj-") as made:
        yield Path(made)


@pytest.fixture(params=NAMES)
def server(request: pytest.FixtureRequest, directory: Path) -> Iterator[RedisServer]:
    """Yield the bundled server, not started, over data of an older one."""
    shutil.copytree(FILES / request.param, directory / "redis")
    made = RedisServer(directory, find_bundled())
    yield made
    made.kill()


def store_in_todays_form(url: str) -> TableId:
    """Store the only table as this release does, and return its id: the files are of a release that
    stored it otherwise and sealed nothing, and what is tested here is the server."""
    with redis.Redis.from_url(url) as connection:
        (key,) = cast("list[bytes]", connection.keys("t:*:log"))
        table_id = TableId(key.decode().split(":")[2])
        keys = TableKeys.of(table_id)
        room = msgspec.msgpack.decode(cast(bytes, connection.get(keys.snap)))
        seats, clock, _public, opened_at, *_others = room[1]
        room[1] = TableMeta(seats, clock, opened_at=opened_at)
        snapshot = msgspec.msgpack.encode(room)
        at = decode_room(snapshot).version
        sealed = site_sealer().seal(snapshot, "snapshot", table_id, at)
        connection.set(keys.snap, sealed)
        entries = cast("list[tuple[bytes, dict[bytes, bytes]]]", connection.xrange(keys.log))
        connection.delete(keys.log)
        for entry_id, fields in entries:
            version = int(entry_id.split(b"-")[0])
            fields[b"c"] = site_sealer().seal(fields[b"c"], "commit", table_id, version)
            connection.xadd(keys.log, fields, entry_id)
    return table_id


async def play_on(url: str, table_id: TableId, actions: int) -> int:
    """Let the table go on by that many commits; return its new version."""
    time = FakeTime()
    process = Process(url, now_ms=time, name="new")
    await process.heartbeat.beat()
    room = await process.service.read_room(table_id)
    start = room.version
    while room.version < start + actions:
        room = (
            await submit_answer(process, room)
            if pending_seats(room.table)
            else await until_due(process, time, room.table_id)
        )
    await process.stop()
    return room.version


async def test_table_of_an_older_server_continues(server: RedisServer) -> None:
    server.start()
    table_id = store_in_todays_form(server.url)
    assert await play_on(server.url, table_id, 3) == LAST_VERSION + 3
    server.kill()
    server.start()
    assert await play_on(server.url, table_id, 1) == LAST_VERSION + 4


async def test_older_server_is_refused_over_newer_data(server: RedisServer) -> None:
    server.start()
    with redis.Redis.from_url(server.url) as connection:
        connection.bgrewriteaof()
        wait_until(
            lambda: not connection.info("persistence")["aof_rewrite_in_progress"],
            within_s=60,
            what="the base file is written",
        )
    server.stop()
    assert data_form(server.data) == DataForm(True, "VALKEY", 80)
    before = {path: path.read_bytes() for path in server.data.rglob("*") if path.is_file()}
    for old, name in ((REDIS_6, "Redis 6.2"), (REDIS_7, "Redis 7.0")):
        with pytest.raises(RedisUnusable) as refusal:
            command(old, server.data, server.data / "redis.sock")
        assert str(refusal.value) == (
            f"The data in {server.data} is from Valkey 9.0 or newer, which /usr/bin/redis-server "
            f"({name}) cannot read. Start it with that server again, "
            "or restore a backup from before the change."
        )
    assert before == {path: path.read_bytes() for path in server.data.rglob("*") if path.is_file()}
    assert find_binary(server.data) == find_bundled(), "whatever is on PATH"


@pytest.mark.parametrize(
    ("binary", "form", "is_read"),
    [
        (REDIS_6, DataForm(False, "REDIS", 9), True),
        (REDIS_6, DataForm(True), False),
        (REDIS_7, DataForm(False, "REDIS", 9), True),
        (REDIS_7, DataForm(True, "REDIS", 10), True),
        (REDIS_7, DataForm(True, "REDIS", 11), False),
        (Binary("", (7, 2)), DataForm(True, "REDIS", 11), True),
        (Binary("", (8, 2)), DataForm(True, "REDIS", 12), True),
        (Binary("", (8, 2)), DataForm(True, "VALKEY", 80), False),
        (Binary("", (8, 1), "Valkey"), DataForm(True, "REDIS", 11), True),
        (Binary("", (8, 1), "Valkey"), DataForm(True, "VALKEY", 80), False),
        (Binary("", (9, 1), "Valkey"), DataForm(True, "REDIS", 11), True),
        (Binary("", (9, 1), "Valkey"), DataForm(True, "REDIS", 12), False),
        (Binary("", (9, 1), "Valkey"), DataForm(True, "VALKEY", 80), True),
    ],
)
def test_servers_read_known_data_formats(binary: Binary, form: DataForm, is_read: bool) -> None:
    assert binary.can_read(form) is is_read
