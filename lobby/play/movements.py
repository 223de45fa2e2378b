"""Moves players between queues, pregame tables and running tables, and removes banned ones."""

from __future__ import annotations

from functools import partial
from typing import Final

from channels.db import database_sync_to_async

from game.moderation.bans import remove_banned_from_tables
from lobby.play import pregame_services, pregame_store, queues
from lobby.play.backend import Backend, current_backend
from lobby.play.origins import origin_of, record_origin
from lobby.play.player_location import PREGAME, Location, find_location, set_location
from lobby.play.queues import Queue
from lobby.play.table_access import rating_of

_BANS_EVERY_S: Final = 3.0
"""Seconds between runs of `apply_new_bans`. Between them a banned person is already refused sockets
and seats, because both check for bans."""


async def move_to_queue(
    backend: Backend,
    queue: Queue,
    *,
    person: str,
    name: str,
    bots_after_s: int | None,
    address: str = "",
    browser: str = "",
) -> bool:
    """Move the person to that queue, out of another queue or a pregame table. `address` and
    `browser` are the network address and the cookie of the browser. Return False if the person has
    a seat at a running table.
    """
    location = await find_location(backend, person)
    if location is not None and location.kind == PREGAME:
        await pregame_services.leave_table(backend, location.name, person)
    rating = await database_sync_to_async(rating_of)(person, queue.preset, queue.length)
    origin = origin_of(address, browser)
    await record_origin(backend, person, origin)
    return await queues.enter_queue(
        backend,
        queue,
        person=person,
        name=name,
        rating=rating,
        bots_after_s=bots_after_s,
        origin=origin,
    )


async def record_seat(backend: Backend, person: str, table_id: str) -> None:
    """Record the person's seat at a running table. Remove them from their queue or pregame
    table."""
    await withdraw_player(backend, person)
    await set_location(backend, person, Location("table", table_id))


async def record_heartbeat(backend: Backend, person: str) -> None:
    """Record a heartbeat of the person's page in their queue or at their pregame table."""
    location = await find_location(backend, person)
    if location is not None and location.kind == "queue" and location.name in queues.QUEUES:
        await queues.record_heartbeat(backend, person, queues.QUEUES[location.name])
    elif location is not None and location.kind == PREGAME:
        pregame = await pregame_store.find(backend, location.name)
        if pregame is not None:
            await pregame_services.keep_alive(backend, pregame, person)


async def withdraw_player(backend: Backend, person: str) -> None:
    """Remove the person from their queue or pregame table."""
    location = await find_location(backend, person)
    if location is not None and location.kind == "queue":
        await queues.leave_queue(backend, person)
    elif location is not None and location.kind == PREGAME:
        await pregame_services.leave_table(backend, location.name, person)


async def find_game_with_people(backend: Backend, person: str) -> str:
    """Return the id of the running table that the person shares with other people, or ''."""
    location = await find_location(backend, person)
    if (
        location is None
        or location.kind != "table"
        or not await backend.tables.has_seat(location.name, person)
    ):
        return ""
    room = await backend.tables.room(location.name)
    others = [] if room is None else [seat for seat in room.meta.seats if seat.person != person]
    return location.name if any(other.is_of_person and not other.bot for other in others) else ""


async def apply_bans(backend: Backend) -> None:
    """Remove newly banned people from running tables, queues and pregame tables."""
    await remove_banned_from_tables(backend.process.service, partial(withdraw_player, backend))


async def advance_lobby() -> None:
    """Pair waiting players and start planned games: a periodic task."""
    backend = await current_backend()
    if not await backend.tables.opens_tables():
        return
    await queues.process_queues(backend)
    await pregame_services.check_tables(backend)


async def apply_new_bans() -> float:
    """Apply new bans everywhere: a periodic task. Return the seconds until the next call."""
    await apply_bans(await current_backend())
    return _BANS_EVERY_S
