"""Practice tables: games against bots of people who wait in a queue.

They are the one exception to one location at a time: the player's location stays the queue. When
the ticket is gone, since the queue's table is ready or the player has left the queue, the practice
game is broken off. It counts nowhere and is not archived. Must not know queues.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Final

from game.bots import BOT_NAMES, LEVELS
from game.engine.rules import RuleSet
from game.tables.errors import NoSuchTable
from game.tables.requests import End
from game.tables.room import SeatMeta, TableId
from game.tables.settings import TableSettings
from lobby.play import address_tables
from lobby.play.backend import Backend
from lobby.play.player_location import find_location
from lobby.play.table_access import new_table_id

_KEPT_S: Final = 86_400


def _key(person: str) -> str:
    return f"practice:{person}"


async def open_practice(
    backend: Backend, person: str, name: str, address: str, rules: RuleSet
) -> str:
    """Return the id of the person's practice table, and open the table if there is none. Return ''
    if the person waits in no queue. Raises TooOften, TableError.
    """
    if not await _waits_in_queue(backend, person):
        return ""
    raw = await backend.call("GET", _key(person))
    if raw and await backend.tables.has_seat(raw.decode(), person):
        return str(raw.decode())
    table_id = new_table_id()
    await address_tables.reserve_table(backend, address_tables.key_of(address), table_id)
    lot = secrets.SystemRandom()
    bots = [SeatMeta(name=bot, bot=LEVELS[-1]) for bot in lot.sample(BOT_NAMES, rules.players - 1)]
    seats = [SeatMeta(name=name, person=person), *bots]
    lot.shuffle(seats)
    settings = TableSettings(
        rules=rules, quick_bots=True, public=False, watch="nobody", purpose="practice"
    )
    await backend.tables.open_game(table_id, seats, settings)
    await backend.call("SET", _key(person), table_id, "EX", _KEPT_S)
    if not await _waits_in_queue(backend, person):  # the queue's table was opened meanwhile
        await end_practice(backend, person)
        return ""
    return table_id


async def _waits_in_queue(backend: Backend, person: str) -> bool:
    location = await find_location(backend, person)
    return location is not None and location.kind == "queue"


async def end_practice(backend: Backend, person: str) -> None:
    """Break off the person's practice game, if there is one."""
    raw = await backend.call("GET", _key(person))
    if raw is None:
        return
    with suppress(NoSuchTable):
        await backend.process.service.apply_request(TableId(raw.decode()), End())
    await backend.call("DEL", _key(person))
