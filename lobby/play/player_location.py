"""Keeps each player's location in Redis: in a queue, at a pregame table, or at a running table.

A player has one location at a time. Of two processes that move the same player, compare and set
lets one succeed.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from game.redis.pipeline import Script
from lobby.play.backend import Backend

KEPT_S: Final = 86_400

PREGAME: Final = "pregame"
"""The kind of a location at a pregame table."""
Kind = Literal["queue", "pregame", "table"]
_MOVE: Final = Script(
    """
local now = redis.call('GET', KEYS[1]) or ''
if now == ARGV[2] then return 1 end
if now ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1])
else redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3]) end
return 1
"""
)
_SET: Final = Script(
    """
local before = redis.call('GET', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return before
"""
)


class Location(NamedTuple):
    """The place of a player. `detail` is the id of the table, or of the ticket in a queue."""

    kind: Kind
    name: str
    detail: str = ""

    def __str__(self) -> str:
        return ":".join(filter(None, (self.kind, self.name, self.detail)))


def _parse_location(text: str) -> Location | None:
    match text.split(":"):
        case [("queue" | "pregame" | "table") as kind, name, *rest]:
            return Location(kind, name, rest[0] if rest else "")
    return None


def _key(person: str) -> str:
    return f"location:{person}"


async def find_location(backend: Backend, person: str) -> Location | None:
    """Return the person's location, or None."""
    raw = await backend.call("GET", _key(person)) if person else None
    return _parse_location(raw.decode()) if raw else None


async def move_player(
    backend: Backend,
    person: str,
    before: Location | None,
    after: Location | None,
    *,
    kept_s: int = KEPT_S,
) -> bool:
    """Move the person from `before` to `after`. Return False if they are at neither of the two.
    The location expires after `kept_s` seconds.
    """
    args: list[str | bytes | int] = [str(before or ""), str(after or ""), kept_s]
    return bool(await backend.run(_MOVE, [_key(person)], args))


async def set_location(backend: Backend, person: str, after: Location) -> Location | None:
    """Set the person's location. Return the former location, None if there was none."""
    raw = await backend.run(_SET, [_key(person)], [str(after), KEPT_S])
    return _parse_location(raw.decode()) if raw else None
