"""Actions at pregame tables: create, sit, get ready, start, rematch.

A game starts exactly once. The change that makes the last seat ready also stores the plan with the
id of the game. Any process may open the planned game; a repeated opening has no effect.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Final

from channels.db import database_sync_to_async
from django.conf import settings as site_settings
from msgspec.structs import replace

from game.bots import BOT_NAMES
from game.tables.errors import TableError
from game.tables.room import Room, SeatMeta
from game.tables.settings import TableSettings
from lobby.accounts.rate_limits import TooOften
from lobby.play import address_tables, pregame_store, queues
from lobby.play import pregame as model
from lobby.play.backend import Backend
from lobby.play.club_tables import club_of_game, is_member, may_play, record_game
from lobby.play.notifications import LOBBY_GROUP, notify, person_group, pregame_group
from lobby.play.player_location import PREGAME, Location, move_player, set_location
from lobby.play.pregame import Change, PregameRefusal, PregameTable, Seat
from lobby.play.table_access import new_table_id

log = logging.getLogger(__name__)

TOKEN_BYTES: Final = 16
TOUCH_EVERY_MS: Final = 60_000


def can_see(pregame: PregameTable, person: str, token: str) -> bool:
    """Return whether the person may see the table: it is public or of a club of theirs, they sit
    there or are invited, or they have its link."""
    if hmac.compare_digest(pregame.token.encode(), token.encode()):
        return True
    if pregame.seat_of(person) is not None or pregame.is_invited(person):
        return True
    if pregame.settings.club:
        return is_member(pregame.settings.club, person)
    return pregame.settings.public


async def create_table(
    backend: Backend,
    *,
    person: str,
    name: str,
    settings: TableSettings,
    bots: Sequence[str],
    opened_from: str = "",
) -> PregameTable:
    """Create a table with the person on the first seat.

    `bots` are for the other seats, '' for an empty one. `opened_from` is the key under which
    `address_tables` counts the unfinished tables of the person's address.
    """
    names = (bot_name for bot_name in BOT_NAMES if bot_name != name)
    others = (Seat(bot=bot, name=next(names), is_ready=True) if bot else Seat() for bot in bots)
    pregame = PregameTable(
        id=secrets.token_urlsafe(9),
        host=person,
        settings=settings,
        seats=(Seat(person=person, name=name), *others),
        token=secrets.token_urlsafe(TOKEN_BYTES),
        touched_at=backend.now_ms(),
        opened_from=opened_from,
    )
    await pregame_store.add(backend, pregame)
    await _record_location(backend, person, pregame)
    return pregame


async def sit_down(
    backend: Backend,
    pregame_id: str,
    person: str,
    name: str,
    take: Callable[[PregameTable, str, str], Change] = model.take_seat,
) -> Change:
    """Seat the person by `take`, and remove them from their former place. At a table of an event
    only those who may play in it can sit down.
    """
    before = await pregame_store.find(backend, pregame_id)
    if before is not None and before.settings.event and before.seat_of(person) is None:
        chosen = before.settings
        if not await database_sync_to_async(may_play)(chosen.event, person, chosen.event_table):
            return PregameRefusal("fixture" if chosen.event_table else "event")
    await pregame_store.record_heartbeat(backend, pregame_id, person)
    return await change_pregame(
        backend, pregame_id, lambda pregame: take(pregame, person, name), newcomer=person
    )


async def accept_invitation(backend: Backend, pregame_id: str, person: str, name: str) -> Change:
    """Seat the person on the seat that is kept for them. Refuse them if it is no longer kept."""
    return await sit_down(backend, pregame_id, person, name, model.take_kept_seat)


async def leave_table(backend: Backend, pregame_id: str, person: str) -> Change:
    """Remove the person. The table ends with the last person."""
    outcome = await change_pregame(
        backend, pregame_id, lambda pregame: model.leave_seat(pregame, person)
    )
    if outcome == pregame_store.GONE or not isinstance(outcome, PregameRefusal):
        await move_player(backend, person, Location(PREGAME, pregame_id), None)
        await notify(person_group(person))
    return outcome


async def set_ready(backend: Backend, pregame_id: str, person: str, is_ready: bool) -> Change:
    """Set whether the person is ready. The game starts when all are."""
    await pregame_store.record_heartbeat(backend, pregame_id, person)
    return await change_pregame(
        backend, pregame_id, lambda pregame: model.set_ready(pregame, person, is_ready)
    )


async def place_bot(backend: Backend, pregame_id: str, host: str, at: int, bot: str) -> Change:
    """Put a bot on a seat, or remove it with ''. For the host."""
    return await change_pregame(
        backend, pregame_id, lambda pregame: model.place_bot(pregame, host, at, bot)
    )


async def remove_player(backend: Backend, pregame_id: str, host: str, at: int) -> Change:
    """Remove another player. For the host."""
    before = await pregame_store.find(backend, pregame_id)
    outcome = await change_pregame(
        backend, pregame_id, lambda pregame: model.remove_player(pregame, host, at)
    )
    if before is not None and not isinstance(outcome, PregameRefusal):
        person = before.seats[at].person
        await move_player(backend, person, Location(PREGAME, pregame_id), None)
        await notify(person_group(person))
    return outcome


async def open_fixture(
    backend: Backend,
    *,
    person: str,
    name: str,
    settings: TableSettings,
    former: str,
    players: dict[str, str],
) -> Change:
    """Create the pregame table for a table of an event's list, or sit down at it. The person is
    seated and ready. The other `players`, names by id, are invited. `former` is the void game of
    the table, '' for none."""
    pregame = PregameTable(
        id=fixture_table_id(settings.event_table, former),
        host=person,
        settings=settings,
        seats=tuple(Seat(name=known, kept_for=invited) for invited, known in players.items()),
        token=secrets.token_urlsafe(TOKEN_BYTES),
        touched_at=backend.now_ms(),
    )
    await pregame_store.find(backend, pregame.id)  # deletes the table if it has expired
    if await pregame_store.add(backend, pregame):
        await notify(*(person_group(player) for player in players if player != person))
    return await sit_down(backend, pregame.id, person, name)


async def start_rematch(backend: Backend, room: Room, person: str) -> Change:
    """Create a table with the seats and settings of that game, or sit down at it. The person is
    seated and ready; the others are invited."""
    pregame_id = _rematch_id(room.table_id)
    seat = room.seat_of(person)
    if seat is None:
        return PregameRefusal("not_here")
    club, event = await database_sync_to_async(club_of_game)(room.table_id)
    settings = replace(room.meta.settings, club=club, event=event, event_table=0)
    rematch = _rematch_table(backend, room, pregame_id, person, settings)
    if await pregame_store.add(backend, rematch):
        for meta in room.meta.seats:
            if meta.person and meta.person != person:
                await notify(person_group(meta.person))
    name = room.meta.seats[seat].name
    return await sit_down(backend, pregame_id, person, name)


async def start_planned_game(backend: Backend, pregame: PregameTable) -> PregameTable:
    """Open the planned game, if there is one. A repeated call has no effect."""
    plan = pregame.plan
    if plan is None or pregame.is_open:
        return pregame
    if pregame.settings.club:
        chosen = pregame.settings
        await database_sync_to_async(record_game)(
            chosen.club, plan.table_id, chosen.event, chosen.event_table
        )
    seats = [
        SeatMeta(name=seat.name, person=seat.person, bot=seat.bot, is_program=seat.is_program)
        for seat in (pregame.seats[at] for at in plan.order)
    ]
    await backend.tables.open_game(plan.table_id, seats, pregame.settings)
    after = await pregame_store.update(
        backend, pregame.id, lambda pregame: replace(pregame, is_open=True)
    )
    for person in pregame.people:
        table = Location("table", plan.table_id)
        await move_player(backend, person, Location(PREGAME, pregame.id), table)
    await notify(LOBBY_GROUP, pregame_group(pregame.id), *map(person_group, pregame.people))
    return after if isinstance(after, PregameTable) else pregame


async def keep_alive(backend: Backend, pregame: PregameTable, person: str) -> None:
    """Record a heartbeat of a person at the table, and keep the table from expiring."""
    await pregame_store.record_heartbeat(backend, pregame.id, person)
    if backend.now_ms() - pregame.touched_at > TOUCH_EVERY_MS:
        await pregame_store.update(backend, pregame.id, lambda pregame: pregame)


async def check_tables(backend: Backend) -> None:
    """Start planned games, and unset the readiness of absent players, even if one table fails."""
    for pregame in await pregame_store.list_all(backend):
        try:
            if await start_planned_game(backend, pregame) is pregame and pregame.plan is None:
                await _unready_absent(backend, pregame)
        except TableError:
            raise
        except Exception:
            log.exception("the game of pregame table %s cannot start", pregame.id)


async def _unready_absent(backend: Backend, pregame: PregameTable) -> None:
    """Unset readiness of players without a recent heartbeat."""
    if not any(seat.person and seat.is_ready for seat in pregame.seats):
        return
    heartbeats, now = await pregame_store.last_heartbeats(backend, pregame.id), backend.now_ms()
    if model.unready_absent(pregame, heartbeats, now) == pregame:
        return
    await pregame_store.update(
        backend, pregame.id, lambda pregame: model.unready_absent(pregame, heartbeats, now)
    )
    await notify(LOBBY_GROUP, pregame_group(pregame.id))


async def change_pregame(
    backend: Backend,
    pregame_id: str,
    alter: Callable[[PregameTable], Change | None],
    *,
    newcomer: str = "",
) -> Change:
    """Apply `alter` to the table, and start the game if all are ready now. `newcomer` is the id of
    a person who sits down by this change.
    """
    before = await pregame_store.find(backend, pregame_id)
    if before is None:
        return pregame_store.GONE
    table_id, lot = new_table_id(), list(range(len(before.seats)))
    secrets.SystemRandom().shuffle(lot)

    def next_step(before: PregameTable) -> Change | None:
        after = alter(before)
        return model.plan_game(after, table_id, lot) if isinstance(after, PregameTable) else after

    planned = next_step(before)
    key = ""
    if isinstance(planned, PregameTable) and planned.plan is not None and not planned.is_open:
        key = planned.opened_from
    if key:
        try:
            await address_tables.reserve_table(backend, key, table_id)
        except TooOften:
            return PregameRefusal("many_tables")
    outcome = await pregame_store.update(backend, pregame_id, next_step)
    plan = outcome.plan if isinstance(outcome, PregameTable) else None
    if key and (plan is None or plan.table_id != table_id):
        await address_tables.release_table(backend, key, table_id)
    if isinstance(outcome, PregameRefusal):
        return outcome
    if outcome is None:
        await notify(LOBBY_GROUP, pregame_group(pregame_id))
        return pregame_store.GONE
    if newcomer:
        await _record_location(backend, newcomer, outcome)
    after = await start_planned_game(backend, outcome)
    if after is outcome:
        await notify(LOBBY_GROUP, pregame_group(pregame_id))
    return after


async def _record_location(backend: Backend, person: str, pregame: PregameTable) -> None:
    """Record the table as the person's location; they leave queue and other pregame tables."""
    location = Location(PREGAME, pregame.id)
    before = await set_location(backend, person, location)
    if before == location:
        return
    if before is not None and before.kind == "queue":
        await queues.remove_ticket(backend, before, person)
    if before is not None and before.kind == PREGAME:
        await change_pregame(
            backend, before.name, lambda pregame: model.leave_seat(pregame, person)
        )
    await notify(LOBBY_GROUP, person_group(person))


def fixture_table_id(fixture: int, former: str) -> str:
    """Return the id of the pregame table of that fixture, the same for all its players. `former`
    is the void game of the fixture, '' for none: after it the id is another one.
    """
    return _keyed_id(f"fixture:{fixture}:{former}")


def _rematch_id(table_id: str) -> str:
    """Return the id of the rematch of that game. The id of the game does not reveal it."""
    return _keyed_id(f"again:{table_id}")


def _keyed_id(text: str) -> str:
    key = site_settings.SECRET_KEY.encode()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:16]


def _rematch_table(
    backend: Backend, room: Room, pregame_id: str, host: str, settings: TableSettings
) -> PregameTable:
    seats = [
        Seat(name=seat.name, bot=seat.bot, is_ready=True)
        if seat.bot and not seat.person
        else Seat(name=seat.name, kept_for=seat.person, is_program=seat.is_program)
        for seat in room.meta.seats
    ]
    return PregameTable(
        id=pregame_id,
        host=host,
        settings=settings,
        seats=tuple(seats),
        token=secrets.token_urlsafe(TOKEN_BYTES),
        touched_at=backend.now_ms(),
        keeps_seats=True,
    )
