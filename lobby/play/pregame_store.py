"""Stores pregame tables in Redis, one value each, updated by compare and set.

The first reader of an expired table deletes it, before Redis does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec.structs import replace

from game.redis.pipeline import Script
from game.tables.errors import TableError
from lobby.play.backend import Backend
from lobby.play.pregame import EXPIRES_AFTER_START_MS, Change, PregameRefusal, PregameTable
from lobby.play.queues import decode_times

MAX_LISTED: Final = 200
_ALL: Final = "pregame-tables"
"""The sorted set of all pregame tables."""
_MAX_TRIES: Final = 32
_SWAP_SCRIPT: Final = Script(
    """
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1])
else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1
"""
)
_HEARTBEAT_SCRIPT: Final = Script(
    """
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
"""
)
_decoder: Final = msgspec.json.Decoder(PregameTable)

GONE: Final = PregameRefusal("gone")


def _key(pregame_id: str) -> str:
    return f"pregame:{pregame_id}"


def _heartbeat_key(pregame_id: str) -> str:
    return f"pregame-heartbeats:{pregame_id}"


async def find(backend: Backend, pregame_id: str) -> PregameTable | None:
    """Return the table, or None if it does not exist or has expired."""
    raw = await backend.call("GET", _key(pregame_id))
    return None if raw is None else await _decode_unless_expired(backend, raw)


async def add(backend: Backend, pregame: PregameTable) -> bool:
    """Store a new table. Return False if its id exists."""
    return await _compare_and_set(backend, b"", pregame, pregame.id)


async def update(
    backend: Backend,
    pregame_id: str,
    change: Callable[[PregameTable], Change | None],
) -> Change | None:
    """Apply `change` and return its result. `change` may be called several times. If it returns
    None the table is deleted, if it returns a PregameRefusal nothing changes. Raises
    TablesUnavailable after too many conflicts.
    """
    for _ in range(_MAX_TRIES):
        raw = await backend.call("GET", _key(pregame_id))
        before = None if raw is None else await _decode_unless_expired(backend, raw)
        if before is None:
            return GONE
        after = change(before)
        if isinstance(after, PregameRefusal):
            return after
        if after is not None:
            after = replace(after, touched_at=backend.now_ms())
        if await _compare_and_set(backend, raw, after, pregame_id):
            return after
    raise TableError(f"too many concurrent changes of pregame table {pregame_id}")


async def record_heartbeat(backend: Backend, pregame_id: str, person: str) -> None:
    """Record a heartbeat of the page of a person at that table."""
    await backend.run(
        _HEARTBEAT_SCRIPT,
        [_heartbeat_key(pregame_id)],
        [backend.now_ms(), person, EXPIRES_AFTER_START_MS],
    )


async def last_heartbeats(backend: Backend, pregame_id: str) -> dict[str, int]:
    """Map each person at that table to the time of the last heartbeat, in ms since the epoch."""
    rows = await backend.call("ZRANGE", _heartbeat_key(pregame_id), 0, -1, "WITHSCORES")
    return decode_times(rows)


async def list_all(backend: Backend) -> list[PregameTable]:
    """Return every table, the last touched first."""
    ids = [raw.decode() for raw in await backend.call("ZREVRANGE", _ALL, 0, MAX_LISTED - 1)]
    tables = await asyncio.gather(*[find(backend, pregame_id) for pregame_id in ids])
    gone = [pregame_id for pregame_id, pregame in zip(ids, tables, strict=True) if pregame is None]
    if gone:
        await backend.call("ZREM", _ALL, *gone)
    return [pregame for pregame in tables if pregame is not None]


async def _decode_unless_expired(backend: Backend, raw: bytes) -> PregameTable | None:
    pregame = _decoder.decode(raw)
    if backend.now_ms() < pregame.expires_at():
        return pregame
    await _compare_and_set(backend, raw, None, pregame.id)
    return None


async def _compare_and_set(
    backend: Backend, before: bytes, after: PregameTable | None, pregame_id: str
) -> bool:
    data = b"" if after is None else msgspec.json.encode(after)
    done = await backend.run(
        _SWAP_SCRIPT, [_key(pregame_id)], [before, data, EXPIRES_AFTER_START_MS]
    )
    if not done:
        return False
    if after is None:
        await backend.call("ZREM", _ALL, pregame_id)
    else:
        await backend.call("ZADD", _ALL, after.touched_at, pregame_id)
    return True
