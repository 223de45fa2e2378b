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

from channels.db import database_sync_to_async
from django.conf import settings

from game.bots import BOT_NAMES
from game.results.group_results import ended_tables
from game.tables.errors import TableError
from game.tables.room import SeatMeta
from lobby.accounts.refusals import CodedError
from lobby.accounts.transactions import change_locked
from lobby.events.apart import Pair, find_places, pairs_at
from lobby.events.registration import settings_of, table_size_of
from lobby.events.results import standings_of
from lobby.events.seating import (
    Fill,
    Method,
    Round,
    Seats,
    draw_sitting_out,
    plan_rounds,
    seats_needed,
)
from lobby.models import Club, Event, EventPlayer, EventTable, Membership, Person
from lobby.play import movements
from lobby.play.backend import Backend, current_backend
from lobby.play.club_tables import record_game, table_ids_of
from lobby.play.notifications import LOBBY_GROUP, notify, person_group
from lobby.play.queues import BOT

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


def count_left_over(event: Event) -> int:
    """Return how many seats of the next round have no entrant. Prescribed seats stay as many as in
    the first round. If players sit out by turns, no seat is left over otherwise.
    """
    players, table_size = event.playing.count(), table_size_of(event)
    left = 0 if event.fill == "sit_out" else -players % table_size
    if event.method == "prescribed" and event.schedule and event.has_begun():
        left = max(left, table_size * len(event.schedule[0]) - players)
    return left


def choose_substitutes(event: Event, people: Sequence[UUID]) -> None:
    """Let these members take the seats that are left over, from the next round on. Raises
    SubstitutesRefused."""

    def choose(current: Event) -> None:
        if current.fill != "substitutes":
            raise SubstitutesRefused("fill")
        members = Membership.objects.filter(club=current.club_id, person__in=people)
        if members.count() != len(set(people)):
            raise SubstitutesRefused("member")
        if len(set(people)) < len(people) or _find_players_of(current) & set(people):
            raise SubstitutesRefused("busy")
        current.substitutes = [str(person) for person in people]
        current.save(update_fields=["substitutes"])

    change_locked(event, choose)


def substitutes_of(event: Event) -> list[Person]:
    """Return the chosen substitutes of the next round, without people who have left the club or
    play in the event by now.
    """
    chosen = [UUID(substitute) for substitute in event.substitutes]
    members = Membership.objects.filter(club=event.club_id, person__in=chosen)
    people = {row.person_id: row.person for row in members.select_related("person")}
    busy = _find_players_of(event)
    return [
        people[person_id] for person_id in chosen if person_id in people and person_id not in busy
    ]


def seated_substitutes(event: Event) -> list[Person]:
    """Return the substitutes in the order of the leftover seats; [] if the event does not use
    substitutes. Raises RoundRefused if they are too few.
    """
    if event.fill != "substitutes":
        return []
    people = substitutes_of(event)
    if len(people) < count_left_over(event):
        raise RoundRefused("substitutes")
    return people


def _find_players_of(event: Event) -> set[UUID]:
    """Return the ids of the entrants and of those who play for an entrant."""
    rows = event.entrants.all()
    replacing = rows.filter(substitute__isnull=False)
    return {*rows.values_list("person", flat=True), *replacing.values_list("substitute", flat=True)}


def progress_by_event(club: Club) -> dict[int, str]:
    """Map the id of each event with rounds that has begun: to "over" if all games of the last
    round are over, otherwise to "running".
    """
    tables = EventTable.objects.filter(event__club=club, round__gt=0)
    ended = ended_tables(tables.values_list("table_id", flat=True))
    begun, done, playing = set[int](), set[int](), set[int]()
    for row in tables.select_related("event"):
        begun.add(row.event_id)
        if row.round == row.event.rounds:
            done.add(row.event_id)
        if row.table_id not in ended and not row.is_void:
            playing.add(row.event_id)
    return {pk: "over" if pk in done - playing else "running" for pk in begun}


def draw_seats(event: Event, number: int, *, again: bool = False) -> Round:
    """Return the seats of the next round. Draw them first if there are none yet, if the players
    have changed, or if `again` is set. Raises as `start_round`.
    """
    seat = _make_seat_draw(event, number)
    return change_locked(event, lambda current: seat(current, again) or [])


def swap_players(event: Event, number: int, first: int, second: int) -> None:
    """Exchange the seats of these two players in the drawn seats of the next round. Raises as
    `start_round`."""
    seat = _make_seat_draw(event, number)

    def swap(current: Event) -> None:
        seats = seat(current, False)
        if seats is None:
            return
        seated = {*chain.from_iterable(seats)}
        players = {*seated, *numbers_sitting_out(current, seats)}
        if not {first, second} & seated or not {first, second} <= players:
            return
        places = {first: second, second: first}
        tables = [[places.get(at, at) for at in table] for table in seats]
        current.drawn = _drawn(current, number, tables)
        current.save(update_fields=["drawn"])

    change_locked(event, swap)


def numbers_sitting_out(event: Event, seated: Round) -> list[int]:
    """Return the numbers of the players who have no seat in that round."""
    players = event.playing.exclude(number__in=chain.from_iterable(seated))
    return [row.number for row in players if row.number is not None]


def _make_seat_draw(event: Event, number: int) -> Callable[[Event, bool], Round | None]:
    """Return a function of the locked event and `again`. It draws and stores the seats of that
    round, unless valid ones are stored, and returns them; None if the round has begun.
    """
    standings = standings_of(event)
    ended = ended_tables(table_ids_of(event))
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
        kept = _valid_drawn_seats(current, number)
        if kept and not again:
            return kept
        seated = _seat_round(current, number, order, _rounds_of(tables), again)
        current.drawn = _drawn(current, number, seated)
        current.save(update_fields=["drawn"])
        return seated

    return draw


def _drawn(event: Event, number: int, tables: Iterable[Sequence[int]]) -> dict[str, Any]:
    players = list(event.playing.values_list("number", flat=True))
    terms = {"rounds": event.rounds, "method": event.method, "fill": event.fill}
    terms |= {"players": sorted(players, key=lambda player: player or 0), "apart": event.apart}
    return {"round": number, "tables": [list(table) for table in tables], **terms}


def _valid_drawn_seats(event: Event, number: int) -> Round:
    """Return the stored seats of that round; [] if players or terms have changed since the draw."""
    if event.drawn != _drawn(event, number, event.drawn.get("tables", ())):
        return []
    return _seats_of(event.drawn["tables"])


def start_round(event: Event, number: int) -> None:
    """Store the tables of the next round with the drawn seats; do nothing if the round of that
    number has begun. Raises RoundRefused if the round before is not over or there are no more
    rounds, SeatingError if the entrants do not fill the tables.
    """
    draw = _make_seat_draw(event, number)

    def store(current: Event) -> None:
        seated = draw(current, False)
        if seated is None:
            return
        substitutes = _substitutes_by_number(current, seated)
        for at, seats in enumerate(seated, start=1):
            EventTable.objects.create(
                event=current,
                round=number,
                number=at,
                table_id=table_id(current.pk, number, at),
                seats=list(seats),
                replacements=_replacements(current, seats) | _substitutes_at(seats, substitutes),
                no_show_minutes=current.no_show_minutes,
            )
        for entrant in current.entrants.filter(number__in=numbers_sitting_out(current, seated)):
            entrant.sat_out_rounds.append(number)
            entrant.sat_out_points += current.missed_points
            entrant.save(update_fields=["sat_out_rounds", "sat_out_points"])
        current.next_round_at = None
        current.save(update_fields=["next_round_at"])

    change_locked(event, store)


def table_id(event: int, round_number: int, table: int, attempt: int = 1) -> str:
    """Return the id of that table, which nobody can guess without the site's key. `attempt` counts
    the games of a table whose game is repeated.
    """
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
    if not await backend.tables.opens_tables():
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
    effect.
    """
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
    await database_sync_to_async(record_game)(event.club.slug, row.table_id, event.pk)
    await backend.tables.open_game(
        row.table_id,
        seats,
        settings_of(event, has_officials=True),
        round_ms=event.round_minutes * 60_000,
    )
    players = [seat.person for seat in seats if seat.person]
    for player in players:
        await movements.record_seat(backend, player, row.table_id)
    await database_sync_to_async(record_open)(row)
    await notify(LOBBY_GROUP, *(person_group(player) for player in players))


def record_open(row: EventTable) -> None:
    """Record that this table is open, unless its game is repeated under another table id by now."""
    EventTable.objects.filter(pk=row.pk, table_id=row.table_id).update(is_open=True)


def seat_of_replacement(replaced: dict[str, str]) -> SeatMeta:
    """Return the seat of a stored replacement: a person or a bot."""
    if replaced["person"]:
        return SeatMeta(name=replaced["name"], person=replaced["person"])
    return SeatMeta(name=replaced["name"], bot=BOT)


def describe_replacement(entrant: EventPlayer, seat: int) -> dict[str, str]:
    """Return the replacement of the entrant in that seat, in the form in which a table
    stores it.
    """
    substitute = entrant.substitute
    return {
        "person": str(substitute.pk) if substitute else "",
        "name": substitute.name if substitute else BOT_NAMES[seat],
        "points": str(entrant.substitute_points),
    }


async def open_planned_tables() -> float:
    """Open stored tables: a periodic task. Return the seconds until the next call."""
    await open_tables()
    return _OPEN_EVERY_S


def own_table_id(event: Event, person: str) -> str:
    """Return the id of that person's open table in the latest round, '' for none."""
    if not person:
        return ""
    entrant = event.entrants.filter(person=UUID(person)).first()
    last = event.tables.order_by("round").last()
    if last is None:
        return ""
    number = entrant.number if entrant is not None else None
    rows = event.tables.filter(round=last.round, is_open=True)
    return next((row.table_id for row in rows if plays_at(row, person, number)), "")


def plays_at(row: EventTable, person: str, number: int | None) -> bool:
    """Return whether that person plays at the table: as the entrant with that number, or as a
    substitute.
    """
    for at, seated in enumerate(row.seats):
        replaced = row.replacements.get(str(at))
        if replaced["person"] == person if replaced is not None else seated == number:
            return True
    return False


def _rounds_of(tables: list[EventTable]) -> list[Round]:
    rounds: dict[int, Round] = {}
    for table in tables:
        rounds.setdefault(table.round, []).append(tuple(table.seats))
    return [rounds[number] for number in sorted(rounds)]


def _replacements(event: Event, seats: Seats) -> dict[str, dict[str, str]]:
    """Return the replacements of entrants at a table with these seats, in the form in which the
    table stores them.
    """
    replaced = event.entrants.filter(number__in=seats, is_replaced=True)
    found = dict[str, dict[str, str]]()
    for entrant in replaced.select_related("substitute"):
        if entrant.number is not None:
            seat = seats.index(entrant.number)
            found[str(seat)] = describe_replacement(entrant, seat)
    return found


def _substitutes_by_number(event: Event, seated: Round) -> dict[int, Person]:
    """Map the number of each leftover seat to the substitute who takes it. Raises RoundRefused."""
    entrants = set(event.playing.values_list("number", flat=True))
    left = sorted(set(chain.from_iterable(seated)) - entrants)
    return dict(zip(left, seated_substitutes(event), strict=False))


def _substitutes_at(seats: Seats, substitutes: dict[int, Person]) -> dict[str, Any]:
    """Return the substitutes with a seat at this table, by seat, in the form in which a table
    stores replacements.
    """
    return {
        str(at): {"person": str(person.pk), "name": person.name, "points": "0"}
        for at, number in enumerate(seats)
        if (person := substitutes.get(number)) is not None
    }


def _seat_round(
    event: Event, number: int, order: list[str], played: list[Round], again: bool
) -> Round:
    """Return the seats of the round `number`. `order` are the ids of the entrants with games, the
    best first; `played` are the earlier rounds; `again` asks for a new draw. Before the first
    round the entrants get their numbers by lot. Call it in a transaction.
    """
    if number == 1:
        _draw_numbers(event)
    sat_out = {row.number or 0: row.sat_out_rounds for row in event.playing}
    table_size, fill = table_size_of(event), cast("Fill", event.fill)
    seats = seats_needed(len(sat_out), table_size, event.rounds, fill)  # refuses leftover seats
    rng = Random(secrets.randbits(64))
    sitting_out = draw_sitting_out(sat_out, len(sat_out) - seats, rng) if fill == "sit_out" else ()
    numbers = {
        str(row.person_id): row.number or 0
        for row in event.playing
        if row.number not in sitting_out
    }
    players = sorted(numbers.values()) + _free_numbers(event, count_left_over(event))
    apart = numbers_apart(event)
    if fill == "sit_out":
        event.schedule = None  # others sit out in each round
        event.save(update_fields=["schedule"])
    elif event.method not in ("swiss", "interval"):
        return _next_of_schedule(event, number, players, played, apart, again)
    standing = [numbers[player] for player in order if player in numbers]
    standing += [player for player in players if player not in standing]
    return _plan_rounds_of(event, 1, standing, played, apart)[0]


def _plan_rounds_of(
    event: Event, rounds: int, standing: Sequence[int], played: list[Round], apart: list[Pair]
) -> list[Round]:
    """Plan that many rounds of the players in `standing` by the method of the event."""
    return plan_rounds(
        cast("Method", event.method),
        len(standing),
        table_size_of(event),
        rounds,
        secrets.randbits(32),
        standing=standing,
        played=played,
        apart=apart,
    )


def _next_of_schedule(
    event: Event,
    number: int,
    players: list[int],
    played: list[Round],
    apart: list[Pair],
    again: bool,
) -> Round:
    """Return the seats of that round from the schedule of the event, and store the schedule.

    New players take the seats of players who have left. Unless the schedule is prescribed, plan
    the remaining rounds anew if the number of players has changed, if rounds are missing, or if a
    pair would meet that must not.
    """
    count = event.rounds - number + 1
    ahead: list[Round] = (event.schedule or [])[number - 1 :]
    seated = {player for tables in ahead[:1] for player in chain.from_iterable(tables)}
    has_all = len(seated) == len(players)
    place = dict(zip(sorted(seated - {*players}), sorted({*players} - seated), strict=False))
    ahead = [
        _seats_of([[place.get(player, player) for player in table] for table in tables])
        for tables in ahead
    ]
    if event.method == "prescribed":
        has_empty_seats = len(players) > event.playing.count()
        if not has_all or (has_empty_seats and event.fill == "refuse"):
            raise RoundRefused("prescribed")
    elif (
        (again or number == 1 or not has_all)
        or len(ahead) < count
        or any(pairs_at(table, apart) for tables in ahead[:count] for table in tables)
    ):
        ahead = _plan_rounds_of(event, count, players, played, apart)
    event.schedule = [[list(table) for table in tables] for tables in (*played, *ahead)]
    event.save(update_fields=["schedule"])
    return ahead[0]


def _seats_of(tables: Iterable[Sequence[int]]) -> Round:
    return [tuple(table) for table in tables]


def _free_numbers(event: Event, count: int) -> list[int]:
    """Return the lowest numbers that no entrant has, for bots and substitutes."""
    taken = set(event.entrants.values_list("number", flat=True))
    return [number for number in range(1, len(taken) + count + 1) if number not in taken][:count]


def numbers_apart(event: Event) -> list[Pair]:
    """Return the pairs who must not meet, by their numbers. Leave out pairs of which somebody does
    not play.
    """
    numbers = {str(row.person_id): row.number or 0 for row in event.playing}
    return [(numbers[a], numbers[b]) for a, b in event.apart if a in numbers and b in numbers]


def forbidden_meetings(event: Event, number: int) -> list[tuple[int, int, Pair]]:
    """Return the forbidden meetings in the drawn seats of that round and in planned later rounds:
    round, table and pair.
    """
    current = Event.objects.get(pk=event.pk)
    apart = numbers_apart(current)
    later = [] if current.schedule is None else current.schedule[number : current.rounds]
    return [
        (at_round, at, pair)
        for at_round, tables in enumerate([current.drawn["tables"], *later], start=number)
        for at, table in enumerate(tables, start=1)
        for pair in pairs_at(table, apart)
    ]


def _draw_numbers(event: Event) -> None:
    """Number the entrants by lot. With prescribed seats, exchange numbers so that pairs who must
    not meet sit apart.
    """
    event.entrants.update(number=None)  # those of an earlier draw
    entrants = list(event.entrants.all())
    lot = Random(secrets.randbits(64))
    lot.shuffle(entrants)
    numbers = {str(entrant.person_id): at for at, entrant in enumerate(entrants, start=1)}
    places = dict[int, int]()
    if event.method == "prescribed" and event.schedule:
        apart = [(numbers[a], numbers[b]) for a, b in event.apart if {a, b} <= numbers.keys()]
        places = find_places(event.schedule, apart, lot)
    for at, entrant in enumerate(entrants, start=1):
        entrant.number = places.get(at, at)
        entrant.save(update_fields=["number"])
