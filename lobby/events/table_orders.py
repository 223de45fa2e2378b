"""Carries out the decisions of an event's officials at running tables.

The row of a table in the database has the wanted state: paused, extra minutes, the people in the
seats. `carry_out` brings the table into this state. A repeated call has no effect, so that a
process may die at any point: the worker calls it for every table with unfinished orders.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Final

from django.db.models import F

from game.operations.table_administration import end_games
from game.tables.errors import NoSuchTable, TableError
from game.tables.requests import (
    ExtendRound,
    Hold,
    Notify,
    RepeatHand,
    Replace,
    Resume,
    TableRequest,
)
from game.tables.room import Room, TableId, read_notice
from lobby.events.rounds import seat_of_replacement
from lobby.models import EventTable
from lobby.play import movements
from lobby.play.backend import Backend, current_backend
from lobby.play.notifications import LOBBY_GROUP, notify, person_group

log = logging.getLogger(__name__)

PAUSE_MS: Final = 6 * 3_600_000
"""The length of the longest pause of an official. Such a pause ends by itself."""
_EVERY_S: Final = 5.0


async def carry_out(backend: Backend, row: EventTable) -> None:
    """End former games of the table. If the table is open, carry out its unfinished orders."""
    service = backend.process.service
    for former in row.former:
        await _notify_and_end(backend, former, row.notice)
    if not row.is_open:
        return
    room = await backend.tables.room(row.table_id)
    if room is not None and not backend.tables.is_over(room):
        if row.is_void:
            await _notify_and_end(backend, row.table_id, row.notice)
        else:
            for request in _requests(row, room):
                await service.apply_request(TableId(row.table_id), request)
            for replaced in row.replacements.values():
                if replaced["person"]:
                    await movements.record_seat(backend, replaced["person"], row.table_id)
    await EventTable.objects.filter(
        pk=row.pk, table_id=row.table_id, orders_done__lt=row.orders
    ).aupdate(orders_done=row.orders)
    people = [
        replacement["person"] for replacement in row.replacements.values() if replacement["person"]
    ]
    await notify(LOBBY_GROUP, *map(person_group, people))


async def carry_out_all() -> float:
    """Carry out all unfinished orders: a periodic task. Return the seconds until the next call."""
    rows = EventTable.objects.filter(orders_done__lt=F("orders"))
    waiting = [row async for row in rows]
    if waiting:
        backend = await current_backend()
        for row in waiting:
            await _try(lambda order=row: carry_out(backend, order), row.table_id)  # type: ignore[misc]
    return _EVERY_S


async def _try(action: Callable[[], Awaitable[None]], table_id: str) -> None:
    try:
        await action()
    except TableError:
        raise
    except Exception:
        log.exception("orders for table %s cannot be carried out", table_id)


def _requests(row: EventTable, room: Room) -> list[TableRequest]:
    """Return the requests that bring the room to the row's state; the notice comes last."""
    requests = list[TableRequest]()
    if row.is_paused and not room.clock.paused_at:
        requests.append(Hold(PAUSE_MS, row.notice))
    elif not row.is_paused and room.clock.paused_at and read_notice(room.notice)[0]:
        requests.append(Resume())
    for seat, replaced in row.replacements.items():
        requests.append(Replace(int(seat), seat_of_replacement(replaced), row.notice))
    if row.extra_minutes:
        requests.append(ExtendRound(row.extra_minutes * 60_000, row.notice))
    if row.repeated_hand:
        requests.append(RepeatHand(row.repeated_hand, secrets.token_bytes(32), row.notice))
    if row.notice:
        requests.append(Notify(row.notice))
    return requests


async def _notify_and_end(backend: Backend, table_id: str, notice: str) -> None:
    """Show the notice and end that game if it is running. End the game of a frozen table without a
    notice."""
    room = await backend.tables.room(table_id)
    if room is None or backend.tables.is_over(room):
        return
    service = backend.process.service
    try:
        if notice and not await service.store.is_frozen(TableId(table_id)):
            await service.apply_request(TableId(table_id), Notify(notice))
        await end_games(service, [table_id])
    except NoSuchTable:
        return
