"""A ban takes effect where its person is: their seats at running tables go to bots, and whoever
else has a place for people, as the lobby has, is told.

Done by the worker within a second or so, wherever the ban was written; a ban stays to be carried
out until all of it has been.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final

from django.utils import timezone

from game.live.process import here
from game.models import Sanction
from game.tables.errors import NoSuchTable, TableUnreadable
from game.tables.requests import STAND_IN_BOT, Remove
from game.tables.service import Service

log = logging.getLogger(__name__)

_told: Final[list[Callable[[str], Awaitable[None]]]] = []


def ban_told_to(tell: Callable[[str], Awaitable[None]]) -> None:
    """Who else has places from which somebody is to be removed."""
    _told[:] = [tell]


async def bans_carried_out() -> None:
    """Carry out the bans that have not been. Raises RoomsUnavailable; then it is tried again."""
    bans = Sanction.objects.filter(kind=Sanction.BAN, carried_out_at=None)
    due = [ban async for ban in bans.filter(until__gt=timezone.now())]
    if not due:
        return
    people = frozenset(str(ban.person_id) for ban in due)
    await _removed_from_tables((await here()).service, people)
    for tell in _told:
        for person in people:
            await tell(person)
    await bans.filter(pk__in=[ban.pk for ban in due]).aupdate(carried_out_at=timezone.now())
    log.info("%d bans have taken effect", len(due))


async def _removed_from_tables(service: Service, people: frozenset[str]) -> None:
    for table_id in await service.store.running():
        try:
            room = await service.room(table_id)
        except (NoSuchTable, TableUnreadable):
            continue
        for seat in room.meta.seats:
            if seat.person in people:
                await service.settle(table_id, Remove(seat.person, STAND_IN_BOT))
