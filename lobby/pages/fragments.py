"""The parts of the lobby's pages that change while one looks: what stands in them, and as HTML
for who follows by socket. What everybody sees alike is worked out once a second at most."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

from django.template.loader import render_to_string
from django.utils import translation

from game.live.lobby_api import (
    ListedTable,
    Room,
    RuleSet,
    TableAccess,
    TablesUnavailable,
    live_tables,
    preset_of,
    rules_name,
)
from lobby.matchmaking import queues
from lobby.matchmaking.player_location import place_of
from lobby.pregame import repository
from lobby.pregame.forms import bot_choices, clock_name
from lobby.pregame.model import PregameTable

KEPT_S: Final = 1.0
_remembered: Final[WeakKeyDictionary[Any, dict[str, tuple[float, asyncio.Future[Any]]]]] = (
    WeakKeyDictionary()
)
_changed_at: Final = [0.0]


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
class QueueLine:
    """A queue in which somebody waits."""

    name: str
    rules: str
    count: int


def rules_told(rules: RuleSet) -> str:
    """Such as 'Tenhou, East only'."""
    return rules_name({"length": rules.length}, preset_of(rules))


async def mine(house: TableAccess, person: str) -> dict[str, Any]:
    """What that person is at: a queue, a table in the making, a game, or what they are asked."""
    place = await place_of(house, person)
    found: dict[str, Any] = {"place": place}
    if place is not None and place.kind == "table":
        found["table_id"] = place.name if await house.awaits(place.name, person) else ""
    elif place is not None and place.kind == "gathering":
        found["gathering"] = await repository.found(house, place.name)
    elif (ticket := await queues.ticket_of(house, person, place)) is not None and place is not None:
        queue = queues.QUEUES[place.name]
        found |= {
            "ticket": ticket,
            "queue": queue_line(queue, (await _sizes(house))[queue.name]),
        }
    if person:
        found["asked"] = [one for one in await _gatherings(house) if one.is_asked(person)]
    return found


def queue_line(queue: queues.Queue, count: int) -> QueueLine:
    return QueueLine(queue.name, rules_name({"length": queue.length}, queue.preset), count)


async def waiting(house: TableAccess) -> dict[str, Any]:
    """The queues in which somebody waits."""
    sizes = await _sizes(house)
    lines = [queue_line(queues.QUEUES[name], count) for name, count in sizes.items() if count]
    return {"queues": sorted(lines, key=lambda line: -line.count)}


async def joinable(house: TableAccess, person: str) -> dict[str, Any]:
    """Tables in the making that are open to all, and seats that were left."""
    tables = [
        OpenTable(
            id=one.id,
            rules=rules_told(one.terms.rules),
            clock=clock_name(one.terms.clock),
            has_password=bool(one.password),
            seats=[seat.name for seat in one.seats],
            is_yours=one.seat_of(person) is not None,
        )
        for one in await _gatherings(house)
        if one.is_listed
    ]
    left = [table for table in await _live(house) if any(seat.is_left for seat in table.seats)]
    return {"tables": tables, "left": left}


async def at_gathering(house: TableAccess, gathering: PregameTable, person: str) -> dict[str, Any]:
    """The seats of a table in the making, and what that person may do there."""
    seat = gathering.seat_of(person)
    room: Room | None = None
    if gathering.plan is not None and gathering.is_open:
        room = await house.room(gathering.plan.table_id)
    free = []
    if room is not None and room.meta.may_join:
        free = [(at, room.meta.seats[at].name) for at in range(4) if room.has_left(at)]
    return {
        "gathering": gathering,
        "person": person,
        "seat": seat,
        "is_ready": seat is not None and gathering.seats[seat].is_ready,
        "is_host": seat is not None and gathering.host == person,
        "is_asked": gathering.is_asked(person),
        "table_id": gathering.plan.table_id if gathering.plan else "",
        "free": free,
        "bots": bot_choices(),
    }


async def live(house: TableAccess) -> dict[str, Any]:
    """The public tables that are being played."""
    try:
        return {"tables": [table for table in await _live(house) if table.watch != "nobody"]}
    except TablesUnavailable:
        return {"unavailable": True}


def rendered(template: str, context: dict[str, Any], language: str) -> str:
    """The part as HTML in that language."""
    with translation.override(language):
        return render_to_string(template, context).strip()


async def _gatherings(house: TableAccess) -> list[PregameTable]:
    return cast(
        "list[PregameTable]",
        await _once(house, "gatherings", lambda: repository.all_of_them(house)),
    )


async def _sizes(house: TableAccess) -> dict[str, int]:
    return cast("dict[str, int]", await _once(house, "sizes", lambda: queues.sizes(house)))


async def _live(house: TableAccess) -> list[ListedTable]:
    language = translation.get_language()
    return cast("list[ListedTable]", await _once(house, f"live {language}", live_tables))


async def _once(house: TableAccess, what: str, work_out: Callable[[], Awaitable[Any]]) -> Any:
    """The same for all who ask within a moment."""
    now = time.monotonic()
    remembered = _remembered.setdefault(house.process, {})
    known = remembered.get(what)
    if known is None or known[0] <= max(_changed_at[0], now - KEPT_S):
        known = remembered[what] = now, asyncio.ensure_future(work_out())
    return await asyncio.shield(known[1])


def look_again() -> None:
    """Something has changed: what was worked out before this does not count any more."""
    _changed_at[0] = time.monotonic()
