"""Gatherings in Redis: one value each, changed by compare and set.

A gathering nobody looks after is gone: whoever finds it too old takes it away, and Redis
would some time later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec.structs import replace

from game.live.lobby_api import Script, TableAccess, TablesUnavailable
from lobby.pregame.model import EXPIRES_AFTER_START_MS, PregameTable, Refusal

LISTED_AT_MOST: Final = 200
_ALL: Final = "gatherings"
_TRIES: Final = 32
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

GONE: Final = Refusal("gone")


def _key(pregame_id: str) -> str:
    return f"g:{pregame_id}"


def _heartbeat_key(pregame_id: str) -> str:
    return f"heard:{pregame_id}"


async def find(tables: TableAccess, pregame_id: str) -> PregameTable | None:
    """The gathering; None if there is none, or none any more."""
    raw = await tables.call("GET", _key(pregame_id))
    return None if raw is None else await _unless_expired(tables, raw)


async def add(tables: TableAccess, pregame: PregameTable) -> bool:
    """Keep a new one. False if there is one of its id."""
    return await _swap(tables, b"", pregame, pregame.id)


async def update(
    tables: TableAccess,
    pregame_id: str,
    change: Callable[[PregameTable], PregameTable | Refusal | None],
) -> PregameTable | Refusal | None:
    """Change it by that, which may be called several times: into another, into nothing (None),
    or not at all. Returns what came of it."""
    for _ in range(_TRIES):
        raw = await tables.call("GET", _key(pregame_id))
        before = None if raw is None else await _unless_expired(tables, raw)
        if before is None:
            return GONE
        after = change(before)
        if isinstance(after, Refusal):
            return after
        if after is not None:
            after = replace(after, touched_at=tables.now_ms())
        if await _swap(tables, raw, after, pregame_id):
            return after
    raise TablesUnavailable(f"too many want to change gathering {pregame_id}")


async def record_heartbeat(tables: TableAccess, pregame_id: str, person: str) -> None:
    """The page of that person, who is of that gathering, is there."""
    await tables.run(
        _HEARTBEAT_SCRIPT,
        [_heartbeat_key(pregame_id)],
        [tables.now_ms(), person, EXPIRES_AFTER_START_MS],
    )


async def last_heartbeats(tables: TableAccess, pregame_id: str) -> dict[str, int]:
    """By person, when their page was last heard of."""
    rows = await tables.call("ZRANGE", _heartbeat_key(pregame_id), 0, -1, "WITHSCORES")
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return {person.decode(): int(float(at)) for person, at in pairs}


async def list_all(tables: TableAccess) -> list[PregameTable]:
    """Every gathering that somebody looks after, the last touched first."""
    ids = [raw.decode() for raw in await tables.call("ZREVRANGE", _ALL, 0, LISTED_AT_MOST - 1)]
    here = []
    for pregame_id in ids:
        pregame = await find(tables, pregame_id)
        if pregame is None:
            await tables.call("ZREM", _ALL, pregame_id)
        else:
            here.append(pregame)
    return here


async def _unless_expired(tables: TableAccess, raw: bytes) -> PregameTable | None:
    pregame = _decoder.decode(raw)
    if tables.now_ms() < pregame.expires_at():
        return pregame
    await _swap(tables, raw, None, pregame.id)
    return None


async def _swap(
    tables: TableAccess, before: bytes, after: PregameTable | None, pregame_id: str
) -> bool:
    data = b"" if after is None else msgspec.json.encode(after)
    done = await tables.run(
        _SWAP_SCRIPT, [_key(pregame_id)], [before, data, EXPIRES_AFTER_START_MS]
    )
    if not done:
        return False
    if after is None:
        await tables.call("ZREM", _ALL, pregame_id)
    else:
        await tables.call("ZADD", _ALL, after.touched_at, pregame_id)
    return True
