"""Finds tables in Redis: all running ones, the newest, and those of a person.

Reads no more than it returns, however many tables there are. The scripts that change a table change
the index in the same step (`store`). The worker enters tables that are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from game.redis.clients import Redis
from game.redis.pipeline import Command, Pipeline, Script
from game.tables.errors import reaching_redis
from game.tables.keys import (
    SHARDS,
    TableKeys,
    due_key,
    frozen_key,
    live_key,
    people_key,
    shard_of,
    tables_key,
)
from game.tables.room import TableId, TableMeta


def lua_script(*names: str) -> Script:
    """Return the script made of these files, in this order."""
    folder = Path(__file__).parent
    return Script("".join((folder / name).read_text(encoding="utf-8") for name in names))


_REINDEX_SCRIPT: Final = lua_script("index.lua", "reindex.lua")


class IndexEntry(NamedTuple):
    """The opening time and the people under which the index lists a table."""

    opened_at: int
    people: Sequence[str]
    """The ids and names of the people who have a seat."""

    @classmethod
    def of(cls, meta: TableMeta) -> IndexEntry:
        """Return the entry of a table with these seats. Bots are left out."""
        people = [text for seat in meta.seats if seat.person for text in (seat.person, seat.name)]
        return cls(meta.opened_at, people)

    @property
    def terms(self) -> str:
        """Ids of the people and their names in the form of `search_term`, one a line."""
        return "\n".join(sorted({search_term(text) for text in self.people} - {""}))


def search_term(text: str) -> str:
    """Return the text in the form of the index: lower case, without line breaks."""
    return " ".join(text.casefold().split())


class TableIndex:
    """Finds tables in Redis. All methods raise TablesUnavailable."""

    def __init__(self, redis: Redis, pipeline: Pipeline) -> None:
        self._redis = redis
        self._pipeline = pipeline

    async def list_running(self) -> list[TableId]:
        """Return all running tables, without frozen ones."""
        return await self._list_in_all_shards(due_key)

    async def list_frozen(self) -> list[TableId]:
        """Return all frozen tables."""
        return await self._list_in_all_shards(frozen_key)

    async def _list_in_all_shards(self, key: Callable[[int], str]) -> list[TableId]:
        with reaching_redis():
            shards = await self._pipeline.calls(
                [("ZRANGE", key(shard), 0, -1) for shard in range(SHARDS)]
            )
        return sorted(TableId(raw.decode()) for shard in shards for raw in shard)

    async def count_running(self) -> int:
        """Return the number of running tables."""
        return await self._count_in_all_shards(due_key)

    async def count_tables(self) -> int:
        """Return the number of tables, running and frozen."""
        return await self._count_in_all_shards(tables_key)

    async def _count_in_all_shards(self, key: Callable[[int], str]) -> int:
        with reaching_redis():
            counts = await self._pipeline.calls([("ZCARD", key(shard)) for shard in range(SHARDS)])
        return sum(counts)

    async def list_newest_tables(self, *, at_most: int) -> list[TableId]:
        """Return running and frozen tables, the newest first."""
        return await self._newest_of_all_shards(tables_key, at_most)

    async def tables_of(self, person: str) -> list[TableId]:
        """Return the tables, running and frozen, at which that person has a seat."""
        term = search_term(person)
        return await self._find_between(f"[{term}\n".encode(), f"({term}\v".encode(), at_most=-1)

    async def find_tables(self, text: str, *, at_most: int) -> list[TableId]:
        """Return at most `at_most` tables: the one with the id `text`, and those where somebody's
        id or name begins with `text`."""
        term = search_term(text)
        if not term:
            return []
        first = f"[{term}".encode()
        found = await self._find_between(first, first + b"\xff", at_most=at_most)
        with reaching_redis():
            score = await self._pipeline.call("ZSCORE", tables_key(shard_of(text)), text)
        if score is not None:
            found.insert(0, TableId(text))
        return found[:at_most]

    async def find_unfinished(self, table_ids: Sequence[str]) -> dict[str, bool]:
        """Return which of these tables have games that have not ended. The value says whether a
        player has ever had a socket there."""
        commands: list[Command] = []
        for table_id in table_ids:
            keys = TableKeys.of(table_id)
            commands += [
                ("ZSCORE", tables_key(shard_of(table_id)), table_id),
                ("EXISTS", keys.sockets, keys.left),
            ]
        with reaching_redis():
            replies = await self._pipeline.calls(commands)
        rows = zip(table_ids, replies[::2], replies[1::2], strict=True)
        return {table_id: bool(known) for table_id, score, known in rows if score is not None}

    async def _find_between(self, first: bytes, last: bytes, *, at_most: int) -> list[TableId]:
        with reaching_redis():
            shards = await self._pipeline.calls(
                [
                    ("ZRANGEBYLEX", people_key(shard), first, last, "LIMIT", 0, at_most)
                    for shard in range(SHARDS)
                ]
            )
        return sorted(
            {TableId(raw.decode().partition("\n")[2]) for found in shards for raw in found}
        )

    async def enter(self, table_id: str, entry: IndexEntry) -> None:
        """Replace the table's entry in the index, if the table exists."""
        keys, shard = TableKeys.of(table_id), shard_of(table_id)
        names = [keys.meta, tables_key(shard), people_key(shard)]
        with reaching_redis():
            await _REINDEX_SCRIPT.run(
                self._pipeline, names, [table_id, entry.opened_at, entry.terms]
            )

    async def remove(self, table_id: str) -> None:
        """Remove the table from the index."""
        keys, shard = TableKeys.of(table_id), shard_of(table_id)
        names = [keys.meta, tables_key(shard), people_key(shard)]
        with reaching_redis():
            await _REINDEX_SCRIPT.run(self._pipeline, names, [table_id])

    async def find_differences(self) -> tuple[set[TableId], set[TableId]]:
        """Return the tables that the index lacks, and those that it still has after their end."""
        missing, ended = set[TableId](), set[TableId]()
        for shard in range(SHARDS):
            pipe = self._redis.pipeline(transaction=True)
            indexed, due, frozen = tables_key(shard), due_key(shard), frozen_key(shard)
            for keys in ([due, indexed], [frozen, indexed], [indexed, due, frozen]):
                pipe.zdiff(keys)
            with reaching_redis():
                replies = await pipe.execute()
            rows = [{TableId(raw.decode()) for raw in reply} for reply in replies]
            missing |= rows[0] | rows[1]
            ended |= rows[2]
        return missing, ended

    async def list_summaries(self, *, at_most: int) -> list[bytes]:
        """Return the summaries of the tables that were listed last, the newest first."""
        newest = await self._newest_of_all_shards(live_key, at_most)
        with reaching_redis():
            replies = await self._pipeline.calls(
                [("HGET", TableKeys.of(table_id).meta, "summary") for table_id in newest]
            )
        return [reply for reply in replies if reply]

    async def _newest_of_all_shards(self, key: Callable[[int], str], at_most: int) -> list[TableId]:
        """Return the members with the highest scores of all shards, the highest first.

        Tables are spread evenly over the shards, so each shard is first asked for twice its share.
        A shard is asked again only if all its members so far are among the newest.
        """
        share = min(at_most, 2 * -(-at_most // SHARDS))
        rows = await self._read_newest_of_shards(key, range(SHARDS), 0, share)
        newest = sorted((row for part in rows for row in part), reverse=True)[:at_most]
        oldest = newest[-1] if len(newest) == at_most else (0.0, "")
        full = [at for at, part in enumerate(rows) if len(part) == share and part[-1] >= oldest]
        if full and share < at_most:
            rows = [newest, *await self._read_newest_of_shards(key, full, share, at_most)]
            newest = sorted((row for part in rows for row in part), reverse=True)[:at_most]
        return [TableId(table_id) for _, table_id in newest]

    async def _read_newest_of_shards(
        self, key: Callable[[int], str], shards: Sequence[int], first: int, end: int
    ) -> list[list[tuple[float, str]]]:
        """Return scores and members of each of these shards, the highest score first, from rank
        `first` to before rank `end`."""
        with reaching_redis():
            replies = await self._pipeline.calls(
                [("ZREVRANGE", key(shard), first, end - 1, "WITHSCORES") for shard in shards]
            )
        return [
            [(float(score), raw.decode()) for raw, score in zip(row[::2], row[1::2], strict=True)]
            for row in replies
        ]
