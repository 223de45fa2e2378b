"""Finding a game: from anywhere in the house into a queue."""

from __future__ import annotations

from functools import partial

from game.live.lobby_api import TableAccess, rating_of
from game.moderation import sanctions
from lobby.matchmaking import queues
from lobby.matchmaking.player_location import Place, place_of, put
from lobby.matchmaking.queues import Queue
from lobby.pregame import services


async def seek(
    house: TableAccess, queue: Queue, *, person: str, name: str, bots_after_s: int | None
) -> bool:
    """Wait in that queue. Who sits at a table that is being made leaves it. False for who has
    a seat at a running table."""
    place = await place_of(house, person)
    if place is not None and place.kind == "gathering":
        await services.stand_up(house, place.name, person)
    rating = await rating_of(person, queue.preset, queue.length)
    return await queues.entered(
        house, queue, person=person, name=name, rating=rating, bots_after_s=bots_after_s
    )


async def seated(house: TableAccess, person: str, table_id: str) -> None:
    """That person plays at that table now, and so waits nowhere and sits at no table that is
    being made."""
    await sent_away(house, person)
    await put(house, person, Place("table", table_id))


async def sent_away(house: TableAccess, person: str) -> None:
    """That person waits nowhere any more, and sits at no table that is being made."""
    place = await place_of(house, person)
    if place is not None and place.kind == "queue":
        await queues.left(house, person)
    elif place is not None and place.kind == "gathering":
        await services.stand_up(house, place.name, person)


async def game_with_people(house: TableAccess, person: str) -> str:
    """The running table at which that person sits with other people; '' for none."""
    place = await place_of(house, person)
    if place is None or place.kind != "table" or not await house.has_seat(place.name, person):
        return ""
    room = await house.room(place.name)
    others = [] if room is None else [one for one in room.meta.seats if one.person != person]
    return place.name if any(one.person and not one.bot for one in others) else ""


async def chores_done(house: TableAccess) -> None:
    """What goes on in the lobby while nobody looks: pairing, opening, letting go."""
    await queues.all_gone_on(house)
    await services.all_looked_through(house)


async def carry_out_bans(house: TableAccess) -> None:
    """Remove newly banned people from running tables, queues and pregame tables."""
    await sanctions.carry_out_bans(house.process.service, partial(sent_away, house))
