"""Moves players between queues, pregame tables and running tables, and removes banned ones."""

from __future__ import annotations

from functools import partial
from typing import Final

from game.live.table_access import rating_of
from game.moderation.bans import remove_banned_from_tables
from lobby.matchmaking import queues
from lobby.matchmaking.backend import Backend, current_backend
from lobby.matchmaking.player_location import PREGAME, Place, find_place, place_player
from lobby.matchmaking.queues import Queue
from lobby.pregame import repository, services

_BANS_EVERY_S: Final = 3.0
"""Meanwhile a banned person can open no socket and take no seat: both look for bans themselves."""


async def seek_game(
    backend: Backend, queue: Queue, *, person: str, name: str, bots_after_s: int | None
) -> bool:
    """Put the person into that queue; they leave their pregame table. Return False if they have a
    seat at a running table."""
    place = await find_place(backend, person)
    if place is not None and place.kind == PREGAME:
        await services.leave(backend, place.name, person)
    rating = await rating_of(person, queue.preset, queue.length)
    return await queues.enter_queue(
        backend, queue, person=person, name=name, rating=rating, bots_after_s=bots_after_s
    )


async def record_seat(backend: Backend, person: str, table_id: str) -> None:
    """Record the person's seat at a running table; they leave queue and pregame table."""
    await withdraw_player(backend, person)
    await place_player(backend, person, Place("table", table_id))


async def record_heartbeat(backend: Backend, person: str) -> None:
    """Record a heartbeat of the person's page where they wait: in a queue or at a pregame table."""
    place = await find_place(backend, person)
    if place is not None and place.kind == "queue" and place.name in queues.QUEUES:
        await queues.record_heartbeat(backend, person, queues.QUEUES[place.name])
    elif place is not None and place.kind == PREGAME:
        pregame = await repository.find(backend, place.name)
        if pregame is not None:
            await services.keep_alive(backend, pregame, person)


async def withdraw_player(backend: Backend, person: str) -> None:
    """Remove the person from their queue or pregame table."""
    place = await find_place(backend, person)
    if place is not None and place.kind == "queue":
        await queues.leave_queue(backend, person)
    elif place is not None and place.kind == PREGAME:
        await services.leave(backend, place.name, person)


async def find_game_with_people(backend: Backend, person: str) -> str:
    """Return the id of the running table that the person shares with other people, or ''."""
    place = await find_place(backend, person)
    if (
        place is None
        or place.kind != "table"
        or not await backend.tables.has_seat(place.name, person)
    ):
        return ""
    room = await backend.tables.room(place.name)
    others = [] if room is None else [one for one in room.meta.seats if one.person != person]
    return place.name if any(one.has_page and not one.bot for one in others) else ""


async def remove_banned(backend: Backend) -> None:
    """Remove newly banned people from running tables, queues and pregame tables."""
    await remove_banned_from_tables(backend.process.service, partial(withdraw_player, backend))


async def advance_lobby() -> None:
    """Pair waiting players and start planned games: a periodic task."""
    backend = await current_backend()
    await queues.process_queues(backend)
    await services.check_tables(backend)


async def carry_out_bans() -> float:
    """Carry out new bans everywhere: a periodic task. Return after how many seconds to look
    again."""
    await remove_banned(await current_backend())
    return _BANS_EVERY_S
