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

from game.live.lobby_api import (
    GamePlan,
    Room,
    SeatMeta,
    TableAccess,
    TablesUnavailable,
    new_table_id,
)
from lobby.matchmaking import queues
from lobby.matchmaking.player_location import Place, moved, place_of, put
from lobby.pages.notifications import EVERYBODY, of_gathering, of_person, poke
from lobby.pregame import model, repository
from lobby.pregame.clocks import CLOCKS, name_of
from lobby.pregame.model import No, PregameTable, Seat, Terms

log = logging.getLogger(__name__)

TOKEN_BYTES: Final = 16
TOUCHED_EVERY_MS: Final = 60_000


def is_let_in(gathering: PregameTable, person: str, token: str) -> bool:
    """Whether that person may know of the gathering: it is public, they are of it, or they hold
    its link."""
    if hmac.compare_digest(gathering.token.encode(), token.encode()):
        return True
    if gathering.terms.public:
        return True
    return gathering.seat_of(person) is not None or gathering.is_asked(person)


async def make(
    house: TableAccess,
    *,
    person: str,
    name: str,
    terms: Terms,
    bots: tuple[str, str, str],
    password: str,
) -> PregameTable:
    """A new gathering with that person in the first seat. `bots` are for the other three, ''
    for a seat that is open; `password` is hashed."""
    gathering = PregameTable(
        id=secrets.token_urlsafe(9),
        host=person,
        terms=terms,
        seats=(Seat(person=person, name=name), Seat(), Seat(), Seat()),
        token=secrets.token_urlsafe(TOKEN_BYTES),
        password=password,
        touched_at=house.now_ms(),
    )
    for at, bot in enumerate(bots, start=1):
        if bot and not isinstance(after := model.bot_placed(gathering, person, at, bot), No):
            gathering = after
    await repository.added(house, gathering)
    await _arrived(house, person, gathering)
    return gathering


async def sit(house: TableAccess, gathering_id: str, person: str, name: str) -> PregameTable | No:
    """Sit down. Whoever waits elsewhere does not any more."""
    await repository.heard_of(house, gathering_id, person)
    return await _done(
        house, gathering_id, lambda one: model.sat_down(one, person, name), came=person
    )


async def stand_up(house: TableAccess, gathering_id: str, person: str) -> PregameTable | No:
    """Leave. A gathering that everybody has left is gone."""
    outcome = await _done(house, gathering_id, lambda one: model.stood_up(one, person))
    if outcome == repository.GONE or not isinstance(outcome, No):
        await moved(house, person, Place("gathering", gathering_id), None)
        await poke(of_person(person))
    return outcome


async def get_ready(
    house: TableAccess, gathering_id: str, person: str, is_ready: bool
) -> PregameTable | No:
    """Ready, or not yet. The game begins when all are."""
    await repository.heard_of(house, gathering_id, person)
    return await _done(house, gathering_id, lambda one: model.said_ready(one, person, is_ready))


async def place_bot(
    house: TableAccess, gathering_id: str, host: str, at: int, bot: str
) -> PregameTable | No:
    """The host gives a seat to a bot, or takes it back."""
    return await _done(house, gathering_id, lambda one: model.bot_placed(one, host, at, bot))


async def send_away(house: TableAccess, gathering_id: str, host: str, at: int) -> PregameTable | No:
    """The host asks somebody to leave."""
    before = await repository.found(house, gathering_id)
    outcome = await _done(house, gathering_id, lambda one: model.sent_away(one, host, at))
    if before is not None and not isinstance(outcome, No):
        person = before.seats[at].person
        await moved(house, person, Place("gathering", gathering_id), None)
        await poke(of_person(person))
    return outcome


async def play_again(house: TableAccess, room: Room, person: str) -> PregameTable | No:
    """A gathering of those who sat at that table, under the same terms. Whoever asks for it has
    their seat and is ready; the others are asked."""
    gathering_id = _id_after(room.table_id)
    seat = room.seat_of(person)
    if seat is None:
        return No("not_here")
    if await repository.added(house, _gathering_after(house, room, gathering_id, person)):
        for meta in room.meta.seats:
            if meta.person and meta.person != person:
                await poke(of_person(meta.person))
    name = room.meta.seats[seat].name
    return await sit(house, gathering_id, person, name)


async def begin(house: TableAccess, gathering: PregameTable) -> PregameTable:
    """Carry out the plan, if there is one that has not been. May be done any number of times."""
    plan = gathering.plan
    if plan is None or gathering.is_open:
        return gathering
    await house.open_game(_game_plan(gathering, plan))
    after = await repository.changed(house, gathering.id, model.opened)
    for person in gathering.people:
        here = Place("gathering", gathering.id)
        await moved(house, person, here, Place("table", plan.table_id))
    await poke(EVERYBODY, of_gathering(gathering.id), *map(of_person, gathering.people))
    return after if isinstance(after, PregameTable) else gathering


async def look_after(house: TableAccess, gathering: PregameTable, person: str) -> None:
    """That person, who is of it, is there."""
    await repository.heard_of(house, gathering.id, person)
    if house.now_ms() - gathering.touched_at > TOUCHED_EVERY_MS:
        await repository.changed(house, gathering.id, lambda one: one)


async def all_looked_through(house: TableAccess) -> None:
    """Carry out what is planned, and let go what nobody looks after. A game that cannot begin
    keeps no other from it."""
    for gathering in await repository.all_of_them(house):
        try:
            if await begin(house, gathering) is gathering and gathering.plan is None:
                await _readiness_checked(house, gathering)
        except TablesUnavailable:
            raise
        except Exception:
            log.exception("the game of gathering %s cannot begin", gathering.id)


async def _readiness_checked(house: TableAccess, gathering: PregameTable) -> None:
    """Whoever has gone without a word is not ready any more."""
    if not any(seat.person and seat.is_ready for seat in gathering.seats):
        return
    heard, now = await repository.last_heard(house, gathering.id), house.now_ms()
    if model.without_the_gone(gathering, heard, now) == gathering:
        return
    await repository.changed(
        house, gathering.id, lambda one: model.without_the_gone(one, heard, now)
    )
    await poke(EVERYBODY, of_gathering(gathering.id))


async def _done(
    house: TableAccess,
    gathering_id: str,
    change: Callable[[PregameTable], PregameTable | No | None],
    *,
    came: str = "",
) -> PregameTable | No:
    """Change it, and begin if that was what was missing."""
    table_id, lot = new_table_id(), list(range(model.SEATS))
    secrets.SystemRandom().shuffle(lot)

    def next_step(before: PregameTable) -> PregameTable | No | None:
        after = change(before)
        return model.planned(after, table_id, lot) if isinstance(after, PregameTable) else after

    outcome = await repository.changed(house, gathering_id, next_step)
    if isinstance(outcome, No):
        return outcome
    if outcome is None:
        await poke(EVERYBODY, of_gathering(gathering_id))
        return repository.GONE
    if came:
        await _arrived(house, came, outcome)
    after = await begin(house, outcome)
    if after is outcome:
        await poke(EVERYBODY, of_gathering(gathering_id))
    return after


async def _arrived(house: TableAccess, person: str, gathering: PregameTable) -> None:
    """That person is at this gathering now, and at nothing else that has not begun."""
    here = Place("gathering", gathering.id)
    before = await place_of(house, person)
    if before == here:
        return
    if before is not None and before.kind == "queue":
        await queues.left(house, person)
    before = await put(house, person, here)
    if before is not None and before.kind == "gathering" and before != here:
        await _done(house, before.name, lambda one: model.stood_up(one, person))
    await poke(EVERYBODY, of_person(person))


def _game_plan(gathering: PregameTable, plan: model.Plan) -> GamePlan:
    terms = gathering.terms
    sitting = [gathering.seats[at] for at in plan.order]
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


def _id_after(table_id: str) -> str:
    """The id of the one gathering that comes after that table. Who knows the table does not
    know it."""
    key = settings.SECRET_KEY.encode()
    return hmac.new(key, f"again:{table_id}".encode(), hashlib.sha256).hexdigest()[:16]


def _gathering_after(house: TableAccess, room: Room, gathering_id: str, host: str) -> PregameTable:
    meta = room.meta
    seats = [
        Seat(name=one.name, bot=one.bot, is_ready=True)
        if one.bot and not one.person
        else Seat(name=one.name, kept_for=one.person)
        for one in meta.seats
    ]
    return PregameTable(
        id=gathering_id,
        host=host,
        terms=Terms(
            rules=room.table.rules,
            clock=name_of(meta.clock),
            help=meta.help,
            public=meta.public,
            watch=meta.watch,
            watch_delay_s=meta.watch_delay_s,
            may_join=meta.may_join,
        ),
        seats=tuple(seats),
        token=secrets.token_urlsafe(TOKEN_BYTES),
        touched_at=house.now_ms(),
        keeps_seats=True,
    )
