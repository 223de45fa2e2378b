"""Events with rounds: substitutes, the start of a round, the opening of its tables.

Starting a round has two steps. One transaction stores all of its tables, with their ids. Then each
table is opened, which has no effect if it is open already. The request that started the round opens
them, and every worker opens missing ones, so that a process may die at any point.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from random import Random
from typing import Any, Final, cast
from uuid import UUID

from django.conf import settings

from game.bots import BOT_NAMES
from game.results.group_results import ended_tables
from game.tables.errors import TableError
from game.tables.room import SeatMeta
from lobby.accounts.coded_error import CodedError
from lobby.accounts.transactions import change_locked
from lobby.events.registration import settings_of
from lobby.events.results import standings_of
from lobby.events.seating import SEATS, Fill, Method, Round, Seats, plan_rounds, seats_needed
from lobby.models import Club, Event, EventPlayer, EventTable, Membership, Person
from lobby.play import movements
from lobby.play.backend import Backend, current_backend
from lobby.play.club_tables import record_game, table_ids_of
from lobby.play.notifications import LOBBY_GROUP, notify, person_group
from lobby.play.queues import BOT
from lobby.play.table_access import GamePlan

log = logging.getLogger(__name__)

_OPEN_EVERY_S: Final = 5.0


class RoundRefused(CodedError):
    """The next round cannot start. `code`: "over" (there are no more rounds), "running" (a game of
    the round before is not over), "substitutes" (too few members are named for the seats that are
    left over), "prescribed" (the prescribed seats are for another number of entrants)."""


class SubstitutesRefused(CodedError):
    """The chosen members cannot take the seats. `code`: "fill" (the event fills its seats
    otherwise), "busy" (one of them plays in the event, or is named twice), "member" (one of
    them is no member of the club)."""


def count_left_over(entrants: int) -> int:
    """Return how many seats are left over with that number of entrants."""
    return -entrants % SEATS


async def choose_substitutes(event: Event, people: Sequence[UUID]) -> None:
    """Let these members take the seats that are left over, from the next round on. Raises
    SubstitutesRefused."""

    def choose(current: Event) -> None:
        if current.fill != "substitutes":
            raise SubstitutesRefused("fill")
        members = Membership.objects.filter(club=current.club_id, person__in=people)
        if members.count() != len(set(people)):
            raise SubstitutesRefused("member")
        if len(set(people)) < len(people) or _busy(current) & set(people):
            raise SubstitutesRefused("busy")
        current.substitutes = [str(person) for person in people]
        current.save(update_fields=["substitutes"])

    await change_locked(event, choose)


def substitutes_of(event: Event) -> list[Person]:
    """Return who takes the seats in the next round, without people who have left the club or play
    otherwise."""
    chosen = [UUID(substitute) for substitute in event.substitutes]
    members = Membership.objects.filter(club=event.club_id, person__in=chosen)
    people = {row.person_id: row.person for row in members.select_related("person")}
    busy = _busy(event)
    return [
        people[person_id] for person_id in chosen if person_id in people and person_id not in busy
    ]


def seated_substitutes(event: Event) -> list[Person]:
    """List who takes the leftover seats, in the order of the seats; nobody if bots do. Raises
    RoundRefused."""
    if event.fill != "substitutes":
        return []
    people = substitutes_of(event)
    if len(people) < count_left_over(event.entrants.all().count()):
        raise RoundRefused("substitutes")
    return people


def _busy(event: Event) -> set[UUID]:
    """Return those who play in the event, for themselves or for an entrant."""
    rows = event.entrants.all()
    replacing = rows.filter(substitute__isnull=False)
    return {*rows.values_list("person", flat=True), *replacing.values_list("substitute", flat=True)}


async def states_of(club: Club) -> dict[int, str]:
    """Map the id of each event with rounds that has begun to "running", or to "over" once all games
    of the last round are."""
    tables = EventTable.objects.filter(event__club=club, round__gt=0)
    ended = await ended_tables(tables.values_list("table_id", flat=True))
    begun, done, playing = set[int](), set[int](), set[int]()
    async for row in tables.select_related("event"):
        begun.add(row.event_id)
        if row.round == row.event.rounds:
            done.add(row.event_id)
        if row.table_id not in ended and not row.is_void:
            playing.add(row.event_id)
    return {pk: "over" if pk in done - playing else "running" for pk in begun}


async def draw_seats(event: Event, number: int, *, again: bool = False) -> Round:
    """Return the seats that the next round will have, and draw them if nobody has, if others play
    by now, or if they are to be drawn `again`. Raises as `start_round`."""
    seat = await _seat_drawer(event, number)
    return await change_locked(event, lambda current: seat(current, again) or [])


async def swap_players(event: Event, number: int, first: int, second: int) -> None:
    """Exchange the seats of these two players in the drawn seats of the next round. Raises as
    `start_round`."""
    seat = await _seat_drawer(event, number)

    def swap(current: Event) -> None:
        seats = seat(current, False)
        if seats is None:
            return
        places = {first: second, second: first}
        tables = [[places.get(at, at) for at in table] for table in seats]
        current.drawn = _drawn(current, number, tables)
        current.save(update_fields=["drawn"])

    await change_locked(event, swap)


async def _seat_drawer(event: Event, number: int) -> Callable[[Event, bool], Round | None]:
    """Return the function that gives the locked event its drawn seats for that round and returns
    them; None if the round has begun."""
    standings = await standings_of(event)
    ended = await ended_tables(table_ids_of(event))
    order = [row.player for row in standings.rows]

    def draw(current: Event, again: bool) -> Round | None:
        tables = list(current.tables.all())
        last = max((table.round for table in tables), default=0)
        if number <= last:
            return None
        if number != last + 1 or number > current.rounds:
            raise RoundRefused("over")
        if any(table.table_id not in ended for table in tables):
            raise RoundRefused("running")
        seated_substitutes(current)
        kept = _kept_seats(current, number)
        if kept and not again:
            return kept
        if number == 1 and current.method != "prescribed":
            current.schedule = None  # of other entrants, or a draw that was not wanted
        seated = _seat_round(current, number, order, _rounds_of(tables))
        current.drawn = _drawn(current, number, seated)
        current.save(update_fields=["drawn"])
        return seated

    return draw


def _drawn(event: Event, number: int, tables: Iterable[Sequence[int]]) -> dict[str, Any]:
    terms = {"rounds": event.rounds, "method": event.method, "fill": event.fill}
    return {"round": number, "tables": [list(table) for table in tables], **terms}


def _kept_seats(event: Event, number: int) -> Round:
    """Return the seats that were drawn for that round; none if players or terms have changed."""
    if event.drawn != _drawn(event, number, event.drawn.get("tables", ())):
        return []
    numbers = sorted(event.entrants.values_list("number", flat=True), key=lambda found: found or 0)
    tables = event.drawn["tables"]
    seats = seats_needed(len(numbers), event.rounds, cast("Fill", event.fill))
    has_all = sorted(chain.from_iterable(tables)) == list(range(1, seats + 1))
    if not has_all or numbers != list(range(1, len(numbers) + 1)):
        return []
    return [(a, b, c, d) for a, b, c, d in tables]


async def start_round(event: Event, number: int) -> None:
    """Store the tables of that round, if it is the next one, with the drawn seats. Raises
    RoundRefused if the round before is not over or there are no more rounds, SeatingError if the
    entrants do not fill the tables. A repeated call has no effect."""
    draw = await _seat_drawer(event, number)

    def store(current: Event) -> None:
        seated = draw(current, False)
        if seated is None:
            return
        substitutes = seated_substitutes(current)
        for at, seats in enumerate(seated, start=1):
            EventTable.objects.create(
                event=current,
                round=number,
                number=at,
                table_id=table_id(current.pk, number, at),
                seats=list(seats),
                replacements=_replacements(current, seats)
                | _substitutes_at(current, seats, substitutes),
            )

    await change_locked(event, store)


def table_id(event: int, round_number: int, table: int, attempt: int = 1) -> str:
    """Return the id of that table. Nobody can guess it without the key of the site. A game that is
    played again is another `attempt`."""
    text = f"event:{event}:{round_number}:{table}"
    if attempt > 1:
        text += f":{attempt}"
    digest = hmac.new(settings.SECRET_KEY.encode(), text.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:18]).decode()


async def open_tables(event: Event | None = None) -> None:
    """Open the stored tables that are not open, of that event or of all."""
    rows = EventTable.objects.filter(round__gt=0, is_open=False).select_related("event__club")
    if event is not None:
        rows = rows.filter(event=event)
    waiting = [row async for row in rows]
    if not waiting:
        return
    backend = await current_backend()
    if await backend.tables.drain_notice() is not None:
        return
    for row in waiting:
        try:
            await open_table(backend, row)
        except TableError:
            raise
        except Exception:
            log.exception("table %s cannot be opened", row.table_id)


async def open_table(backend: Backend, row: EventTable) -> None:
    """Open that table, send its players there, and record that it is open. A repeated call has no
    effect."""
    event = row.event
    entrants = event.entrants.filter(number__in=row.seats)
    people = {entrant.number: entrant.person async for entrant in entrants.select_related("person")}
    seats = list[SeatMeta]()
    for at, number in enumerate(row.seats):
        replaced = row.replacements.get(str(at))
        if replaced is not None:
            seats.append(seat_of_replacement(replaced))
        elif number in people:
            seats.append(SeatMeta(name=people[number].name, person=str(people[number].pk)))
        else:
            seats.append(SeatMeta(name=BOT_NAMES[at], bot=BOT))
    await record_game(event.club.slug, row.table_id, event.pk)
    await backend.tables.open_game(
        GamePlan(
            table_id=row.table_id,
            seats=seats,
            settings=settings_of(event, has_officials=True),
            round_ms=event.round_minutes * 60_000,
        )
    )
    players = [seat.person for seat in seats if seat.person]
    for player in players:
        await movements.record_seat(backend, player, row.table_id)
    await record_open(row)
    await notify(LOBBY_GROUP, *(person_group(player) for player in players))


async def record_open(row: EventTable) -> None:
    """Record that this table is open, unless its game has to be repeated at another table."""
    await EventTable.objects.filter(pk=row.pk, table_id=row.table_id).aupdate(is_open=True)


def seat_of_replacement(replaced: dict[str, str]) -> SeatMeta:
    """Return who sits there instead of the entrant."""
    if replaced["person"]:
        return SeatMeta(name=replaced["name"], person=replaced["person"])
    return SeatMeta(name=replaced["name"], bot=BOT)


def describe_replacement(entrant: EventPlayer, seat: int) -> dict[str, str]:
    """Return the replacement of that entrant in that seat, as a table stores it."""
    substitute = entrant.substitute
    return {
        "person": str(substitute.pk) if substitute else "",
        "name": substitute.name if substitute else BOT_NAMES[seat],
        "points": str(entrant.substitute_points),
    }


async def open_planned_tables() -> float:
    """Open stored tables: a periodic task. Return after how many seconds to call again."""
    await open_tables()
    return _OPEN_EVERY_S


async def own_table(event: Event, person: str) -> str:
    """Return the id of that person's open table in the latest round, '' for none."""
    if not person:
        return ""
    entrant = await event.entrants.filter(person=UUID(person)).afirst()
    last = await event.tables.order_by("round").alast()
    if last is None:
        return ""
    number = entrant.number if entrant is not None else None
    rows = event.tables.filter(round=last.round, is_open=True)
    return next(
        (row.table_id for row in [row async for row in rows] if plays_at(row, person, number)), ""
    )


def plays_at(row: EventTable, person: str, number: int | None) -> bool:
    """Return whether that person plays at the table, as the entrant of that number or for another
    one."""
    for at, seated in enumerate(row.seats):
        replaced = row.replacements.get(str(at))
        if replaced["person"] == person if replaced is not None else seated == number:
            return True
    return False


def _rounds_of(tables: list[EventTable]) -> list[Round]:
    rounds: dict[int, Round] = {}
    for table in tables:
        a, b, c, d = table.seats
        rounds.setdefault(table.round, []).append((a, b, c, d))
    return [rounds[number] for number in sorted(rounds)]


def _replacements(event: Event, seats: Seats) -> dict[str, dict[str, str]]:
    """Return the replacements at a table with these seats, as the table stores them."""
    replaced = event.entrants.filter(number__in=seats, is_replaced=True)
    found = dict[str, dict[str, str]]()
    for entrant in replaced.select_related("substitute"):
        if entrant.number is not None:
            seat = seats.index(entrant.number)
            found[str(seat)] = describe_replacement(entrant, seat)
    return found


def _substitutes_at(event: Event, seats: Seats, people: list[Person]) -> dict[str, Any]:
    """Return which of these substitutes take leftover seats of the table."""
    if not people:
        return {}
    entrants = event.entrants.all().count()
    return {
        str(at): {"person": str(person.pk), "name": person.name, "points": "0"}
        for at, number in enumerate(seats)
        if number > entrants
        for person in [people[number - entrants - 1]]
    }


def _seat_round(event: Event, number: int, order: list[str], played: list[Round]) -> Round:
    """Return the seats of that round. `order` are the entrants with games, the best first. The
    first round draws the numbers of the entrants by lot. Call it in a transaction."""
    if number == 1:
        _draw_numbers(event)
    entrants = list(event.entrants.all())
    seats = seats_needed(len(entrants), event.rounds, cast("Fill", event.fill))
    method, seed = cast("Method", event.method), secrets.randbits(32)
    if method in ("swiss", "interval"):
        numbers = {str(entrant.person_id): entrant.number or 0 for entrant in entrants}
        standing = [numbers[player] for player in order]
        standing += [player for player in range(1, seats + 1) if player not in standing]
        return plan_rounds(method, seats, 1, seed, standing=standing, played=played)[0]
    if event.schedule is None:
        schedule = plan_rounds(method, seats, event.rounds, seed)
        event.schedule = [[list(table) for table in tables] for tables in schedule]
        event.save(update_fields=["schedule"])
    if seats != len(event.schedule[0]) * SEATS:
        raise RoundRefused("prescribed")
    return [(a, b, c, d) for a, b, c, d in event.schedule[number - 1]]


def _draw_numbers(event: Event) -> None:
    event.entrants.update(number=None)  # those of an earlier draw
    entrants = list(event.entrants.all())
    lot = Random(secrets.randbits(64))
    lot.shuffle(entrants)
    for number, entrant in enumerate(entrants, start=1):
        entrant.number = number
        entrant.save(update_fields=["number"])
