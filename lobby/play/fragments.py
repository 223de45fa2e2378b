"""Contexts for the fragments of pages that change while they are shown.

Data that is the same for all visitors is read from Redis once a second at most.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any, Final, TypeVar, cast
from uuid import UUID

from channels.db import database_sync_to_async
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import ngettext

from game.moderation.sanctions import banned_people
from game.results.game_text import format_number, format_signed, player_name, rules_name
from game.results.group_results import ended_tables
from game.tables.errors import TableError, TablesUnavailable
from lobby.accounts.services import find_avatars
from lobby.clubs.games import running_games, waiting_tables
from lobby.clubs.members import ClubAccess
from lobby.clubs.presence import names_here, people_here
from lobby.events import registration, rounds
from lobby.events.fixtures import ListedFixture, fixtures_of, progress_of
from lobby.events.results import final_scores, named_result, seated_names, standings_of
from lobby.events.standings import Standings, StandingsRow
from lobby.friends import meeting
from lobby.models import Event
from lobby.play import pregame_services, pregame_store, queue_times, queues
from lobby.play.backend import Backend, current_backend
from lobby.play.club_tables import season_of, table_ids_of
from lobby.play.forms import CLOCK_NAMES, bot_choices
from lobby.play.player_location import PREGAME, Location, find_location
from lobby.play.pregame import PregameTable
from lobby.play.rule_form import PLACE_NAMES
from lobby.play.rule_sheet import rules_label
from lobby.play.table_list import live_tables
from lobby.play.watch_list import watchable_tables

LIVE_TABLES: Final = "lobby/fragments/live_tables.html"
CACHE_S: Final = 1.0
_RENDERED_KEPT: Final = 64
_rendered: Final[dict[tuple[str, str | None, str], str]] = {}
"""Fragments that several readers share, by template, language and values."""
_renderer: Final = ThreadPoolExecutor(1, thread_name_prefix="fragments")
T = TypeVar("T")


async def lobby(backend: Backend, person: str) -> dict[str, Any]:
    """Return the context of all fragments of the lobby."""
    location = await find_location(backend, person)
    counts = await _read_cached(backend, "counts", lambda: queues.count_waiting(backend))
    waiting = await pregame_tables(backend)
    live = await _read_cached(backend, f"live {translation.get_language()}", live_tables)
    hold = await _read_cached(backend, "maintenance", backend.tables.maintenance)
    is_busy = await _read_cached(backend, "busy", backend.tables.is_busy)
    rows = [
        {"name": name, "rules": _queue_rules(name), "count": count}
        for name, count in counts.items()
        if count
    ]
    return {
        "location": location,
        "is_banned": await _is_banned(backend, person),
        "maintenance": hold,
        "is_busy": is_busy,
        "maintenance_min": 0 if hold is None else -(-(hold.until - backend.now_ms()) // 60_000),
        **await _own_table_or_ticket(backend, person, location, counts),
        "asked": await invitations_of(backend, person),
        "times": await queue_times.read_times(backend),
        "queues": sorted(rows, key=lambda row: -counts[str(row["name"])]),
        "tables": [_listed_table(pregame, person) for pregame in waiting if pregame.is_listed],
        "left": [table for table in live if any(seat.is_left for seat in table.seats)],
    }


async def pregame_tables(backend: Backend) -> list[PregameTable]:
    """Return every pregame table, the last touched first."""
    return await _read_cached(backend, "pregame", lambda: pregame_store.list_all(backend))


async def invitations_of(backend: Backend, person: str) -> list[PregameTable]:
    """Return the tables that have a seat reserved for the person, without those of blocked
    hosts."""
    found = [table for table in await pregame_tables(backend) if table.is_invited(person)]
    asked: list[PregameTable] = await database_sync_to_async(meeting.without_blocked_hosts)(
        found, person
    )
    return asked


async def _own_table_or_ticket(
    backend: Backend, person: str, location: Location | None, counts: dict[str, int]
) -> dict[str, Any]:
    """Return the person's running table, pregame table or ticket."""
    if location is not None and location.kind == "table":
        return {
            "table_id": location.name if await backend.tables.awaits(location.name, person) else ""
        }
    if location is not None and location.kind == PREGAME:
        return {"pregame": await pregame_store.find(backend, location.name)}
    if location is not None and (ticket := await queues.find_ticket(backend, person, location)):
        queue = {"rules": _queue_rules(location.name), "count": counts[location.name]}
        if counts[location.name] > 1:
            queue["reason"] = await queues.find_reason_to_wait(
                backend, queues.QUEUES[location.name], ticket
            )
        return {"ticket": ticket, "queue": queue}
    return {}


def _queue_rules(name: str) -> str:
    queue = queues.QUEUES[name]
    return rules_name({"length": queue.length}, queue.preset)


def _listed_table(pregame: PregameTable, person: str) -> dict[str, Any]:
    return {
        "id": pregame.id,
        "rules": rules_label(pregame.settings.rules),
        "clock": CLOCK_NAMES[pregame.settings.clock],
        "has_password": bool(pregame.settings.password),
        "seats": [seat.name for seat in pregame.seats],
        "is_yours": pregame.seat_of(person) is not None,
    }


async def club_lobby(backend: Backend, access: ClubAccess, person: str) -> dict[str, Any]:
    """Return the context of the lobby of a club. Only members see who is present."""
    club = access.club
    is_member, key = access.is_member, f"club {club.pk} {access.is_member}"
    waiting = await _read_cached(
        backend, key, lambda: waiting_tables(backend, club, with_private=is_member)
    )
    running = await _read_cached(
        backend,
        f"{key} {translation.get_language()}",
        lambda: running_games(backend, club, with_private=is_member),
    )
    here = list[str]()
    if access.is_member:
        here = await _read_cached(backend, f"here {club.pk}", lambda: names_here(backend, club))
    return {
        "access": access,
        "club": club,
        "person": person,
        "may_sit": is_member and not await _is_banned(backend, person),
        "tables": [_listed_table(pregame, person) for pregame in waiting],
        "running": running,
        "here": here,
    }


async def event_parts(
    backend: Backend, access: ClubAccess, event: Event, person: str
) -> dict[str, Any]:
    """Return the context of the standings and the tables of an event."""
    read_standings = database_sync_to_async(standings_of)
    standings = await _read_cached(backend, f"event {event.pk}", lambda: read_standings(event))
    context = {
        "access": access,
        "club": access.club,
        "event": event,
        "person": person,
        "may_sit": access.is_member and not await _is_banned(backend, person),
        "season": season_of(event),
        **await database_sync_to_async(_registration_parts)(event, person),
        "rows": standing_rows(standings, person),
        "game_count": standings.games,
    }
    if event.has_rounds:
        return context | await _round_parts(backend, access, event, person)
    context |= await _table_parts(backend, access, event, person)
    if event.has_fixtures:
        context |= await _fixture_parts(backend, access, event, person)
    return context


async def _table_parts(
    backend: Backend, access: ClubAccess, event: Event, person: str
) -> dict[str, Any]:
    """Return the waiting tables and the running games of an event without rounds."""
    key = f"event {event.pk}"
    waiting = await _read_cached(
        backend, f"{key} open", lambda: waiting_tables(backend, access.club, event)
    )
    running = await _read_cached(
        backend,
        f"{key} {translation.get_language()}",
        lambda: running_games(backend, access.club, event),
    )
    return {
        "tables": [_listed_table(pregame, person) for pregame in waiting],
        "running": running,
    }


async def _fixture_parts(
    backend: Backend, access: ClubAccess, event: Event, person: str
) -> dict[str, Any]:
    """Return the tables of the list that the person still has to play, and the progress of all
    players. Only members see who is present."""
    is_running = season_of(event) == "running"
    read_fixtures = database_sync_to_async(fixtures_of)
    listed = await _read_cached(backend, f"fixtures {event.pk}", lambda: read_fixtures(event))
    own = [fixture for fixture in listed if fixture.has(person) and fixture.state != "played"]
    here: set[str] = set()
    if own and access.is_member:
        club = access.club
        here = await _read_cached(
            backend, f"ids here {club.pk}", lambda: people_here(backend, club)
        )
    return {
        "own_fixtures": [await _own_fixture(backend, fixture, person, here) for fixture in own],
        "is_on_list": any(fixture.has(person) for fixture in listed),
        "may_open": access.is_member and is_running and not await _is_banned(backend, person),
        "progress": progress_rows(listed, person),
    }


def progress_rows(listed: list[ListedFixture], person: str) -> list[dict[str, Any]]:
    """Return the progress of all players on the list, in the form for templates."""
    return [
        {
            "name": player_name(progress.player.name),
            "is_you": str(progress.player.pk) == person,
            "played": progress.played,
            "total": progress.total,
            "to_meet": [player_name(opponent.name) for opponent in progress.to_meet],
        }
        for progress in progress_of(listed)
    ]


async def _own_fixture(
    backend: Backend, fixture: ListedFixture, person: str, here: set[str]
) -> dict[str, Any]:
    """Describe a table of the list for one of its players: whether each other player is present or
    seated.
    """
    pregame = None
    if fixture.state == "open":
        pregame_id = pregame_services.fixture_table_id(fixture.key, fixture.void_table_id)
        pregame = await pregame_store.find(backend, pregame_id)
    seated = set() if pregame is None else set(pregame.people)
    return {
        "number": fixture.number,
        "table_id": fixture.table_id,
        "pregame_id": pregame.id if pregame is not None and person in seated else "",
        "is_open": bool(seated),
        "others": [
            {
                "name": player_name(player.name),
                "is_here": str(player.pk) in here,
                "is_seated": str(player.pk) in seated,
            }
            for player in fixture.players
            if str(player.pk) != person
        ],
    }


async def _round_parts(
    backend: Backend, access: ClubAccess, event: Event, person: str
) -> dict[str, Any]:
    """Return the rounds with their tables, and what the person can do in them."""
    running = await _read_cached(
        backend,
        f"rounds {event.pk} {translation.get_language()}",
        lambda: running_games(backend, access.club),
    )
    people = [entrant async for entrant in event.entrants.select_related("person")]
    names = {
        entrant.number: player_name(entrant.person.name) for entrant in people if entrant.number
    }
    live = {game.table_id: game for game in running}
    ended = await database_sync_to_async(ended_tables)(table_ids_of(event))
    scores = await database_sync_to_async(final_scores)(event)
    own = next((entrant for entrant in people if str(entrant.person_id) == person), None)
    own_number = own.number if own is not None else None
    by_round: dict[int, list[dict[str, Any]]] = {}
    async for row in event.tables.all():
        by_round.setdefault(row.round, []).append(
            {
                "number": row.number,
                "table_id": row.table_id,
                "names": seated_names(row, names),
                "game": None if row.table_id in ended else live.get(row.table_id),
                "is_over": row.table_id in ended,
                "is_void": row.is_void,
                "result": named_result(row, names, scores),
                "can_open": row.table_id in ended
                and (event.is_public or access.is_officer or own_number in row.seats),
            }
        )
    sitting_out: dict[int, list[str]] = {}
    for entrant in people:
        for number in entrant.sat_out_rounds:
            sitting_out.setdefault(number, []).append(player_name(entrant.person.name))
    last = max(by_round, default=0)
    may_start = all(table["is_over"] for table in by_round.get(last, ()))
    own_table = await database_sync_to_async(rounds.own_table_id)(event, person)
    return {
        "is_entrant": own is not None,
        "has_come": own is not None and own.came_at,
        "has_withdrawn": own is not None and own.is_withdrawn,
        "rounds": [
            (number, tables, sitting_out.get(number, []))
            for number, tables in sorted(by_round.items(), reverse=True)
        ],
        "next_round": last + 1 if last < event.rounds else 0,
        "may_start": may_start,
        "is_over": may_start and last == event.rounds,
        "is_filled": bool(last) or registration.fills_tables(event, len(people)),
        "own_table": "" if own_table in ended else own_table,
    }


def standing_rows(standings: Standings, person: str) -> list[dict[str, Any]]:
    """Return the rows of standings for templates; `person` is the reader."""
    return [
        {
            **standing_row(row, player_name(standings.names.get(row.player, ""))),
            "is_you": row.player == person,
            "is_provisional": row.player in standings.disputed,
            "is_withdrawn": row.player in standings.withdrawn,
        }
        for row in standings.rows
    ]


def standing_row(row: StandingsRow, name: str) -> dict[str, Any]:
    """Return the row of a player or team of that name, for templates."""
    return {
        "place": row.place,
        "person": row.player,
        "name": name,
        "played": row.played,
        "counted": row.counted,
        "points": format_signed(row.points, 1),
        "deducted": format_signed(-row.deducted, 1) if row.deducted else "",
        "absences": [
            describe(rounds, points)
            for describe, rounds, points in (
                (describe_missed, row.absence.missed, row.absence.missed_points),
                (describe_sat_out, row.absence.sat_out, row.absence.sat_out_points),
            )
            if rounds
        ],
        "mean_place": format_number(row.mean_place, 2),
        "places": list(zip(PLACE_NAMES, row.places, strict=False)),
    }


def describe_missed(rounds: int, points: Decimal) -> str:
    """Return the text for the missed rounds of a late entrant, and what the player got for
    them."""
    text = ngettext("%(count)d missed round", "%(count)d missed rounds", rounds)
    return f"{text % {'count': rounds}}: {format_signed(points, 1)}"


def describe_sat_out(rounds: int, points: Decimal) -> str:
    """Return the text for the rounds in which a player sat out, and what the player got for
    them."""
    text = ngettext("sat out %(count)d round", "sat out %(count)d rounds", rounds)
    return f"{text % {'count': rounds}}: {format_signed(points, 1)}"


def _registration_parts(event: Event, person: str) -> dict[str, Any]:
    """Return the lists of the registration, and the list on which that person is."""
    if event.registration == Event.MEMBERS:
        return {"has_registration": False}
    lists = registration.lists_of(event)
    return {
        "has_registration": True,
        "entrants": [player_name(entrant.name) for entrant in lists.entrants],
        "waiting": [player_name(entrant.name) for entrant in lists.waiting],
        "asked_count": len(lists.asked),
        "own_standing": lists.standing_of(person),
        "takes_registrations": registration.takes_registrations(event),
    }


async def pregame_seats(backend: Backend, pregame: PregameTable, person: str) -> dict[str, Any]:
    """Return the context of a pregame table's seats, with the actions of that person."""
    seat = pregame.seat_of(person)
    free = []
    if pregame.plan is not None and pregame.is_open:
        room = await backend.tables.room(pregame.plan.table_id)
        if room is not None and room.meta.settings.may_join:
            free = [(at, room.meta.seats[at].name) for at in room.table.seats if room.has_left(at)]
    people = [seat.person for seat in pregame.seats if seat.person and not seat.is_program]
    avatars = await database_sync_to_async(find_avatars)([UUID(player) for player in people])
    return {
        "pregame": pregame,
        "avatars": {str(player): avatar for player, avatar in avatars.items()},
        "person": person,
        "seat": seat,
        "is_ready": seat is not None and pregame.seats[seat].is_ready,
        "is_banned": await _is_banned(backend, person),
        "is_host": seat is not None and pregame.host == person,
        "is_invited": pregame.is_invited(person),
        "table_id": pregame.plan.table_id if pregame.plan else "",
        "free": free,
        "bots": [] if pregame.settings.event else bot_choices(),
    }


async def live_list(backend: Backend, person: str = "") -> dict[str, Any]:
    """Return the context of the list of tables that may be watched. `html` is the rendered list,
    which all visitors with one language share, except the list for players of these tables.
    """
    try:
        shared = await _read_cached(backend, f"watched {translation.get_language()}", _live_list)
        location = await find_location(backend, person) if person else None
        own = location.name if location is not None and location.kind == "table" else ""
        if not own or not await backend.tables.awaits(own, person):
            return shared
        is_listed = any(watched.table.table_id == own for watched in shared["tables"])
        return await _with_html({**shared, "own_table": own, "is_own_unlisted": not is_listed})
    except TableError:
        return await _with_html({"unavailable": True})


async def _live_list() -> dict[str, Any]:
    times = await queue_times.read_times(await current_backend())
    return await _with_html({"tables": await watchable_tables(), "times": times})


async def _with_html(context: dict[str, Any]) -> dict[str, Any]:
    """Add the rendered list of live tables to its context."""
    html = (await render({"html": LIVE_TABLES}, context))["html"]
    return {**context, "html": mark_safe(html)}


async def render(
    templates: Mapping[str, str], context: dict[str, Any], shared: Mapping[str, Sequence[str]] = {}
) -> dict[str, str]:
    """Render these templates in a thread, in the language that is active here.

    `shared` names the templates that are the same for most readers, each with the variables that it
    uses: such a fragment is rendered once for equal values of them.
    """

    language = translation.get_language() or settings.LANGUAGE_CODE

    def render_all() -> dict[str, str]:
        with translation.override(language):
            return {
                name: _render_once(template, {key: context.get(key) for key in shared[name]})
                if name in shared
                else render_to_string(template, context).strip()
                for name, template in templates.items()
            }

    return await asyncio.get_running_loop().run_in_executor(_renderer, render_all)


def _render_once(template: str, values: dict[str, Any]) -> str:
    """Render the template, or return the text of an earlier call with the same values and
    language. Called in one thread only.
    """
    key = template, translation.get_language(), repr(values)
    html = _rendered.pop(key, None)
    if html is None:
        html = render_to_string(template, values).strip()
    _rendered[key] = html
    if len(_rendered) > _RENDERED_KEPT:
        del _rendered[next(iter(_rendered))]
    return html


async def _is_banned(backend: Backend, person: str) -> bool:
    """Return whether that person is banned from the tables."""

    def read() -> frozenset[str]:
        return frozenset([str(banned) for banned in banned_people()])

    return person in await _read_cached(backend, "banned", database_sync_to_async(read))


async def _read_cached(backend: Backend, key: str, read: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Return the result of `read`, which is kept for CACHE_S seconds. Calls at the same time share
    one read. Raises TablesUnavailable if the process stops meanwhile.
    """
    now = time.monotonic()
    known = backend.cache.get(key)
    if known is None or known[0] <= now - CACHE_S:
        known = backend.cache[key] = now, backend.process.start_task(read())
        known[1].add_done_callback(_retrieve_exception)
    try:
        return cast("T", await asyncio.shield(known[1]))
    except asyncio.CancelledError:
        if known[1].cancelled():
            raise TablesUnavailable("the process stops") from None
        raise


def _retrieve_exception(reading: asyncio.Future[Any]) -> None:
    """Mark the exception of a read as retrieved, so that asyncio does not log it if nobody waits
    any more.
    """
    if not reading.cancelled():
        reading.exception()
