"""Records which bots are connected, and seats them at tables.

A bot has one connection and one location at a time. The connection has a key in Redis. A newer
connection replaces it, because the older one may have broken unnoticed.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Sequence
from typing import Final

from game.bots import BOT_NAMES, BOTS
from game.engine.rules import RuleSet
from game.redis.pipeline import Script
from game.tables.errors import TableError
from game.tables.room import SeatMeta
from game.tables.settings import TableSettings
from lobby.models import BotAccount
from lobby.play import pregame as model
from lobby.play import pregame_services, pregame_store
from lobby.play.backend import Backend
from lobby.play.notifications import notify, person_group
from lobby.play.player_location import PREGAME, Location, find_location, move_player, set_location
from lobby.play.pregame import Change, PregameRefusal, PregameTable
from lobby.play.table_access import new_table_id

CONNECTED_FOR_S: Final = 20
"""The lifetime of a connection's key, which each confirmation renews."""
RESERVED_FOR_S: Final = 30
"""The lifetime of a bot's location until its table is open. If the process that opens the table
dies, the bot is free after that."""
_RENEW: Final = Script(
    """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
"""
)
_END: Final = Script(
    """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
"""
)


class NotFree(Exception):
    """A bot is not connected or has another game. The message of the error is the bot's name."""


def _key(bot: str) -> str:
    return f"bot-here:{bot}"


async def record_connection(backend: Backend, bot: str) -> str:
    """Record a new connection of the bot and return its id. An older connection ends."""
    connection = secrets.token_hex(8)
    await backend.call("SET", _key(bot), connection, "EX", CONNECTED_FOR_S)
    await notify(person_group(bot))
    return connection


async def renew_connection(backend: Backend, bot: str, connection: str) -> bool:
    """Extend the connection's life. Return False if it has expired or a newer one replaced it."""
    return bool(await backend.run(_RENEW, [_key(bot)], [connection, CONNECTED_FOR_S]))


async def end_connection(backend: Backend, bot: str, connection: str) -> None:
    """Delete the record of the connection, unless a newer one has replaced it."""
    await backend.run(_END, [_key(bot)], [connection])


async def is_free(backend: Backend, bot: str) -> bool:
    """Return whether the bot is connected and has neither a seat nor an accepted invitation."""
    return await _is_free_at(backend, bot, await find_location(backend, bot))


async def _is_free_at(backend: Backend, bot: str, location: Location | None) -> bool:
    if not await backend.call("EXISTS", _key(bot)):
        return False
    if location is None:
        return True
    if location.kind == PREGAME:
        pregame = await pregame_store.find(backend, location.name)
        return pregame is None or pregame.seat_of(bot) is None or pregame.is_open
    return not await backend.tables.awaits(location.name, bot)


async def invite(backend: Backend, pregame_id: str, host: str, bot: BotAccount) -> Change:
    """Keep the first free seat of the host's pregame table for the bot."""
    who, name = str(bot.pk), bot.person.name
    if not await is_free(backend, who):
        return PregameRefusal("bot_away")
    outcome = await pregame_services.change_pregame(
        backend,
        pregame_id,
        lambda pregame: model.keep_seat(pregame, host, who, name, is_program=True),
    )
    await notify(person_group(who))
    return outcome


async def find_invitation(backend: Backend, bot: str) -> PregameTable | None:
    """Return a pregame table that keeps a seat for the bot, or None."""
    for pregame in await pregame_store.list_all(backend):
        if pregame.is_invited(bot) and pregame.plan is None:
            return pregame
    return None


async def open_game(
    backend: Backend,
    players: Sequence[BotAccount | str],
    *,
    rules: RuleSet,
    clock: str,
    public: bool,
    is_rated: bool = False,
) -> str:
    """Open a game of these players, by seat: bot accounts, or names of the site's own bots. Return
    the id of the table. Raises NotFree, also if another caller takes the same bot at the same
    time, and ValueError for a rated game of others than bot accounts of different owners."""
    owners = {player.owner_id for player in players if isinstance(player, BotAccount)}
    if is_rated and len(owners) < len(players):
        raise ValueError("a rated game needs bot accounts of as many owners as there are seats")
    names = iter(BOT_NAMES)
    seats = [
        SeatMeta(name=next(names), bot=player)
        if isinstance(player, str)
        else SeatMeta(name=player.person.name, person=str(player.pk), is_program=True)
        for player in players
    ]
    assert all(seat.bot in BOTS for seat in seats if seat.bot)
    table_id = new_table_id()
    settings = TableSettings(rules=rules, clock=clock, public=public, help=False)
    location = Location("table", table_id)
    reserved = list[str]()
    try:
        for seat in seats:
            if seat.person:
                if not await _reserve(backend, seat.person, location):
                    raise NotFree(seat.name)
                reserved.append(seat.person)
        await backend.tables.open_game(table_id, seats, settings, origin="bots" if is_rated else "")
    except BaseException:
        with contextlib.suppress(TableError):
            for person in reserved:
                await move_player(backend, person, location, None)
        raise
    for person in reserved:
        await set_location(backend, person, location)
    await notify(*map(person_group, reserved))
    return table_id


async def _reserve(backend: Backend, bot: str, location: Location) -> bool:
    """Record that the bot moves to a table that is not open yet. Return False if the bot is not
    free.
    """
    before = await find_location(backend, bot)
    if not await _is_free_at(backend, bot, before):
        return False
    return await move_player(backend, bot, before, location, kept_s=RESERVED_FOR_S)
