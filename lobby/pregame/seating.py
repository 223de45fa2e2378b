"""Finding a game: from anywhere in the house into a queue."""

from __future__ import annotations

from functools import partial

from game.live.lobby_api import TableAccess, rating_of
from game.moderation import sanctions
from lobby.matchmaking import queues
from lobby.matchmaking.player_location import PREGAME, Place, find_place, place_player
from lobby.matchmaking.queues import Queue
from lobby.pregame import services


async def seek_game(
    tables: TableAccess, queue: Queue, *, person: str, name: str, bots_after_s: int | None
) -> bool:
    """Wait in that queue. Who sits at a table that is being made leaves it. False for who has
    a seat at a running table."""
    place = await find_place(tables, person)
    if place is not None and place.kind == PREGAME:
        await services.leave(tables, place.name, person)
    rating = await rating_of(person, queue.preset, queue.length)
    return await queues.enter_queue(
        tables, queue, person=person, name=name, rating=rating, bots_after_s=bots_after_s
    )


async def record_seat(tables: TableAccess, person: str, table_id: str) -> None:
    """That person plays at that table now, and so waits nowhere and sits at no table that is
    being made."""
    await withdraw_player(tables, person)
    await place_player(tables, person, Place("table", table_id))


async def withdraw_player(tables: TableAccess, person: str) -> None:
    """That person waits nowhere any more, and sits at no table that is being made."""
    place = await find_place(tables, person)
    if place is not None and place.kind == "queue":
        await queues.leave_queue(tables, person)
    elif place is not None and place.kind == PREGAME:
        await services.leave(tables, place.name, person)


async def find_game_with_people(tables: TableAccess, person: str) -> str:
    """The running table at which that person sits with other people; '' for none."""
    place = await find_place(tables, person)
    if place is None or place.kind != "table" or not await tables.has_seat(place.name, person):
        return ""
    room = await tables.room(place.name)
    others = [] if room is None else [one for one in room.meta.seats if one.person != person]
    return place.name if any(one.person and not one.bot for one in others) else ""


async def run_lobby_tasks(tables: TableAccess) -> None:
    """What goes on in the lobby while nobody looks: pairing, opening, letting go."""
    await queues.process_queues(tables)
    await services.check_tables(tables)


async def carry_out_bans(tables: TableAccess) -> None:
    """Remove newly banned people from running tables, queues and pregame tables."""
    await sanctions.carry_out_bans(tables.process.service, partial(withdraw_player, tables))
