"""Records who has the page of a club open, by the last heartbeat of each member in Redis."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from game.redis.pipeline import Script
from lobby.models import Club, Membership
from lobby.play.backend import Backend

_HERE_FOR_MS: Final = 20_000
"""How long a member is present after a heartbeat. A page sends one every five seconds."""
_MAX_NAMES: Final = 100
_RECORD: Final = Script(
    """
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
"""
)


def _key(club: Club) -> str:
    return f"club:{club.pk}:present"


async def record_heartbeat(backend: Backend, club: Club, person: str) -> None:
    """Record that this member has the page of the club open now."""
    now = backend.now_ms()
    await backend.run(_RECORD, [_key(club)], [now, person, now - _HERE_FOR_MS, _HERE_FOR_MS])


async def people_here(backend: Backend, club: Club) -> set[str]:
    """Return the ids of members who have a page of the club open."""
    since = backend.now_ms() - _HERE_FOR_MS
    raw = await backend.call("ZRANGEBYSCORE", _key(club), since, "+inf")
    return {person.decode() for person in raw}


async def names_here(backend: Backend, club: Club) -> list[str]:
    """Return the names of the members who have the page open, in alphabetical order."""
    people = [UUID(person) for person in await people_here(backend, club)]
    rows = Membership.objects.filter(club=club, person__in=people)
    rows = rows.order_by("person__name")
    return [name async for name in rows.values_list("person__name", flat=True)[:_MAX_NAMES]]
