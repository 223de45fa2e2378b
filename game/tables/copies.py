"""Copies running tables from Redis into a backup, and back into an empty Redis.

A copy contains the sealed records as they are in Redis.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any, Final, cast

import msgspec

from game.redis.clients import Redis
from game.tables.errors import reaching_redis
from game.tables.in_batches import BATCH_TABLES, in_batches
from game.tables.keys import TableKeys, due_key, live_key, shard_of
from game.tables.room import TableId
from game.tables.sealing import SealBroken, Sealer, UnknownKey
from game.tables.store import Store

Rows = list[tuple[bytes, dict[bytes, bytes]]]
"""Entries of a stream: id and fields."""


class TableCopy(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Everything that Redis has of one running table, at one moment."""

    table_id: TableId
    meta: dict[bytes, bytes]
    log: Rows
    snapshot: bytes
    chat: Rows
    spectator_chat: Rows
    due: float | None
    """When the table was due, in ms since the epoch; None for a frozen table."""
    listed_at: float | None
    """The table's place in the list of public tables; None if it is not listed."""
    is_frozen: bool


encoder: Final = msgspec.msgpack.Encoder()
decoder: Final = msgspec.msgpack.Decoder(TableCopy)


async def copy_tables(store: Store) -> AsyncIterator[TableCopy]:
    """Yield a copy of each running and each frozen table. Raises TablesUnavailable."""
    tables = sorted({*await store.index.list_running(), *await store.index.list_frozen()})
    for start in range(0, len(tables), BATCH_TABLES):
        for copy in await in_batches(
            partial(_copy_table, store), tables[start : start + BATCH_TABLES]
        ):
            if copy is not None:
                yield copy


async def _copy_table(store: Store, table_id: TableId) -> TableCopy | None:
    """Copy the table at one moment; None if it has ended meanwhile."""
    meta, log, chat, spectator_chat, snapshot, *scores = await store.read_all(table_id)
    due, listed_at, frozen_at = [None if score is None else float(score) for score in scores]
    if snapshot is None or (due is None and frozen_at is None):
        return None
    return TableCopy(
        *(
            table_id,
            _dict_of_pairs(meta),
            _rows_of_stream(log),
            snapshot,
            _rows_of_stream(chat),
            _rows_of_stream(spectator_chat),
        ),
        *(due, listed_at, frozen_at is not None),
    )


def _dict_of_pairs(flat: Sequence[bytes]) -> dict[bytes, bytes]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _rows_of_stream(rows: Sequence[tuple[bytes, Sequence[bytes]]]) -> Rows:
    return [(row_id, _dict_of_pairs(fields)) for row_id, fields in rows]


async def put_copy_back(redis: Redis, copy: TableCopy) -> None:
    """Write the table into Redis. Until `schedule_copy`, the table is neither due nor listed.
    Raises TablesUnavailable."""
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


async def schedule_copy(store: Store, copy: TableCopy) -> None:
    """Make a table that `put_copy_back` has written due again, and list it again if it was listed.
    Raises TablesUnavailable."""
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


def unseal_snapshot(copy: TableCopy, sealer: Sealer) -> bytes | None:
    """Return the encoded room of the copy; None if `sealer` lacks the key."""
    try:
        return sealer.open(copy.snapshot, "snapshot", copy.table_id)
    except (SealBroken, UnknownKey):
        return None
