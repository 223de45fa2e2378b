"""A release does not start over running tables that it cannot read."""

from __future__ import annotations

import pytest

from game.tables.keys import FORM, shard_of, tables_key
from game.tables.stored_form import OtherForm, check_tables
from tests.kit.processes import RedisServer
from tests.tables.staging import MakeProcess, open_people_table


async def test_tables_of_another_release_are_refused_until_they_have_ended(
    make_process: MakeProcess, redis_url: str
) -> None:
    process = await make_process("a")
    await check_tables(redis_url)
    table_id = await open_people_table(process)
    await check_tables(redis_url)
    await process.redis.set("tables:form", "2")
    with pytest.raises(OtherForm, match=r"running tables \(1\) in the form of another release"):
        await check_tables(redis_url)
    # The releases before the first that noted the form, and before the first that had an index.
    await process.redis.delete("tables:form")
    with pytest.raises(OtherForm):
        await check_tables(redis_url)
    await process.redis.delete(tables_key(shard_of(table_id)))
    with pytest.raises(OtherForm, match=r"running tables \(1\)"):
        await check_tables(redis_url)
    await process.store.end_table(table_id, keep_s=1)
    await check_tables(redis_url)
    assert await process.redis.get("tables:form") == FORM


async def test_check_waits_for_nothing_without_redis(
    redis_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    redis_server.kill()
    await check_tables(redis_server.url)
    assert "cannot be checked" in caplog.text
