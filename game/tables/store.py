"""Stores tables in Redis: their logs, snapshots and due times.

Seals every commit and room (`sealing`). Knows bytes and versions, nothing of the game. `keys` names
the keys, `table_index` finds tables.

All keys of a table and the due times of its shard share a hash tag, so that they are in one slot of
a Redis Cluster. Uses commands of Redis 6.2. The client library never repeats a command. If the
outcome of a commit is unknown, its token is searched in the log.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from enum import Enum
from typing import Any, Final, NamedTuple, NoReturn, cast

import msgspec

from game.redis.clients import Redis
from game.redis.errors import NoScriptError
from game.redis.pipeline import Command, Pipeline
from game.tables import metrics
from game.tables.errors import TableUnreadable, reaching_redis
from game.tables.keys import (
    FORM,
    FORM_KEY,
    SHARDS,
    TableKeys,
    due_key,
    frozen_key,
    live_key,
    people_key,
    shard_of,
    tables_key,
)
from game.tables.room import TableId
from game.tables.sealing import SealBroken, Sealer, UnknownKey, site_sealer
from game.tables.table_index import IndexEntry, TableIndex, lua_script

log = logging.getLogger(__name__)

_KEY_IDS: Final = "site:keys"
"""The ids of all secret keys that processes of this site have used."""
_CLAIMED_WITHIN_S: Final = 0.1
"""How long claims wait for a node. A slower one does not delay the claims at other nodes."""

Entry = tuple[int, bytes]
"""The version and the bytes of a commit."""


class Appended(Enum):
    DONE = 1
    CONFLICT = 0
    """Another process was faster, or the table is gone."""
    FROZEN = 2


class Append(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One commit to append, with what changes in the same step."""

    table_id: TableId
    expected: str
    head: str
    version: int
    commit: bytes
    due: int | None
    snapshot: bytes = b""
    summary: bytes = b""
    listed_at: int | None = None
    """The number by which public tables are sorted in their list; None leaves the list as it is."""
    index: IndexEntry | None = None
    """The table's new entry in the index; None leaves the index as it is."""
    own_channel: str = ""
    """The writer's own channel, if it is subscribed to the table's channel over the same
    connection; '' otherwise. A table without other subscribers then gets no notification."""


_APPEND_SCRIPT: Final = lua_script("index.lua", "append.lua")
_COPY_SCRIPT: Final = lua_script("copy.lua")
_END_SCRIPT: Final = lua_script("index.lua", "end.lua")
_CLAIM_SCRIPT: Final = lua_script("claim.lua")
_POSTPONE_SCRIPT: Final = lua_script("postpone.lua")
_FREEZE_SCRIPT: Final = lua_script("freeze.lua")
_THAW_SCRIPT: Final = lua_script("thaw.lua")


class _Claim(NamedTuple):
    """A claim of due tables at one node."""

    shards: Sequence[int]
    lease_end: int
    replies: asyncio.Task[list[Any]]


class Store:
    """Stores the tables in Redis, as bytes."""

    def __init__(
        self,
        redis: Redis,
        sealer: Sealer | None = None,
        pipeline: Pipeline | None = None,
        commits: Pipeline | None = None,
    ) -> None:
        self.redis = redis
        self._pipeline = pipeline or Pipeline(redis)
        self._commits = commits or self._pipeline
        self.index = TableIndex(redis, self._pipeline)
        self._sealer = sealer or site_sealer()
        self._is_key_announced = False
        self._reported: set[str] = set()
        """Tables whose records could not be opened. Each is logged once."""
        self._claimed_at = [time.monotonic()] * SHARDS
        self._claims: list[_Claim] = []
        """The claims without an answer so far."""
        self._unanswered: dict[int, list[int]] = {}
        """By shard, the ends of leases whose reply was lost. The leases may have been granted."""

    async def append(self, entry: Append) -> Appended:
        """Append the commit if the table's head is still `entry.expected`, atomically."""
        await self.publish_sealing_key()
        keys = TableKeys.of(entry.table_id)
        shard = shard_of(entry.table_id)
        args: Command = [
            entry.expected,
            entry.head,
            f"{entry.version}-0",
            self._sealer.seal(entry.commit, "commit", entry.table_id, entry.version),
            self._seal_snapshot(entry),
            "" if entry.due is None else entry.due,
            entry.table_id,
            keys.channel,
            entry.summary,
            "" if entry.listed_at is None else entry.listed_at,
            "" if self._pipeline.is_of_cluster else entry.own_channel,
            *(("", "") if entry.index is None else (entry.index.opened_at, entry.index.terms)),
        ]
        names = [keys.meta, keys.log, keys.snap, due_key(shard), live_key(shard)]
        names += [tables_key(shard), people_key(shard)]
        with reaching_redis():
            reply = await _APPEND_SCRIPT.run(self._commits, names, args)
        return Appended(reply[0])

    def _seal_snapshot(self, entry: Append) -> bytes:
        if not entry.snapshot:
            return b""
        return self._sealer.seal(entry.snapshot, "snapshot", entry.table_id, entry.version)

    async def read_snapshot(self, table_id: str) -> bytes | None:
        """Read the last snapshot; None if there is no such table. Raises TableUnreadable."""
        with reaching_redis():
            stored = await self._pipeline.call("GET", TableKeys.of(table_id).snap)
        if stored is None:
            return None
        try:
            return self._sealer.open(stored, "snapshot", table_id)
        except (SealBroken, UnknownKey) as error:
            await self._refuse_unreadable_table(table_id, error)

    async def read_entries(
        self, table_id: str, version: int, last: int | None = None
    ) -> list[Entry]:
        """Read the commits from `version` to `last`, or to the end. Raises TableUnreadable."""
        end = "+" if last is None else f"{last}-0"
        with reaching_redis():
            rows = await self._pipeline.call(
                "XRANGE", TableKeys.of(table_id).log, f"{version}-0", end
            )
        entries = list[Entry]()
        try:
            for row_id, fields in rows:
                number = int(row_id.split(b"-", 1)[0])
                data = self._sealer.open(fields[b"c"], "commit", table_id, number)
                entries.append((number, data))
        except (SealBroken, UnknownKey) as error:
            await self._refuse_unreadable_table(table_id, error)
        return entries

    async def _refuse_unreadable_table(
        self, table_id: str, error: SealBroken | UnknownKey
    ) -> NoReturn:
        """Freeze a table whose records this site has not written.

        A table that is sealed under the key of another process of this site stays as it is: that
        process can read it.
        """
        if table_id not in self._reported:
            if isinstance(error, UnknownKey) and await self._is_key_of_site(error.key_id):
                fate = "left alone: name that key in SECRET_KEY_FALLBACKS"
            else:
                fate = "frozen"
                await self.freeze(table_id)
                metrics.FROZEN.inc()
            log.error("table %s cannot be read: %s; it is %s", table_id, error, fate)
            self._reported.add(table_id)
        raise TableUnreadable(f"table {table_id} cannot be read: {error}") from error

    async def publish_sealing_key(self) -> None:
        """Publish the id of this process's sealing key, and the form in which it stores tables.
        Called once, before the first record. Other processes freeze tables that are sealed under an
        unpublished key, and refuse to start if the form is another one."""
        if self._is_key_announced:
            return
        with reaching_redis():
            await self._pipeline.call("SADD", _KEY_IDS, self._sealer.key_ids[0])
            await self._pipeline.call("SET", FORM_KEY, FORM)
        self._is_key_announced = True

    async def _is_key_of_site(self, key_id: bytes) -> bool:
        with reaching_redis():
            return bool(await self._pipeline.call("SISMEMBER", _KEY_IDS, key_id))

    def node_of(self, table_id: str) -> object:
        """Return the node of the cluster that has the table; None without a cluster."""
        return self._pipeline.node_of(("HGET", TableKeys.of(table_id).meta))

    async def read_heads(self, table_ids: Sequence[str]) -> list[str]:
        """Return the heads of these tables; '' for a table that has ended."""
        with reaching_redis():
            replies = await self._pipeline.calls(
                [("HGET", TableKeys.of(table_id).meta, "head") for table_id in table_ids]
            )
        return [reply.decode() if reply else "" for reply in replies]

    def claim_age_s(self) -> float:
        """Return how many seconds ago this process last got an answer to a claim, for the shard
        where that is longest ago."""
        return time.monotonic() - min(self._claimed_at)

    async def claim(
        self, *, now: int, lease_ms: int, at_most: int
    ) -> tuple[list[TableId], int | None]:
        """Claim due tables, at most `at_most` per shard, for `lease_ms` from `now`.

        Return the claimed tables, and when (ms) the next table is due. Each node of a cluster is
        asked separately. A late reply is returned by a later call. If a reply is lost, its tables
        are due again in the next call.
        """
        busy = {shard for claim in self._claims for shard in claim.shards}
        by_node: dict[object, list[int]] = {}
        for shard in range(SHARDS):
            if shard not in busy:
                node = self._pipeline.node_of(("EVALSHA", "", 1, due_key(shard)))
                by_node.setdefault(node, []).append(shard)
        new = [
            _Claim(
                shards,
                now + lease_ms,
                asyncio.create_task(self._claim_in(shards, now, now + lease_ms, at_most)),
            )
            for shards in by_node.values()
        ]
        self._claims += new
        tasks = [claim.replies for claim in new or self._claims]
        done, _ = await asyncio.wait(tasks, timeout=_CLAIMED_WITHIN_S)
        if not done:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return self._take_claims(now)

    async def _claim_in(
        self, shards: Sequence[int], now: int, lease_end: int, at_most: int
    ) -> list[Any]:
        """Claim due tables in these shards; return one reply or error per shard. A single server is
        asked once for all of them."""
        unanswered = {shard: self._unanswered.pop(shard, []) for shard in shards}

        def claim(group: Sequence[int], *script: str) -> asyncio.Future[Any]:
            lost = {end for shard in group for end in unanswered[shard] if end > now}
            keys = [due_key(shard) for shard in group]
            args = (now, lease_end, at_most, *sorted(lost))
            return self._pipeline.send((*script, len(keys), *keys, *args))

        groups = [[shard] for shard in shards] if self._pipeline.is_of_cluster else [shards]
        replies = await asyncio.gather(
            *[claim(group, "EVALSHA", _CLAIM_SCRIPT.sha) for group in groups],
            return_exceptions=True,
        )
        found = list[Any]()
        for group, reply in zip(groups, replies, strict=True):
            if isinstance(reply, NoScriptError):
                again = claim(group, "EVAL", _CLAIM_SCRIPT.text)
                (reply,) = await asyncio.gather(again, return_exceptions=True)
            found += [reply] * len(group) if isinstance(reply, BaseException) else reply
        return found

    def _take_claims(self, now: int) -> tuple[list[TableId], int | None]:
        """Remove the claims that have been answered. Return their tables and when (ms) the next
        table is due. Raises TablesUnavailable if all failed."""
        ended = [claim for claim in self._claims if claim.replies.done()]
        self._claims = [claim for claim in self._claims if not claim.replies.done()]
        replies, failures = list[Any](), list[BaseException]()
        for claim in ended:
            for shard, reply in zip(claim.shards, claim.replies.result(), strict=True):
                if isinstance(reply, BaseException):
                    self._unanswered.setdefault(shard, []).append(claim.lease_end)
                    failures.append(reply)
                else:
                    self._claimed_at[shard] = time.monotonic()
                    replies.append(reply)
        if failures and not replies:
            with reaching_redis():
                raise failures[0]
        claimed = [TableId(raw.decode()) for ids, _, _ in replies for raw in ids]
        following = [int(float(first)) for _, first, _ in replies if first]
        if oldest := [float(since) for _, _, since in replies if since]:
            metrics.LAG_S.observe((now - min(oldest)) / 1000)
        return claimed, min(following, default=None)

    async def postpone(self, table_id: str, *, expected: str, due: int) -> None:
        """Make the table due at `due`, unless its head is no longer `expected` or it is frozen."""
        meta, key = TableKeys.of(table_id).meta, due_key(shard_of(table_id))
        with reaching_redis():
            await _POSTPONE_SCRIPT.run(self._pipeline, [meta, key], [expected, due, table_id])

    async def make_due(self, table_id: str, now: int) -> None:
        """Make the table due at `now` if its due time is later."""
        with reaching_redis():
            await self._pipeline.call(
                "ZADD", due_key(shard_of(table_id)), "XX", "LT", now, table_id
            )

    async def freeze(self, table_id: str) -> None:
        """Freeze the table: nobody can change it, and it is on no public list. Its keys stay."""
        with reaching_redis():
            await _FREEZE_SCRIPT.run(self._pipeline, _keys_for_freezing(table_id), [table_id])

    async def thaw(self, table_id: str, *, due: int, listed_at: int | None) -> bool:
        """Unfreeze a table and make it due at `due`. False if it is not frozen."""
        args: Command = [table_id, due, "" if listed_at is None else listed_at]
        with reaching_redis():
            return bool(await _THAW_SCRIPT.run(self._pipeline, _keys_for_freezing(table_id), args))

    async def is_frozen(self, table_id: str) -> bool:
        with reaching_redis():
            return bool(await self._pipeline.call("HEXISTS", TableKeys.of(table_id).meta, "frozen"))

    async def end_table(self, table_id: str, *, keep_s: int) -> None:
        """End the table: it is no longer due or listed, and its keys expire after `keep_s`."""
        keys, shard = TableKeys.of(table_id), shard_of(table_id)
        names = [keys.meta, tables_key(shard), people_key(shard)]
        names += [due_key(shard), live_key(shard), frozen_key(shard)]
        names += [keys.log, keys.snap, keys.sockets, keys.left, keys.chat, keys.spectator_chat]
        with reaching_redis():
            await _END_SCRIPT.run(self._pipeline, names, [table_id, keep_s])

    async def read_all(self, table_id: str) -> list[Any]:
        """Read everything of the table at one moment, as `copy.lua` returns it."""
        keys, shard = TableKeys.of(table_id), shard_of(table_id)
        names = [keys.meta, keys.log, keys.chat, keys.spectator_chat, keys.snap]
        names += [due_key(shard), live_key(shard), frozen_key(shard)]
        with reaching_redis():
            return cast(list[Any], await _COPY_SCRIPT.run(self._pipeline, names, [table_id]))

    async def remove_missing(self, table_id: str) -> None:
        """Remove a table that no longer exists from the sets of due, public and all tables."""
        shard = shard_of(table_id)
        with reaching_redis():
            await self._pipeline.calls(
                [("ZREM", key(shard), table_id) for key in (due_key, live_key, tables_key)]
            )


def _keys_for_freezing(table_id: str) -> list[str]:
    shard = shard_of(table_id)
    meta = TableKeys.of(table_id).meta
    return [meta, due_key(shard), live_key(shard), frozen_key(shard)]
