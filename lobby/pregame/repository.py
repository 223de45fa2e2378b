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
from lobby.pregame.model import KEPT_AFTER_START_MS, No, PregameTable

LISTED_AT_MOST: Final = 200
_ALL: Final = "gatherings"
_TRIES: Final = 32
_SWAP: Final = Script(
    """
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1])
else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1
"""
)
_HEAR: Final = Script(
    """
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
"""
)
_decoder: Final = msgspec.json.Decoder(PregameTable)

GONE: Final = No("gone")


def _key(gathering_id: str) -> str:
    return f"g:{gathering_id}"


def _heard_key(gathering_id: str) -> str:
    return f"heard:{gathering_id}"


async def found(house: TableAccess, gathering_id: str) -> PregameTable | None:
    """The gathering; None if there is none, or none any more."""
    raw = await house.call("GET", _key(gathering_id))
    return None if raw is None else await _unless_old(house, raw)


async def added(house: TableAccess, gathering: PregameTable) -> bool:
    """Keep a new one. False if there is one of its id."""
    return await _swapped(house, b"", gathering, gathering.id)


async def changed(
    house: TableAccess,
    gathering_id: str,
    change: Callable[[PregameTable], PregameTable | No | None],
) -> PregameTable | No | None:
    """Change it by that, which may be called several times: into another, into nothing (None),
    or not at all. Returns what came of it."""
    for _ in range(_TRIES):
        raw = await house.call("GET", _key(gathering_id))
        before = None if raw is None else await _unless_old(house, raw)
        if before is None:
            return GONE
        after = change(before)
        if isinstance(after, No):
            return after
        if after is not None:
            after = replace(after, touched_at=house.now_ms())
        if await _swapped(house, raw, after, gathering_id):
            return after
    raise TablesUnavailable(f"too many want to change gathering {gathering_id}")


async def heard_of(house: TableAccess, gathering_id: str, person: str) -> None:
    """The page of that person, who is of that gathering, is there."""
    await house.run(
        _HEAR, [_heard_key(gathering_id)], [house.now_ms(), person, KEPT_AFTER_START_MS]
    )


async def last_heard(house: TableAccess, gathering_id: str) -> dict[str, int]:
    """By person, when their page was last heard of."""
    rows = await house.call("ZRANGE", _heard_key(gathering_id), 0, -1, "WITHSCORES")
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return {person.decode(): int(float(at)) for person, at in pairs}


async def all_of_them(house: TableAccess) -> list[PregameTable]:
    """Every gathering that somebody looks after, the last touched first."""
    ids = [raw.decode() for raw in await house.call("ZREVRANGE", _ALL, 0, LISTED_AT_MOST - 1)]
    here = []
    for gathering_id in ids:
        gathering = await found(house, gathering_id)
        if gathering is None:
            await house.call("ZREM", _ALL, gathering_id)
        else:
            here.append(gathering)
    return here


async def _unless_old(house: TableAccess, raw: bytes) -> PregameTable | None:
    gathering = _decoder.decode(raw)
    if house.now_ms() < gathering.ends_at():
        return gathering
    await _swapped(house, raw, None, gathering.id)
    return None


async def _swapped(
    house: TableAccess, before: bytes, after: PregameTable | None, gathering_id: str
) -> bool:
    data = b"" if after is None else msgspec.json.encode(after)
    done = await house.run(_SWAP, [_key(gathering_id)], [before, data, KEPT_AFTER_START_MS])
    if not done:
        return False
    if after is None:
        await house.call("ZREM", _ALL, gathering_id)
    else:
        await house.call("ZADD", _ALL, after.touched_at, gathering_id)
    return True
