"""Queues for a rated game, one for each preset and length, in Redis.

A ticket records a waiting player and the start of the wait. One script removes the tickets of
a match and stores the match, if all of them still exist. Any process opens stored matches, so
that a process may die in between. Opening moves each player from their ticket to the table
(`lobby.play.player_location`), so that nobody is at two tables. A bot takes the seat of a
player who has moved elsewhere.

All keys of a queue share a hash tag.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final, Literal, Protocol, TypeVar

import msgspec

from game.bots import BOT_NAMES
from game.engine.presets import ALL_PRESETS
from game.engine.rules import RuleSet
from game.redis.pipeline import Script
from game.tables.room import SeatMeta
from game.tables.settings import TableSettings
from lobby.play.backend import Backend
from lobby.play.notifications import LOBBY_GROUP, notify, person_group
from lobby.play.origins import UNKNOWN, Origin, often_met, record_meetings
from lobby.play.player_location import Location, find_location, move_player
from lobby.play.practice import end_practice
from lobby.play.queue_times import record_waits
from lobby.play.table_access import new_table_id

INITIAL_GAP: Final = 100
GAP_GROWTH_PER_S: Final = 10
UNLIMITED_AFTER_MS: Final = 90_000
UNLIMITED_GAP: Final = 1_000_000


class Ticket(msgspec.Struct, frozen=True):
    """A waiting player. `since` is the start of the wait in ms since the epoch."""

    id: str
    person: str
    name: str
    rating: int
    since: int
    bots_after_s: int | None = None
    """The time after which the player accepts bots; None for never."""
    origin: Origin = Origin()


class Waiting(Protocol):
    """Somebody who waits: a player or a bot."""

    @property
    def person(self) -> str: ...
    @property
    def since(self) -> int: ...
    @property
    def origin(self) -> Origin: ...


W = TypeVar("W", bound=Waiting)
Pairs = Collection[frozenset[str]]
"""Pairs of people."""


def fill_table(first: W, others: Sequence[W], seats: int, now: int, often: Pairs) -> list[W]:
    """Choose who plays with `first` at a table with that many seats: the earliest of the `others`
    who may meet. Once `first` has waited UNLIMITED_AFTER_MS, pairs of `often` may meet too, and
    come last.
    """
    party = [first]
    for allows_often in (False, True)[: 1 + (now - first.since >= UNLIMITED_AFTER_MS)]:
        for other in others:
            if len(party) < seats and not any(
                other is seated
                or other.origin.shares(seated.origin)
                or (not allows_often and frozenset((other.person, seated.person)) in often)
                for seated in party
            ):
                party.append(other)
    return party[1:]


def reason_to_wait(
    own: Waiting, queue: Sequence[Waiting], now: int, often: Pairs
) -> Literal["", "origin", "often"]:
    """Return why the player is not paired with somebody who waits: "origin" (they share an address
    or browser), "often" (they have met often), or '' for neither.
    """
    others = [other for other in queue if other.person != own.person]
    if any(own.origin.shares(other.origin) for other in others):
        return "origin"
    has_waited = now - own.since >= UNLIMITED_AFTER_MS
    met = any(frozenset((own.person, other.person)) in often for other in others)
    return "often" if met and not has_waited else ""


def allowed_gap(waited_ms: int) -> int:
    """Return the largest allowed difference of ratings after that wait."""
    if waited_ms >= UNLIMITED_AFTER_MS:
        return UNLIMITED_GAP
    return INITIAL_GAP + GAP_GROWTH_PER_S * max(0, waited_ms) // 1000


def make_parties(
    queue: Sequence[Ticket], seats: int, now: int, often: Pairs = frozenset()
) -> list[tuple[Ticket, ...]]:
    """Return the players of each table that can start now, the longest wait first. Bots take the
    table's other seats. Each player is in one party at most.
    """
    left = sorted(queue, key=_waiting_order)
    found = list[tuple[Ticket, ...]]()
    for with_bots in (False, True):
        for first in list(left):
            if first not in left or (with_bots and not _accepts_bots(first, now)):
                continue
            near = _players_within_gap(
                first, [ticket for ticket in left if ticket is not first], now, with_bots
            )
            others = fill_table(first, near, seats, now, often)
            if with_bots or len(others) == seats - 1:
                found.append((first, *sorted(others, key=_waiting_order)))
                left = [ticket for ticket in left if ticket is not first and ticket not in others]
    return found


def _waiting_order(ticket: Ticket) -> tuple[int, str]:
    return ticket.since, ticket.person


def _players_within_gap(
    first: Ticket, others: Sequence[Ticket], now: int, with_bots: bool
) -> list[Ticket]:
    """Return the players whose rating is within the gap of `first`, the nearest rating first."""
    near = [
        other
        for other in others
        if abs(other.rating - first.rating) <= allowed_gap(now - first.since)
        and (not with_bots or _accepts_bots(other, now))
    ]
    near.sort(key=lambda ticket: (abs(ticket.rating - first.rating), _waiting_order(ticket)))
    return near


def _accepts_bots(ticket: Ticket, now: int) -> bool:
    return ticket.bots_after_s is not None and now - ticket.since >= 1000 * ticket.bots_after_s


BOT: Final = "sensible"
ABSENT_AFTER_MS: Final = 15_000
"""How long after the last heartbeat of their page a player is still paired."""
REMOVED_AFTER_MS: Final = 90_000
_IN_USE: Final = "queues"
"""The key of a sorted set with the names of queues, by the time of the last heartbeat in each."""
ALL_EVERY: Final = 10
"""Every `ALL_EVERY`th round processes all queues, in case that set is incomplete."""
_rounds: Final = count()
LENGTHS: Final = ("east", "east_south")


@dataclass(frozen=True, slots=True)
class Queue:
    """One preset and length."""

    preset: str
    length: str

    @property
    def name(self) -> str:
        return f"{self.preset}.{self.length}"

    @property
    def rules(self) -> RuleSet:
        return msgspec.structs.replace(ALL_PRESETS[self.preset], length=self.length)

    @property
    def keys(self) -> tuple[str, str, str]:
        """Keys of the tickets by person, the last heartbeats by person, and the stored matches."""
        stem = f"q:{{{self.name}}}"
        return f"{stem}:waiting", f"{stem}:seen", f"{stem}:matches"


QUEUES: Final = {
    queue.name: queue
    for queue in (Queue(preset, length) for preset in ALL_PRESETS for length in LENGTHS)
}


class Match(msgspec.Struct, frozen=True):
    """A table to open, with a ticket for each seat in order; None stands for a bot."""

    table_id: str
    seats: tuple[Ticket | None, ...]


@dataclass(frozen=True, slots=True)
class QueueContent:
    """The content of a queue at one moment."""

    tickets: tuple[Ticket, ...]
    heartbeats: dict[str, int]
    """By person, the time in milliseconds of the last heartbeat of their page."""
    matches: tuple[Match, ...]


_ENTER: Final = Script(
    """
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 1
"""
)
_LEAVE: Final = Script(
    """
local ticket = redis.call('HGET', KEYS[1], ARGV[1])
if not ticket or (ARGV[2] ~= '' and cjson.decode(ticket)['id'] ~= ARGV[2]) then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
"""
)
_READ: Final = Script(
    """
return {redis.call('HVALS', KEYS[1]), redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES'),
        redis.call('HVALS', KEYS[3])}
"""
)
_TAKE: Final = Script(
    """
-- ARGV  match id, match, oldest valid heartbeat, then person and ticket id of each
for at = 4, #ARGV, 2 do
  local ticket = redis.call('HGET', KEYS[1], ARGV[at])
  if not ticket or cjson.decode(ticket)['id'] ~= ARGV[at + 1] then return 0 end
  local heartbeat = redis.call('ZSCORE', KEYS[2], ARGV[at])
  if not heartbeat or tonumber(heartbeat) < tonumber(ARGV[3]) then return 0 end
end
for at = 4, #ARGV, 2 do
  redis.call('HDEL', KEYS[1], ARGV[at])
  redis.call('ZREM', KEYS[2], ARGV[at])
end
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
return 1
"""
)
_ticket_decoder: Final = msgspec.json.Decoder(Ticket)
_match_decoder: Final = msgspec.json.Decoder(Match)


async def enter_queue(
    backend: Backend,
    queue: Queue,
    *,
    person: str,
    name: str,
    rating: int,
    bots_after_s: int | None,
    origin: Origin = UNKNOWN,
) -> bool:
    """Put the person into that queue and remove them from others. Return False if they have a seat
    at a running table or have just moved elsewhere."""
    before = await find_location(backend, person)
    if (
        before is not None
        and before.kind == "table"
        and await backend.tables.awaits(before.name, person)
    ):
        return False
    now = backend.now_ms()
    ticket = Ticket(secrets.token_hex(8), person, name, rating, now, bots_after_s, origin)
    if not await move_player(backend, person, before, Location("queue", queue.name, ticket.id)):
        return False
    if before is not None and before.kind == "queue":
        await remove_ticket(backend, before, person)
    waiting, seen, _ = queue.keys
    args: list[str | bytes | int] = [person, msgspec.json.encode(ticket), now]
    await backend.run(_ENTER, [waiting, seen], args)
    await backend.call("ZADD", _IN_USE, now, queue.name)
    await notify(LOBBY_GROUP, person_group(person))
    return True


async def leave_queue(backend: Backend, person: str) -> None:
    """Remove the person from their queue."""
    before = await find_location(backend, person)
    if before is None or before.kind != "queue":
        return
    if await move_player(backend, person, before, None):
        await remove_ticket(backend, before, person)
        await notify(LOBBY_GROUP, person_group(person))


async def remove_ticket(backend: Backend, location: Location, person: str) -> None:
    """Remove the person's ticket from the queue of that location, unless they have a newer one, and
    end the practice game that they play meanwhile."""
    await end_practice(backend, person)
    if location.name in QUEUES:
        keys = QUEUES[location.name].keys[:2]
        await backend.run(_LEAVE, keys, [person, location.detail])


async def record_heartbeat(backend: Backend, person: str, queue: Queue) -> None:
    """Record a heartbeat of that person's page."""
    now = backend.now_ms()
    await backend.call("ZADD", queue.keys[1], "XX", now, person)
    await backend.call("ZADD", _IN_USE, now, queue.name)


async def read_queue(backend: Backend, queue: Queue) -> QueueContent:
    """Return the content of the queue."""
    tickets, heartbeats, matches = await backend.run(_READ, list(queue.keys))
    return QueueContent(
        tuple(_ticket_decoder.decode(raw) for raw in tickets),
        decode_times(heartbeats),
        tuple(_match_decoder.decode(raw) for raw in matches),
    )


def decode_times(rows: Sequence[bytes]) -> dict[str, int]:
    """Decode a Redis reply of members and scores (times in ms) of a sorted set."""
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return {member.decode(): int(float(score)) for member, score in pairs}


async def process_queue(backend: Backend, queue: Queue) -> None:
    """Remove absent players, pair the others, and open stored matches."""
    content = await read_queue(backend, queue)
    now = backend.now_ms()
    present = []
    for ticket in content.tickets:
        absent_ms = now - content.heartbeats.get(ticket.person, 0)
        if absent_ms <= ABSENT_AFTER_MS:
            present.append(ticket)
        elif absent_ms > REMOVED_AFTER_MS:
            await _remove_absent(backend, queue, ticket)
    matches = list(content.matches)
    often = await often_met(backend, [ticket.person for ticket in present])
    seats = queue.rules.players
    for party in make_parties(present, seats, now, often):
        match = _draw_seats(party, seats)
        if await _store_match(backend, queue, match, now):
            matches.append(match)
    for match in matches:
        await open_match(backend, queue, match)


async def _remove_absent(backend: Backend, queue: Queue, ticket: Ticket) -> None:
    location = Location("queue", queue.name, ticket.id)
    await remove_ticket(backend, location, ticket.person)
    await move_player(backend, ticket.person, location, None)
    await notify(LOBBY_GROUP)


def _draw_seats(party: Sequence[Ticket], seats: int) -> Match:
    """Draw the seats by lot. The first seat deals first."""
    players = [*party, *[None] * (seats - len(party))]
    secrets.SystemRandom().shuffle(players)
    return Match(new_table_id(), tuple(players))


async def _store_match(backend: Backend, queue: Queue, match: Match, now: int) -> bool:
    """Remove the tickets and store the match, unless a ticket is gone. Return whether the match was
    stored."""
    args: list[str | bytes | int] = [match.table_id, msgspec.json.encode(match)]
    args.append(now - ABSENT_AFTER_MS)
    for ticket in match.seats:
        if ticket is not None:
            args += [ticket.person, ticket.id]
    return bool(await backend.run(_TAKE, list(queue.keys), args))


async def open_match(backend: Backend, queue: Queue, match: Match) -> None:
    """Open the table of a stored match. A repeated call has no effect."""
    location = Location("table", match.table_id)
    players: list[Ticket | None] = []
    for ticket in match.seats:
        is_ours = ticket is not None and await move_player(
            backend, ticket.person, Location("queue", queue.name, ticket.id), location
        )
        players.append(ticket if is_ours else None)
    if any(players):
        settings = TableSettings(rules=queue.rules, help=False)
        seats = _seats_of_game(players)
        await backend.tables.open_game(match.table_id, seats, settings, origin="queue")
    for ticket in players:
        if ticket is not None:
            await end_practice(backend, ticket.person)
    if await backend.call("HDEL", queue.keys[2], match.table_id):
        seated = [ticket for ticket in players if ticket is not None]
        await record_meetings(backend, [ticket.person for ticket in seated])
        await record_waits(backend, match.table_id, [ticket.since for ticket in seated])
    await notify(
        LOBBY_GROUP, *(person_group(ticket.person) for ticket in players if ticket is not None)
    )


def _seats_of_game(players: Sequence[Ticket | None]) -> list[SeatMeta]:
    names = iter(BOT_NAMES)
    return [
        SeatMeta(name=next(names), bot=BOT)
        if ticket is None
        else SeatMeta(name=ticket.name, person=ticket.person)
        for ticket in players
    ]


async def process_queues(backend: Backend) -> None:
    """Process every queue in which somebody waits, even if one of them fails."""
    names = set(QUEUES)
    if next(_rounds) % ALL_EVERY:
        since = backend.now_ms() - REMOVED_AFTER_MS
        in_use = await backend.call("ZRANGEBYSCORE", _IN_USE, since, "+inf")
        names &= {raw.decode() for raw in in_use}
    processing = [process_queue(backend, QUEUES[name]) for name in sorted(names)]
    for outcome in await asyncio.gather(*processing, return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome


async def count_waiting(backend: Backend) -> dict[str, int]:
    """Return the number of waiting players whose page sends heartbeats, by name of the queue."""
    since = backend.now_ms() - ABSENT_AFTER_MS
    counts = [backend.call("ZCOUNT", queue.keys[1], since, "+inf") for queue in QUEUES.values()]
    return dict(zip(QUEUES, map(int, await asyncio.gather(*counts)), strict=True))


async def find_ticket(backend: Backend, person: str, location: Location | None) -> Ticket | None:
    """Return the person's ticket in the queue of that location, or None."""
    if location is None or location.kind != "queue" or location.name not in QUEUES:
        return None
    raw = await backend.call("HGET", QUEUES[location.name].keys[0], person)
    return _ticket_decoder.decode(raw) if raw else None


async def find_reason_to_wait(backend: Backend, queue: Queue, ticket: Ticket) -> str:
    """Return why the player of the ticket is not paired yet: a result of `reason_to_wait`."""
    content, now = await read_queue(backend, queue), backend.now_ms()
    present = [
        other
        for other in content.tickets
        if now - content.heartbeats.get(other.person, 0) <= ABSENT_AFTER_MS
    ]
    often = await often_met(backend, [other.person for other in present])
    return reason_to_wait(ticket, present, now, often)
