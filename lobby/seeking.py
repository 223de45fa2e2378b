"""Finding a game: from anywhere in the house into a queue."""

from __future__ import annotations

from game.tables import House, rating_of
from lobby import queues
from lobby.gatherings import services
from lobby.queues import Queue
from lobby.whereabouts import place_of


async def seek(
    house: House, queue: Queue, *, person: str, name: str, bots_after_s: int | None
) -> bool:
    """Wait in that queue. Who sits at a table that is being made leaves it. False for who has
    a seat at a running table."""
    place = await place_of(house, person)
    if place is not None and place.kind == "gathering":
        await services.stand_up(house, place.name, person)
    rating = await rating_of(person, queue.preset)
    return await queues.entered(
        house, queue, person=person, name=name, rating=rating, bots_after_s=bots_after_s
    )


async def chores_done(house: House) -> None:
    """What goes on in the lobby while nobody looks: pairing, opening, letting go."""
    await queues.all_gone_on(house)
    await services.all_looked_through(house)
