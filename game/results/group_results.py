"""Reads the finished games of a group, such as a club: their list, and the figures and ratings of
its players.

A group is given as a query of table ids. The ratings of a group are computed from all of its games,
and are independent of the ladders.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Max, Q, QuerySet, Sum

from game.models import Game, GameSeat, Player
from game.results.game_text import (
    bot_level,
    format_number,
    format_signed,
    player_name,
    rules_name,
)
from game.results.history import GAMES_PER_PAGE, can_see
from game.results.ladders import (
    MU,
    SIGMA,
    Absence,
    Skill,
    displayed_rating,
    rating_ranks,
    skills_after_game,
)

TableIds = QuerySet[Any, Any]
Sums = dict[int, dict[UUID, dict[str, Any]]]
"""The sums of results by number of players and person."""
_CACHED_GROUPS: Final = 64
_ONE_DECIMAL: Final = Decimal("0.1")
_skills_cache: dict[tuple[str, int, int | None], dict[UUID, Skill]] = {}
"""The skills of groups, by absence, number of seats and last seat. The last seat tells groups
apart, since a game is in one group at most."""


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """A person's result in a game, for the ratings."""

    person: UUID
    place: int
    is_absent: bool


@dataclass(frozen=True, slots=True)
class GameResults:
    """A finished game that counts, with the results of the players who began it, by seat."""

    table_id: str
    ended_at: datetime
    seats: tuple[GameSeat, ...]
    is_offline: bool = False
    """Whether the game was played at a real table. `table_id` names no game then."""


def games_page(tables: TableIds, person: str, page: int) -> tuple[list[dict[str, Any]], bool]:
    """Return one page of the games as rows, the latest first, and whether there are more. A row's
    `can_open` says whether that person may see the game's page."""
    first = (page - 1) * GAMES_PER_PAGE
    games = Game.objects.filter(pk__in=tables).defer("hands").prefetch_related("seats", "players")
    found = list(games[first : first + GAMES_PER_PAGE + 1])
    rows = [_game_row(game, can_see(game, person)) for game in found[:GAMES_PER_PAGE]]
    return rows, len(found) > GAMES_PER_PAGE


def sum_results(tables: TableIds) -> Sums:
    """Sum the results of everybody who has finished a game of the group, by number of players and
    person."""
    rows: Any = (
        _counted_seats(tables)
        .order_by()
        .values("seat_count", "person_id")
        .annotate(
            games=Count("pk"),
            sum_of_places=Sum("place"),
            sum_of_points=Sum("points"),
            firsts=Count("pk", filter=Q(place=1)),
        )
    )
    sums: Sums = {}
    for row in rows:
        sums.setdefault(row["seat_count"], {})[row["person_id"]] = dict(row)
    return sums


def player_rows(tables: TableIds, players: int, sums: Sums) -> list[dict[str, Any]]:
    """Return a row with figures and group rating for each person who has finished a game with
    `players` players in the group, by rating. Deleted accounts are left out. `sums` is the result
    of `sum_results`."""
    found = sums.get(players, {})
    skills = _group_skills(_counted_seats(tables).filter(seat_count=players))
    known = Player.objects.filter(pk__in=list(found), is_forgotten=False)
    rows = [
        _player_row(player, found[player.person_id], skills.get(player.person_id))
        for player in known
    ]
    return sorted(rows, key=lambda row: (-row["rating"], -row["games"], row["name"]))


def counted_games(tables: TableIds, *, with_bots: bool = False) -> list[GameResults]:
    """Return the games that were played to their end, in the order in which they ended. Seats of
    bots are left out unless `with_bots`."""
    games = Game.objects.filter(pk__in=tables, is_broken_off=False).defer("hands")
    rows = games.order_by("ended_at", "pk").prefetch_related("seats")
    return [_game_results(game, with_bots=with_bots) for game in rows]


def find_counted_game(table_id: str) -> GameResults | None:
    """Return that game, seats of bots included; None if it is not over or was broken off."""
    game = Game.objects.filter(pk=table_id, is_broken_off=False).defer("hands").first()
    return None if game is None else _game_results(game, with_bots=True)


def game_ends(tables: TableIds) -> dict[str, bool]:
    """Map the ids of the tables whose games have ended to whether the game was broken off."""
    return dict(Game.objects.filter(pk__in=tables).values_list("pk", "is_broken_off"))


def is_broken_off(table_id: str) -> bool:
    """Return whether that game has ended before its end by the rules."""
    return Game.objects.filter(pk=table_id, is_broken_off=True).exists()


def _game_results(game: Game, *, with_bots: bool) -> GameResults:
    seats = sorted(game.seats.all(), key=lambda seat: seat.seat)
    return GameResults(
        game.pk, game.ended_at, tuple(seat for seat in seats if with_bots or seat.person_id)
    )


def ended_tables(tables: TableIds) -> frozenset[str]:
    """Return the ids of the tables whose games have ended, also those broken off."""
    rows = Game.objects.filter(pk__in=tables).values_list("pk", flat=True)
    return frozenset(rows)


def count_games(tables: TableIds, person: str) -> int:
    """Return how many of these games that person played from beginning to end."""
    seats = GameSeat.objects.filter(game__in=tables, person_id=UUID(person), is_broken_off=False)
    return seats.count()


def skills_of(games: Sequence[Sequence[RatedSeat]], absence: Absence) -> dict[UUID, Skill]:
    """Compute the skill of each person after these games, given in the order in which they were
    played. A game with fewer than two people changes nothing."""
    skills: defaultdict[UUID, Skill] = defaultdict(lambda: (MU, SIGMA))
    for seats in games:
        if len(seats) < 2:
            continue
        ranks = rating_ranks(
            [seat.place for seat in seats], [seat.is_absent for seat in seats], absence
        )
        after = skills_after_game([skills[seat.person] for seat in seats], ranks)
        skills.update(zip([seat.person for seat in seats], after, strict=True))
    return dict(skills)


def _counted_seats(tables: TableIds) -> QuerySet[GameSeat]:
    """Return the seats of people in those of the games that were not broken off."""
    seats = GameSeat.objects.filter(game__in=tables)
    return seats.filter(is_broken_off=False, person_id__isnull=False)


def _group_skills(seats: QuerySet[GameSeat]) -> dict[UUID, Skill]:
    """Return the skill of each person after all games of the group with these seats. The result is
    cached in this process until a game is added or removed."""
    state = seats.aggregate(count=Count("pk"), last=Max("pk"))
    absence: Absence = "last" if settings.RATED_ABSENCE == "last" else "as_played"
    key = absence, state["count"], state["last"]
    skills = _skills_cache.get(key)
    if skills is None:
        skills = _skills_cache[key] = _compute_skills(seats, absence)
        while len(_skills_cache) > _CACHED_GROUPS:
            del _skills_cache[next(iter(_skills_cache))]
    return skills


def _compute_skills(seats: QuerySet[GameSeat], absence: Absence) -> dict[UUID, Skill]:
    rows = seats.order_by("game__ended_at", "game_id", "seat").values_list(
        "game_id", "person_id", "place", "is_absent"
    )
    games = [
        [
            RatedSeat(person, place, is_absent)
            for _, person, place, is_absent in group
            if person is not None
        ]
        for _, group in groupby(rows.iterator(), key=lambda row: row[0])
    ]
    return skills_of(games, absence)


def _player_row(player: Player, sums: dict[str, Any], skill: Skill | None) -> dict[str, Any]:
    games = sums["games"]
    mean_points = (sums["sum_of_points"] / games).quantize(_ONE_DECIMAL)
    return {
        "person": player.person_id,
        "name": player.name,
        "is_listed": player.is_listed,
        "rating": displayed_rating(skill or (MU, SIGMA)),
        "games": games,
        "firsts": sums["firsts"],
        "mean_place": format_number(Fraction(sums["sum_of_places"], games), 2),
        "mean_points": format_signed(mean_points, 1),
        "points": format_signed(sums["sum_of_points"].quantize(_ONE_DECIMAL), 1),
    }


def _game_row(game: Game, can_open: bool) -> dict[str, Any]:
    seats = sorted(game.seats.all(), key=lambda seat: seat.place)
    return {
        "table_id": game.pk,
        "ended_at": game.ended_at,
        "rules": rules_name(game.rules, game.preset),
        "is_broken_off": game.is_broken_off,
        "can_open": can_open,
        "seats": [
            {
                "place": seat.place,
                "name": player_name(seat.name) if not seat.bot else seat.name,
                "bot": bool(seat.bot),
                "level": bot_level(seat.bot),
                "points": "" if game.is_broken_off else format_signed(seat.points, 1),
            }
            for seat in seats
        ],
    }
