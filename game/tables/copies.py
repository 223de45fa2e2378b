"""Copy running tables out of Redis for a backup, and back into an empty Redis.

A copy holds the sealed records as they are in Redis.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final, cast

import msgspec

from game.redis.clients import Redis
from game.tables.room import TableId
from game.tables.sealing import SealBroken, Sealer, UnknownKey
from game.tables.store import (
    Store,
    TableKeys,
    due_key,
    frozen_key,
    live_key,
    reaching_redis,
    shard_of,
)

Rows = list[tuple[bytes, dict[bytes, bytes]]]
"""Entries of a stream: id and fields."""


class TableCopy(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Everything that Redis holds of one running table, at one moment."""

    table_id: TableId
    meta: dict[bytes, bytes]
    log: Rows
    snapshot: bytes
    chat: Rows
    spectator_chat: Rows
    due: float | None
    """When the table was due, in ms since the epoch; None for a frozen table."""
    listed_at: float | None
    """Its place in the list of public tables; None if it is not listed."""
    is_frozen: bool


encoder: Final = msgspec.msgpack.Encoder()
decoder: Final = msgspec.msgpack.Decoder(TableCopy)


async def copy_tables(store: Store) -> AsyncIterator[TableCopy]:
    """Yield a copy of each running and each frozen table. Raises TablesUnavailable."""
    for table_id in sorted({*await store.running(), *await store.frozen()}):
        copy = await _copy_table(store.redis, table_id)
        if copy is not None:
            yield copy


async def _copy_table(redis: Redis, table_id: TableId) -> TableCopy | None:
    """Copy the table at one moment; None if it has ended meanwhile."""
    keys, shard = TableKeys.of(table_id), shard_of(table_id)
    pipe = redis.pipeline(transaction=True)
    pipe.hgetall(keys.meta)
    for stream in (keys.log, keys.chat, keys.spectator_chat):
        pipe.xrange(stream)
    pipe.get(keys.snap)
    for key in (due_key(shard), live_key(shard), frozen_key(shard)):
        pipe.zscore(key, table_id)
    with reaching_redis():
        meta, log, chat, spectator_chat, snapshot, due, listed_at, frozen_at = await pipe.execute()
    if snapshot is None or (due is None and frozen_at is None):
        return None
    return TableCopy(
        *(table_id, meta, log, snapshot, chat, spectator_chat),
        *(due, listed_at, frozen_at is not None),
    )


async def put_copy_back(redis: Redis, copy: TableCopy) -> None:
    """Write the table into Redis. It is not due and not listed yet. Raises TablesUnavailable."""
    keys = TableKeys.of(copy.table_id)
    meta = {name: value for name, value in copy.meta.items() if name != b"frozen"}
    pipe = redis.pipeline(transaction=True)
    pipe.hset(keys.meta, mapping=cast(Any, meta))
    pipe.set(keys.snap, copy.snapshot)
    for key, rows in (
        (keys.log, copy.log),
        (keys.chat, copy.chat),
        (keys.spectator_chat, copy.spectator_chat),
    ):
        for row_id, fields in rows:
            pipe.xadd(key, cast(Any, fields), id=row_id)
    with reaching_redis():
        await pipe.execute()


async def list_copy(store: Store, copy: TableCopy) -> None:
    """Make a table that was put back due and listed again. Raises TablesUnavailable."""
    if copy.is_frozen:
        await store.freeze(copy.table_id)
        return
    shard = shard_of(copy.table_id)
    pipe = store.redis.pipeline(transaction=True)
    # Keep the later time that a commit since then has set.
    pipe.zadd(due_key(shard), {copy.table_id: copy.due or 0.0}, nx=True)
    if copy.listed_at is not None:
        pipe.zadd(live_key(shard), {copy.table_id: copy.listed_at})
    with reaching_redis():
        await pipe.execute()


def opened(copy: TableCopy, sealer: Sealer) -> bytes | None:
    """Return the unsealed snapshot of that table; None if the sealer has not got its key."""
    try:
        return sealer.open(copy.snapshot, "snapshot", copy.table_id).data
    except (SealBroken, UnknownKey):
        return None
