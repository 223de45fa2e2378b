"""Leagues of clubs: find, make and change one, who may play in it, its standings.

The standings follow from the finished games each time (`lobby.events.standings`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from django.db.models import QuerySet

from game.results.group_results import GameResults, counted_games
from lobby.events.offline import counted_offline
from lobby.events.rulings import disputed_players, penalty_points_of
from lobby.events.standings import TIE_BREAKS, Ranking, Result, Standings, Terms, league_standings
from lobby.models import Club, ClubGame, League, Person
from lobby.play.club_tables import games_of_league


async def leagues_of(club: Club) -> list[League]:
    """Return the leagues of the club, the latest first."""
    return [league async for league in League.objects.filter(club=club)]


def league_tables(league: League) -> QuerySet[ClubGame, Any]:
    """Return the ids of the games of the league, for a query of finished games."""
    return games_of_league(league).values_list("table_id", flat=True)


async def games_of(league: League) -> list[GameResults]:
    """Return the finished games that count, in the order in which they ended; those at real tables
    too."""
    games = await counted_games(league_tables(league)) + await counted_offline(league)
    return sorted(games, key=lambda game: game.ended_at)


async def standings_of(
    league: League,
    running: Sequence[Sequence[Result]] = (),
    *,
    games: Sequence[GameResults] | None = None,
) -> Standings:
    """Return the standings after all finished games, and after these `running` ones. `games` are
    the finished games if they have been read already."""
    if games is None:
        games = await games_of(league)
    results = [
        [
            Result(str(seat.person_id), seat.place, seat.points)
            for seat in game.seats
            if seat.person_id is not None
        ]
        for game in games
    ]
    penalties = await penalty_points_of(league)
    rows = league_standings([*results, *running], terms_of(league), penalties)
    names = await names_of(row.player for row in rows)
    return Standings(rows, names, len(games), await disputed_players(league))


def terms_of(league: League) -> Terms:
    """Return the rules by which its results count."""
    return Terms(
        ranking=cast("Ranking", league.ranking),
        min_games=league.min_games,
        max_games=league.max_games,
        best_games=league.best_games,
        tie_breaks=TIE_BREAKS if league.ties == "broken" else (),
    )


async def names_of(people: Iterable[str]) -> dict[str, str]:
    """Return the present names of these people; '' for deleted accounts. People who have only
    played at real tables have names, too."""
    rows = Person.objects.filter(pk__in=list(people)).values_list("pk", "name")
    return {str(person): name async for person, name in rows}
