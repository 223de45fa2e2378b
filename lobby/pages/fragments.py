"""The parts of the lobby's pages that change while one looks: what stands in them, and as HTML
for who follows by socket. What everybody sees alike is worked out once a second at most."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, cast

from django.template.loader import render_to_string
from django.utils import translation

from game.engine.rules import RuleSet
from game.live.table_list import ListedTable, live_tables
from game.results.game_text import rules_name
from game.results.ladders import preset_of
from game.tables.errors import TableError
from game.tables.room import Room
from lobby.matchmaking import queues
from lobby.matchmaking.backend import Backend
from lobby.matchmaking.player_location import PREGAME, find_place
from lobby.pregame import repository
from lobby.pregame.forms import bot_choices, clock_name
from lobby.pregame.model import PregameTable

CACHE_S: Final = 1.0
_invalidated_at: Final = [0.0]


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A line in the list of tables to join."""

    id: str
    rules: str
    clock: Any
    has_password: bool
    seats: list[str]
    """Names; '' for one that is free."""
    is_yours: bool = False


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A queue in which somebody waits."""

    name: str
    rules: str
    count: int


def rules_label(rules: RuleSet) -> str:
    """Such as 'Tenhou, East only'."""
    return rules_name({"length": rules.length}, preset_of(rules))


async def own_place(backend: Backend, person: str) -> dict[str, Any]:
    """What that person is at: a queue, a table in the making, a game, or what they are asked."""
    place = await find_place(backend, person)
    found: dict[str, Any] = {"place": place}
    if place is not None and place.kind == "table":
        found["table_id"] = place.name if await backend.awaits(place.name, person) else ""
    elif place is not None and place.kind == PREGAME:
        found["pregame"] = await repository.find(backend, place.name)
    elif (
        ticket := await queues.find_ticket(backend, person, place)
    ) is not None and place is not None:
        queue = queues.QUEUES[place.name]
        found |= {
            "ticket": ticket,
            "queue": queue_row(queue, (await _waiting_counts(backend))[queue.name]),
        }
    if person:
        found["asked"] = [one for one in await _pregame_tables(backend) if one.is_invited(person)]
    return found


def queue_row(queue: queues.Queue, count: int) -> QueueRow:
    return QueueRow(queue.name, rules_name({"length": queue.length}, queue.preset), count)


async def waiting_queues(backend: Backend) -> dict[str, Any]:
    """The queues in which somebody waits."""
    sizes = await _waiting_counts(backend)
    lines = [queue_row(queues.QUEUES[name], count) for name, count in sizes.items() if count]
    return {"queues": sorted(lines, key=lambda line: -line.count)}


async def joinable_tables(backend: Backend, person: str) -> dict[str, Any]:
    """Tables in the making that are open to all, and seats that were left."""
    open_tables = [
        OpenTable(
            id=one.id,
            rules=rules_label(one.terms.rules),
            clock=clock_name(one.terms.clock),
            has_password=bool(one.password),
            seats=[seat.name for seat in one.seats],
            is_yours=one.seat_of(person) is not None,
        )
        for one in await _pregame_tables(backend)
        if one.is_listed
    ]
    left = [
        table for table in await _live_tables(backend) if any(seat.is_left for seat in table.seats)
    ]
    return {"tables": open_tables, "left": left}


async def pregame_seats(backend: Backend, pregame: PregameTable, person: str) -> dict[str, Any]:
    """The seats of a table in the making, and what that person may do there."""
    seat = pregame.seat_of(person)
    room: Room | None = None
    if pregame.plan is not None and pregame.is_open:
        room = await backend.room(pregame.plan.table_id)
    free = []
    if room is not None and room.meta.may_join:
        free = [(at, room.meta.seats[at].name) for at in range(4) if room.has_left(at)]
    return {
        "pregame": pregame,
        "person": person,
        "seat": seat,
        "is_ready": seat is not None and pregame.seats[seat].is_ready,
        "is_host": seat is not None and pregame.host == person,
        "is_invited": pregame.is_invited(person),
        "table_id": pregame.plan.table_id if pregame.plan else "",
        "free": free,
        "bots": bot_choices(),
    }


async def live_list(backend: Backend) -> dict[str, Any]:
    """The public tables that are being played."""
    try:
        live = [one for one in await _live_tables(backend) if one.watch != "nobody"]
        return {"tables": live}
    except TableError:
        return {"unavailable": True}


def render(template: str, context: dict[str, Any], language: str) -> str:
    """The part as HTML in that language."""
    with translation.override(language):
        return render_to_string(template, context).strip()


async def _pregame_tables(backend: Backend) -> list[PregameTable]:
    return cast(
        "list[PregameTable]",
        await _cached(backend, "pregame tables", lambda: repository.list_all(backend)),
    )


async def _waiting_counts(backend: Backend) -> dict[str, int]:
    return cast(
        "dict[str, int]", await _cached(backend, "sizes", lambda: queues.count_waiting(backend))
    )


async def _live_tables(backend: Backend) -> list[ListedTable]:
    language = translation.get_language()
    return cast("list[ListedTable]", await _cached(backend, f"live {language}", live_tables))


async def _cached(backend: Backend, what: str, work_out: Callable[[], Awaitable[Any]]) -> Any:
    """The same for all who ask within a moment."""
    now = time.monotonic()
    remembered = backend.cache
    known = remembered.get(what)
    if known is None or known[0] <= max(_invalidated_at[0], now - CACHE_S):
        known = remembered[what] = now, asyncio.ensure_future(work_out())
    return await asyncio.shield(known[1])


def invalidate() -> None:
    """Something has changed: what was worked out before this does not count any more."""
    _invalidated_at[0] = time.monotonic()
