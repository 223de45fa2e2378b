"""What people do with gatherings: make one, sit down, get ready, begin, play again.

A game begins exactly once. Whoever is last to be ready notes the plan, table id and seats
included, in the same change; whoever comes by next carries it out, and carrying it out twice
opens one table.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable
from typing import Final

from django.conf import settings

from game.live.table_access import GamePlan, new_table_id
from game.tables.errors import TableError
from game.tables.room import Room, SeatMeta
from lobby.matchmaking import queues
from lobby.matchmaking.backend import Backend
from lobby.matchmaking.notifications import LOBBY_GROUP, notify, person_group, pregame_group
from lobby.matchmaking.player_location import PREGAME, Place, find_place, move_player, place_player
from lobby.pregame import model, repository
from lobby.pregame.clocks import CLOCKS, clock_key
from lobby.pregame.model import PregameTable, Refusal, Seat, Terms

log = logging.getLogger(__name__)

TOKEN_BYTES: Final = 16
TOUCH_EVERY_MS: Final = 60_000


def can_see(pregame: PregameTable, person: str, token: str) -> bool:
    """Whether that person may know of the gathering: it is public, they are of it, or they hold
    its link."""
    if hmac.compare_digest(pregame.token.encode(), token.encode()):
        return True
    if pregame.terms.public:
        return True
    return pregame.seat_of(person) is not None or pregame.is_invited(person)


async def create(
    backend: Backend,
    *,
    person: str,
    name: str,
    terms: Terms,
    bots: tuple[str, str, str],
    password: str,
) -> PregameTable:
    """A new gathering with that person in the first seat. `bots` are for the other three, ''
    for a seat that is open; `password` is hashed."""
    pregame = PregameTable(
        id=secrets.token_urlsafe(9),
        host=person,
        terms=terms,
        seats=(Seat(person=person, name=name), Seat(), Seat(), Seat()),
        token=secrets.token_urlsafe(TOKEN_BYTES),
        password=password,
        touched_at=backend.now_ms(),
    )
    for at, bot in enumerate(bots, start=1):
        if bot and not isinstance(after := model.place_bot(pregame, person, at, bot), Refusal):
            pregame = after
    await repository.add(backend, pregame)
    await _record_place(backend, person, pregame)
    return pregame


async def sit(backend: Backend, pregame_id: str, person: str, name: str) -> PregameTable | Refusal:
    """Sit down. Whoever waits elsewhere does not any more."""
    await repository.record_heartbeat(backend, pregame_id, person)
    return await _change(
        backend, pregame_id, lambda one: model.take_seat(one, person, name), came=person
    )


async def leave(backend: Backend, pregame_id: str, person: str) -> PregameTable | Refusal:
    """Leave. A gathering that everybody has left is gone."""
    outcome = await _change(backend, pregame_id, lambda one: model.leave_seat(one, person))
    if outcome == repository.GONE or not isinstance(outcome, Refusal):
        await move_player(backend, person, Place(PREGAME, pregame_id), None)
        await notify(person_group(person))
    return outcome


async def set_ready(
    backend: Backend, pregame_id: str, person: str, is_ready: bool
) -> PregameTable | Refusal:
    """Ready, or not yet. The game begins when all are."""
    await repository.record_heartbeat(backend, pregame_id, person)
    return await _change(backend, pregame_id, lambda one: model.set_ready(one, person, is_ready))


async def place_bot(
    backend: Backend, pregame_id: str, host: str, at: int, bot: str
) -> PregameTable | Refusal:
    """The host gives a seat to a bot, or takes it back."""
    return await _change(backend, pregame_id, lambda one: model.place_bot(one, host, at, bot))


async def remove_player(
    backend: Backend, pregame_id: str, host: str, at: int
) -> PregameTable | Refusal:
    """The host asks somebody to leave."""
    before = await repository.find(backend, pregame_id)
    outcome = await _change(backend, pregame_id, lambda one: model.remove_player(one, host, at))
    if before is not None and not isinstance(outcome, Refusal):
        person = before.seats[at].person
        await move_player(backend, person, Place(PREGAME, pregame_id), None)
        await notify(person_group(person))
    return outcome


async def start_rematch(backend: Backend, room: Room, person: str) -> PregameTable | Refusal:
    """A gathering of those who sat at that table, under the same terms. Whoever asks for it has
    their seat and is ready; the others are asked."""
    pregame_id = _rematch_id(room.table_id)
    seat = room.seat_of(person)
    if seat is None:
        return Refusal("not_here")
    if await repository.add(backend, _rematch_table(backend, room, pregame_id, person)):
        for meta in room.meta.seats:
            if meta.person and meta.person != person:
                await notify(person_group(meta.person))
    name = room.meta.seats[seat].name
    return await sit(backend, pregame_id, person, name)


async def start_planned_game(backend: Backend, pregame: PregameTable) -> PregameTable:
    """Carry out the plan, if there is one that has not been. May be done any number of times."""
    plan = pregame.plan
    if plan is None or pregame.is_open:
        return pregame
    await backend.open_game(_game_plan(pregame, plan))
    after = await repository.update(backend, pregame.id, model.mark_open)
    for person in pregame.people:
        here = Place(PREGAME, pregame.id)
        await move_player(backend, person, here, Place("table", plan.table_id))
    await notify(LOBBY_GROUP, pregame_group(pregame.id), *map(person_group, pregame.people))
    return after if isinstance(after, PregameTable) else pregame


async def keep_alive(backend: Backend, pregame: PregameTable, person: str) -> None:
    """That person, who is of it, is there."""
    await repository.record_heartbeat(backend, pregame.id, person)
    if backend.now_ms() - pregame.touched_at > TOUCH_EVERY_MS:
        await repository.update(backend, pregame.id, lambda one: one)


async def check_tables(backend: Backend) -> None:
    """Carry out what is planned, and let go what nobody looks after. A game that cannot begin
    keeps no other from it."""
    for pregame in await repository.list_all(backend):
        try:
            if await start_planned_game(backend, pregame) is pregame and pregame.plan is None:
                await _unready_absent(backend, pregame)
        except TableError:
            raise
        except Exception:
            log.exception("the game of gathering %s cannot begin", pregame.id)


async def _unready_absent(backend: Backend, pregame: PregameTable) -> None:
    """Whoever has gone without a word is not ready any more."""
    if not any(seat.person and seat.is_ready for seat in pregame.seats):
        return
    heard, now = await repository.last_heartbeats(backend, pregame.id), backend.now_ms()
    if model.unready_absent(pregame, heard, now) == pregame:
        return
    await repository.update(backend, pregame.id, lambda one: model.unready_absent(one, heard, now))
    await notify(LOBBY_GROUP, pregame_group(pregame.id))


async def _change(
    backend: Backend,
    pregame_id: str,
    change: Callable[[PregameTable], PregameTable | Refusal | None],
    *,
    came: str = "",
) -> PregameTable | Refusal:
    """Change it, and begin if that was what was missing."""
    table_id, lot = new_table_id(), list(range(model.SEATS))
    secrets.SystemRandom().shuffle(lot)

    def next_step(before: PregameTable) -> PregameTable | Refusal | None:
        after = change(before)
        return model.plan_game(after, table_id, lot) if isinstance(after, PregameTable) else after

    outcome = await repository.update(backend, pregame_id, next_step)
    if isinstance(outcome, Refusal):
        return outcome
    if outcome is None:
        await notify(LOBBY_GROUP, pregame_group(pregame_id))
        return repository.GONE
    if came:
        await _record_place(backend, came, outcome)
    after = await start_planned_game(backend, outcome)
    if after is outcome:
        await notify(LOBBY_GROUP, pregame_group(pregame_id))
    return after


async def _record_place(backend: Backend, person: str, pregame: PregameTable) -> None:
    """That person is at this gathering now, and at nothing else that has not begun."""
    here = Place(PREGAME, pregame.id)
    before = await find_place(backend, person)
    if before == here:
        return
    if before is not None and before.kind == "queue":
        await queues.leave_queue(backend, person)
    before = await place_player(backend, person, here)
    if before is not None and before.kind == PREGAME and before != here:
        await _change(backend, before.name, lambda one: model.leave_seat(one, person))
    await notify(LOBBY_GROUP, person_group(person))


def _game_plan(pregame: PregameTable, plan: model.Plan) -> GamePlan:
    terms = pregame.terms
    sitting = [pregame.seats[at] for at in plan.order]
    return GamePlan(
        table_id=plan.table_id,
        seats=[SeatMeta(name=one.name, person=one.person, bot=one.bot) for one in sitting],
        rules=terms.rules,
        clock=CLOCKS[terms.clock],
        public=terms.public,
        help=terms.help,
        watch=terms.watch,
        watch_delay_s=terms.watch_delay_s,
        may_join=terms.may_join,
    )


def _rematch_id(table_id: str) -> str:
    """The id of the one gathering that comes after that table. Who knows the table does not
    know it."""
    key = settings.SECRET_KEY.encode()
    return hmac.new(key, f"again:{table_id}".encode(), hashlib.sha256).hexdigest()[:16]


def _rematch_table(backend: Backend, room: Room, pregame_id: str, host: str) -> PregameTable:
    meta = room.meta
    seats = [
        Seat(name=one.name, bot=one.bot, is_ready=True)
        if one.bot and not one.person
        else Seat(name=one.name, kept_for=one.person)
        for one in meta.seats
    ]
    return PregameTable(
        id=pregame_id,
        host=host,
        terms=Terms(
            rules=room.table.rules,
            clock=clock_key(meta.clock),
            help=meta.help,
            public=meta.public,
            watch=meta.watch,
            watch_delay_s=meta.watch_delay_s,
            may_join=meta.may_join,
        ),
        seats=tuple(seats),
        token=secrets.token_urlsafe(TOKEN_BYTES),
        touched_at=backend.now_ms(),
        keeps_seats=True,
    )
