"""The data of events for programs: plain values for JSON.

The files on the pages of events and the interface of `docs/api.md` contain these values. Points are
decimal texts in thousands.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from itertools import combinations
from typing import Any, Final
from uuid import UUID

from channels.db import database_sync_to_async
from django.utils import timezone

from game.engine.points import final_placement
from game.results.group_results import ended_tables
from game.tables.room import Room
from lobby.events import fixtures, teams
from lobby.events.registration import table_size_of
from lobby.events.results import CountedGame, games_of, names_of, standings_of
from lobby.events.standings import Result, Standings, StandingsRow
from lobby.models import Club, ClubGame, Event
from lobby.play.backend import Backend
from lobby.play.club_tables import counted_tables, table_ids_of

Item = dict[str, Any]
_RUNNING_FOR: Final = timedelta(hours=24)
_TENTH: Final = Decimal("0.1")


def event_item(club: Club, event: Event) -> Item:
    """Return the settings of an event."""
    return {
        "club": club.slug,
        "event": event.slug,
        "name": event.name,
        "format": event.format,
        "clock": event.clock,
        "time_zone": event.time_zone,
        "registration": event.registration,
        "max_entrants": event.max_entrants,
        "registration_ends_at": _format_moment(event.registration_ends_at),
        "ranking": event.ranking,
        "ties": event.ties,
        "table_size": table_size_of(event),
        "is_public": event.is_public,
        "watch": event.watch,
        "watch_delay_s": event.delay_s,
        **(_round_terms(event) if event.has_rounds else _season_terms(event)),
    }


def _season_terms(event: Event) -> Item:
    return {
        "starts_on": _format_moment(event.starts_on),
        "ends_on": _format_moment(event.ends_on),
        "min_games": event.min_games,
        "max_games": event.max_games,
        "best_games": event.best_games,
    }


def _round_terms(event: Event) -> Item:
    return {
        "starts_at": _format_moment(event.starts_at),
        "ends_at": _format_moment(event.ends_at),
        "rounds": event.rounds,
        "next_round_at": _format_moment(event.next_round_at),
        "method": event.method,
        "fill": event.fill,
        "no_show_minutes": event.no_show_minutes,
        "missed_points": str(event.missed_points),
    }


def player_items(event: Event) -> list[Item]:
    """Return the entrants. In an event without rounds, also return those who have played."""
    rows = event.entrants.select_related("person")
    items = [
        {
            "player": str(row.person_id),
            "name": row.person.name,
            "number": row.number,
            "is_withdrawn": row.is_withdrawn,
        }
        for row in rows
    ]
    if event.has_rounds:
        return items
    played = {result.player for game in games_of(event) for result in game.results}
    names = names_of(played - {item["player"] for item in items})
    return items + [
        {"player": key, "name": name, "number": None, "is_withdrawn": False}
        for key, name in names.items()
    ]


def round_items(event: Event) -> list[Item]:
    """Return the rounds with their tables."""
    rounds: dict[int, Item] = {}
    for table in table_items(event):
        if table["round"] is not None:
            one = rounds.setdefault(table["round"], {"round": table["round"], "tables": []})
            one["tables"].append(table)
    return list(rounds.values())


def table_items(event: Event) -> list[Item]:
    """Return all tables of rounds. In an event without rounds, return the games that are not void.
    `players` are by seat from East: None for a bot; the list is empty in an event without rounds.
    """
    ended = ended_tables(table_ids_of(event))
    if not event.has_rounds:
        games = ClubGame.objects.filter(event=event, table_id__in=counted_tables(event))
        return [
            {
                "table": game.table_id,
                "round": None,
                "number": None,
                "state": "finished" if game.table_id in ended else "running",
                "is_void": False,
                "players": [],
            }
            for game in games.order_by("opened_at", "pk")
        ]
    numbers = event.entrants.filter(number__isnull=False).values_list("number", "person")
    people = {number: str(person) for number, person in numbers}
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
            "is_void": row.is_void,
            "players": [people.get(number) for number in row.seats],
        }
        for row in event.tables.all()
    ]


def fixture_items(event: Event) -> list[Item]:
    """Return the tables of the event's list; none if the event has no list."""
    if not event.has_fixtures:
        return []
    return [
        {
            "number": fixture.number,
            "players": [str(player.pk) for player in fixture.players],
            "state": fixture.state,
            "table": fixture.table_id or None,
        }
        for fixture in fixtures.fixtures_of(event)
    ]


def game_items(event: Event) -> list[Item]:
    """Return the finished games that count, in the order in which they ended."""
    return [game_item(game) for game in games_of(event)]


def game_item(game: CountedGame) -> Item:
    return {
        "table": None if game.is_offline else game.table_id,
        "is_offline": game.is_offline,
        "ended_at": game.ended_at.isoformat(),
        "results": [
            {
                "player": result.player,
                "place": result.place,
                "score": game.scores[result.player],
                "points": str(result.points),
            }
            for result in sorted(game.results, key=lambda result: result.place)
        ],
    }


def standing_items(event: Event) -> list[Item]:
    """Return the standings after the finished games."""
    standings = standings_of(event)
    return [row_item(row, standings) for row in standings.rows]


def team_items(event: Event, players: Sequence[StandingsRow] | None = None) -> list[Item]:
    """Return the standings of the teams after the finished games. `players` are the standings of
    the players if they have been computed already."""
    if players is None:
        players = standings_of(event).rows
    rows, known = teams.team_rows(event, players)
    return [
        {
            "place": row.place,
            "name": known[row.player][0].name,
            "players": [str(player.pk) for player in known[row.player][1]],
            **_row_sums(row),
        }
        for row in rows
    ]


async def provisional_items(backend: Backend, event: Event) -> list[Item]:
    """Return the standings as if all running games that can be watched ended now."""
    running = await provisional_results(backend, event)
    standings = await database_sync_to_async(standings_of)(event, running)
    return [row_item(row, standings) for row in standings.rows]


def row_item(row: StandingsRow, standings: Standings) -> Item:
    return {
        "place": row.place,
        "name": standings.names.get(row.player, ""),
        "player": row.player,
        "is_withdrawn": row.player in standings.withdrawn,
        **_row_sums(row),
    }


def _row_sums(row: StandingsRow) -> Item:
    return {
        "played": row.played,
        "counted": row.counted,
        "points": str(row.points),
        "deducted": str(row.deducted),
        "missed_rounds": row.absence.missed,
        "missed_points": str(row.absence.missed_points),
        "sat_out_rounds": row.absence.sat_out,
        "sat_out_points": str(row.absence.sat_out_points),
        "mean_place": f"{float(row.mean_place):.3f}",
        "places": row.places,
    }


def meeting_items(event: Event) -> list[Item]:
    """Return each pair of players with the number of finished games in which they have met."""
    met = sorted((sorted(pair), count) for pair, count in meetings_of(event).items())
    return [{"players": pair, "games": count} for pair, count in met]


def meetings_of(event: Event) -> Counter[frozenset[str]]:
    """Count for each pair of players the finished games in which they have met."""
    return Counter(
        frozenset(pair)
        for game in games_of(event)
        for pair in combinations([result.player for result in game.results], 2)
    )


@dataclass(frozen=True, slots=True)
class PointsByRound:
    """The points of each player by round. In an event without rounds, by the player's first,
    second, ... game.
    """

    columns: list[int]
    """The numbers of the rounds, or of the games of each player."""
    rows: dict[str, list[Decimal | None]]
    """The points of each player, one for each column; None for no game."""


def points_by_round(event: Event) -> PointsByRound:
    """Return the points of the finished games that count. Games at real tables that belong to no
    round get columns behind the last round, in the order in which the player played them.
    """
    rounds: dict[str, int] = {}
    if event.has_rounds:
        rows = event.tables.values_list("table_id", "round")
        rounds = dict(rows)
        numbers = event.offline_games.filter(round__isnull=False).values_list("pk", "round")
        rounds |= {f"offline-{key}": number or 0 for key, number in numbers}
    last_round = max(rounds.values(), default=0)
    sums: defaultdict[str, dict[int, Decimal]] = defaultdict(dict)
    for game in games_of(event):
        for result in game.results:
            own = sums[result.player]
            column = rounds.get(game.table_id, max([last_round, *own]) + 1)
            own[column] = own.get(column, Decimal(0)) + result.points
    columns = list(range(1, max((max(own) for own in sums.values()), default=0) + 1))
    return PointsByRound(
        columns, {player: [own.get(column) for column in columns] for player, own in sums.items()}
    )


async def provisional_results(backend: Backend, event: Event) -> list[list[Result]]:
    """Return the results that the running games would have if they ended now. Leave out games that
    spectators do not see live, and games in which no points have changed hands.
    """
    if not event.has_rounds:
        games = ClubGame.objects.filter(
            table_id__in=counted_tables(event), opened_at__gt=timezone.now() - _RUNNING_FOR
        )
        ids = [table_id async for table_id in games.values_list("table_id", flat=True)]
        return [
            _present_results(
                room, [str(UUID(seat.person)) if seat.person else None for seat in seats]
            )
            for room in [await _find_scored_room(backend, table_id) for table_id in ids]
            if room is not None and (seats := room.meta.seats)
        ]
    found = list[list[Result]]()
    for table in await database_sync_to_async(table_items)(event):
        if table["state"] == "running" and not table["is_void"]:
            room = await _find_scored_room(backend, table["table"])
            if room is not None:
                found.append(_present_results(room, table["players"]))
    return found


async def _find_scored_room(backend: Backend, table_id: str) -> Room | None:
    """Return the table if its game is running, spectators see it live, and scores differ or a
    chombo was given. Otherwise all would be first: return None.
    """
    room = await backend.tables.room(table_id)
    if room is None or backend.tables.is_over(room) or not room.meta.settings.is_shown_live:
        return None
    return room if len(set(room.table.scores)) > 1 or any(room.table.chombos) else None


def _present_results(room: Room, players: Sequence[str | None]) -> list[Result]:
    """Return the results that these players, by seat, would have if the game ended now."""
    table = room.table
    _, placement = final_placement(table.rules, table.scores, table.kyotaku, table.chombos)
    return [
        Result(player, place, Decimal(str(points)).quantize(_TENTH))
        for player, (place, points) in zip(players, placement, strict=True)
        if player
    ]


def places_of(event: Event) -> dict[str, int]:
    """Map each person with a place in the standings to that place."""
    rows = standings_of(event).rows
    return {row.player: row.place for row in rows if row.place is not None}


def _format_moment(when: Any) -> str | None:
    return when.isoformat() if when else None
