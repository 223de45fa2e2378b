"""Computes the standings of an event and of its teams from the results of its games. They are never
stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Final, Literal

from game.engine.by_seat import BySeat

Ranking = Literal["points", "places"]
TieBreak = Literal["places", "points", "firsts", "best"]
"""A criterion: average place, sum of points, number of first places, or points of the best game."""
TIE_BREAKS: Final[tuple[TieBreak, ...]] = ("places", "points", "firsts", "best")
"""The criteria, in order, that decide between equal players in events in which they do not share a
place."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one player in one game. `points` are thousands, with uma and oka."""

    player: str
    place: int
    points: Decimal


@dataclass(frozen=True, slots=True)
class Terms:
    """How the results of a season count. 0 stands for no limit."""

    ranking: Ranking
    min_games: int = 0
    max_games: int = 0
    best_games: int = 0
    table_size: int = 4
    """The number of places of a game."""
    tie_breaks: tuple[TieBreak, ...] = ()
    """The criteria that decide between equal players. Players who are equal in all of them share a
    place."""


@dataclass(frozen=True, slots=True)
class Absence:
    """The number of rounds in which a player had no seat, and the points given for them."""

    missed: int = 0
    """Rounds before a late entry, or between withdrawal and return."""
    missed_points: Decimal = Decimal(0)
    sat_out: int = 0
    """Rounds that lacked a seat, so that the player sat out by turns."""
    sat_out_points: Decimal = Decimal(0)

    @property
    def points(self) -> Decimal:
        return self.missed_points + self.sat_out_points


NO_ABSENCE: Final = Absence()


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A line of the standings."""

    place: int | None
    """The place of the player; None with fewer than the least number of games."""
    player: str
    played: int
    """The number of all games of the player."""
    counted: int
    """The number of games that count for `points` and `mean_place`."""
    points: Decimal
    mean_place: Fraction
    places: BySeat[int]
    """How often the player was first, second and so on in the counted games."""
    deducted: Decimal = Decimal(0)
    """The penalties of the player, already subtracted in `points`."""
    absence: Absence = NO_ABSENCE
    """Its points are already in `points`."""
    best: Decimal = Decimal(0)
    """The points of the best counted game."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings of an event after its finished games."""

    rows: list[StandingsRow]
    names: dict[str, str]
    """The names of the players by id; '' for a deleted account."""
    games: int
    disputed: frozenset[str] = frozenset()
    """Players with a provisional result: an official has not yet decided a dispute."""
    withdrawn: frozenset[str] = frozenset()
    """Players who take part in no further rounds."""


def event_standings(
    games: Sequence[Sequence[Result]],
    terms: Terms,
    penalties: Mapping[str, Decimal] | None = None,
    absences: Mapping[str, Absence] | None = None,
) -> list[StandingsRow]:
    """Return the standings after these games, which are sorted by their end.

    The first `max_games` of a player count, and of these the best `best_games`: those with the most
    points, or by average place those with the best places. Equal players share a place, unless
    `tie_breaks` decide. Players with fewer than `min_games`, or none, are listed last, without a
    place. `penalties` are subtracted from the points of these players, also of one who has no game
    yet. `absences` are the rounds without a seat of these players.
    """
    penalties, absences = penalties or {}, absences or {}
    results: dict[str, list[Result]] = {player: [] for player in (*penalties, *absences)}
    for game in games:
        for result in game:
            results.setdefault(result.player, []).append(result)
    rows = [
        _player_row(
            player,
            own,
            terms,
            penalties.get(player, Decimal(0)),
            absences.get(player, NO_ABSENCE),
        )
        for player, own in results.items()
    ]
    return _assign_places(rows, terms, max(1, terms.min_games))


def team_standings(
    rows: Sequence[StandingsRow], teams: Mapping[str, Collection[str]], terms: Terms
) -> list[StandingsRow]:
    """Return the standings of teams, from the `rows` of the players: the sum of their counted
    points, or the average place in all these games. `teams` maps each key to the team's players;
    `player` of a row is the key.

    Games of players with fewer than `min_games` count, too. A team without games comes last,
    without a place. Equal teams share a place, or `tie_breaks` decide, as for players.
    """
    by_player = {row.player: row for row in rows}
    sums = [
        _team_row(team, [by_player[player] for player in players if player in by_player], terms)
        for team, players in teams.items()
    ]
    return _assign_places(sums, terms, 1)


def _team_row(team: str, rows: Sequence[StandingsRow], terms: Terms) -> StandingsRow:
    counted = sum(row.counted for row in rows)
    return StandingsRow(
        None,
        team,
        sum(row.played for row in rows),
        counted,
        sum((row.points for row in rows), Decimal(0)),
        sum((row.mean_place * row.counted for row in rows), Fraction(0)) / max(1, counted),
        tuple(sum(row.places[at] for row in rows) for at in range(terms.table_size)),
        sum((row.deducted for row in rows), Decimal(0)),
        Absence(
            sum(row.absence.missed for row in rows),
            sum((row.absence.missed_points for row in rows), Decimal(0)),
            sum(row.absence.sat_out for row in rows),
            sum((row.absence.sat_out_points for row in rows), Decimal(0)),
        ),
        max((row.best for row in rows), default=Decimal(0)),
    )


def _assign_places(rows: list[StandingsRow], terms: Terms, least: int) -> list[StandingsRow]:
    """Sort the rows and give them places. Rows with fewer games than `least` get none."""
    rows.sort(key=lambda row: (row.played < least, _sort_key(row, terms), row.player))
    placed = list[StandingsRow]()
    for at, row in enumerate(rows, start=1):
        if row.played < least:
            placed.append(row)
            continue
        before = placed[-1] if placed else None
        is_tied = before is not None and _sort_key(before, terms) == _sort_key(row, terms)
        place = before.place if is_tied and before is not None else at
        placed.append(replace(row, place=place))
    return placed


def _player_row(
    player: str, results: Sequence[Result], terms: Terms, deducted: Decimal, absence: Absence
) -> StandingsRow:
    counted = list(results[: terms.max_games or None])
    if terms.ranking == "points":
        counted.sort(key=lambda result: -result.points)
    else:
        counted.sort(key=lambda result: (result.place, -result.points))
    counted = counted[: terms.best_games or None]
    return StandingsRow(
        None,
        player,
        len(results),
        len(counted),
        sum((result.points for result in counted), absence.points - deducted),
        Fraction(sum(result.place for result in counted), max(1, len(counted))),
        tuple(
            sum(result.place == place for result in counted)
            for place in range(1, 1 + terms.table_size)
        ),
        deducted,
        absence,
        max((result.points for result in counted), default=Decimal(0)),
    )


def _sort_key(row: StandingsRow, terms: Terms) -> tuple[Decimal | Fraction | int, ...]:
    """Return the sort key of the row: the smallest is the best."""
    return tuple(
        _criterion_value(row, criterion) for criterion in (terms.ranking, *terms.tie_breaks)
    )


def _criterion_value(row: StandingsRow, criterion: TieBreak) -> Decimal | Fraction | int:
    match criterion:
        case "points":
            return -row.points
        case "places":
            return row.mean_place
        case "firsts":
            return -row.places[0]
        case "best":
            return -row.best
