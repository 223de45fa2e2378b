"""The data of leagues and tournaments for programs: plain values for JSON.

The files on the pages of events and the interface of `docs/api.md` are made of these values. Points
are decimal texts in thousands.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from decimal import Decimal
from itertools import combinations
from typing import Any, Final
from uuid import UUID

from django.utils import timezone

from game.engine.points import final_placement
from game.results.group_results import GameResults, counted_games, ended_games, present_names
from game.tables.room import Room
from lobby.clubs import leagues, tournaments
from lobby.clubs.leagues import league_tables
from lobby.clubs.registration import ClubEvent, lists_of
from lobby.clubs.tournaments import round_tables
from lobby.events.standings import Result, Row
from lobby.matchmaking.backend import Backend
from lobby.models import Club, ClubGame, Entrant, League, RoundTable

Item = dict[str, Any]
_RUNNING_FOR: Final = timedelta(hours=24)
_TENTH: Final = Decimal("0.1")


def event_item(club: Club, event: ClubEvent) -> Item:
    """Return the settings of an event."""
    common = {
        "club": club.slug,
        "event": event.slug,
        "name": event.name,
        "clock": event.clock,
        "time_zone": event.time_zone,
        "registration": event.registration,
        "max_entrants": event.max_entrants,
        "registration_ends_at": _moment(event.registration_ends_at),
    }
    if isinstance(event, League):
        return {
            "kind": "league",
            **common,
            "starts_on": event.starts_on.isoformat(),
            "ends_on": event.ends_on.isoformat(),
            "ranking": event.ranking,
            "min_games": event.min_games,
            "max_games": event.max_games,
            "best_games": event.best_games,
        }
    return {
        "kind": "tournament",
        **common,
        "starts_at": _moment(event.starts_at),
        "ends_at": _moment(event.ends_at),
        "rounds": event.rounds,
        "method": event.method,
    }


async def player_items(event: ClubEvent) -> list[Item]:
    """Return the entrants, and in a league for every member those who have played."""
    if isinstance(event, League):
        people = {one.pk: one.name for one in (await lists_of(event)).entrants}
        played = {
            seat.person_id
            for game in await counted_games(league_tables(event))
            for seat in game.seats
            if seat.person_id is not None
        }
        people |= await present_names(played - set(people))
        return [{"player": str(key), "name": name, "number": None} for key, name in people.items()]
    rows = Entrant.objects.filter(tournament=event).select_related("person")
    return [
        {"player": str(row.person_id), "name": row.person.name, "number": row.number}
        async for row in rows
    ]


async def round_items(event: ClubEvent) -> list[Item]:
    """Return the rounds of a tournament with their tables; a league has none."""
    rounds: dict[int, Item] = {}
    for table in await table_items(event):
        if table["round"] is not None:
            one = rounds.setdefault(table["round"], {"round": table["round"], "tables": []})
            one["tables"].append(table)
    return list(rounds.values())


async def table_items(event: ClubEvent) -> list[Item]:
    """Return all tables. `players` are by seat from East; None for a bot, empty for a league."""
    if isinstance(event, League):
        ended = await ended_games(league_tables(event))
        games = ClubGame.objects.filter(league=event).order_by("opened_at", "pk")
        return [
            {
                "table": game.table_id,
                "round": None,
                "number": None,
                "state": "finished" if game.table_id in ended else "running",
                "players": [],
            }
            async for game in games
        ]
    ended = await ended_games(round_tables(event))
    numbers = Entrant.objects.filter(tournament=event, number__isnull=False)
    people = {
        number: str(person) async for number, person in numbers.values_list("number", "person")
    }
    return [
        {
            "table": row.table_id,
            "round": row.round,
            "number": row.number,
            "state": "finished"
            if row.table_id in ended
            else "running"
            if row.is_open
            else "planned",
            "players": [people.get(number) for number in row.seats],
        }
        async for row in RoundTable.objects.filter(tournament=event)
    ]


async def game_items(event: ClubEvent) -> list[Item]:
    """Return the finished games that count, in the order in which they ended."""
    return [game_item(game) for game in await _games_of(event)]


def game_item(game: GameResults) -> Item:
    return {
        "table": game.table_id,
        "ended_at": game.ended_at.isoformat(),
        "results": [
            {
                "player": str(seat.person_id),
                "place": seat.place,
                "score": seat.score,
                "points": str(seat.points),
            }
            for seat in sorted(game.seats, key=lambda seat: seat.place)
        ],
    }


async def standing_items(event: ClubEvent) -> list[Item]:
    """Return the standings after the finished games."""
    standings = await _standings_of(event, [])
    return [row_item(row, standings.names) for row in standings.rows]


async def provisional_items(backend: Backend, event: ClubEvent) -> list[Item]:
    """Return the standings as if all running games that can be watched ended now."""
    running = await provisional_results(backend, event)
    standings = await _standings_of(event, running)
    return [row_item(row, standings.names) for row in standings.rows]


def row_item(row: Row, names: dict[str, str]) -> Item:
    return {
        "place": row.place,
        "name": names.get(row.player, ""),
        "player": row.player,
        "played": row.played,
        "counted": row.counted,
        "points": str(row.points),
        "mean_place": f"{float(row.mean_place):.3f}",
        "places": row.places,
    }


async def meeting_items(event: ClubEvent) -> list[Item]:
    """Return for each pair of players who have met in a finished game how often."""
    met: Counter[tuple[str, str]] = Counter()
    for game in await _games_of(event):
        people = sorted(str(seat.person_id) for seat in game.seats)
        for one, other in combinations(people, 2):
            met[one, other] += 1
    return [{"players": list(pair), "games": count} for pair, count in sorted(met.items())]


async def provisional_results(backend: Backend, event: ClubEvent) -> list[list[Result]]:
    """Return what the running games would count if they ended now. Games that nobody may watch are
    left out."""
    if isinstance(event, League):
        games = ClubGame.objects.filter(league=event)
    else:
        tables = RoundTable.objects.filter(tournament=event, is_open=True).values("table_id")
        games = ClubGame.objects.filter(table_id__in=tables)
    games = games.filter(opened_at__gt=timezone.now() - _RUNNING_FOR)
    found = list[list[Result]]()
    async for table_id in games.values_list("table_id", flat=True):
        room = await backend.tables.room(table_id)
        if room is not None and not backend.tables.is_over(room) and room.meta.watch != "nobody":
            found.append(_present_results(room))
    return found


def _present_results(room: Room) -> list[Result]:
    table = room.table
    _, placement = final_placement(table.rules, table.scores, table.kyotaku, table.chombos)
    return [
        Result(str(UUID(seat.person)), place, Decimal(str(points)).quantize(_TENTH))
        for seat, (place, points) in zip(room.meta.seats, placement, strict=True)
        if seat.person
    ]


async def _games_of(event: ClubEvent) -> list[GameResults]:
    if isinstance(event, League):
        return await counted_games(league_tables(event))
    return await counted_games(round_tables(event).filter(is_void=False))


async def _standings_of(
    event: ClubEvent, running: list[list[Result]]
) -> leagues.Standings | tournaments.Standings:
    if isinstance(event, League):
        return await leagues.standings_of(event, running)
    return await tournaments.standings_of(event, running)


def _moment(when: Any) -> str | None:
    return when.isoformat() if when else None
