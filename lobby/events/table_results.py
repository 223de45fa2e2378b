"""Computes the counted results of a tournament's games, with replacements, corrected scores, void
games, penalties and disputes.

A result counts for the entrant who is assigned to the seat, even if a replacement played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

import msgspec
from django.db.models import Q
from django.utils.translation import gettext as _

from game.engine.by_seat import BySeat
from game.engine.points import final_placement
from game.engine.rules import RuleSet
from game.results.game_text import player_name
from game.results.group_results import GameResults, counted_games
from lobby.clubs.members import OFFICERS, is_officer
from lobby.events.offline import counted_offline
from lobby.events.standings import Result
from lobby.models import ClubGame, Dispute, Entrant, Membership, Penalty, RoundTable, Tournament


async def is_official(table_id: str, person: str) -> bool:
    """Return whether that person is an official of the event to which the game of that table
    belongs. Other games of a club have no officials."""
    in_event = Q(league__isnull=False) | Q(
        table_id__in=RoundTable.objects.filter(table_id=table_id).values("table_id")
    )
    clubs = ClubGame.objects.filter(in_event, table_id=table_id).values("club")
    members = Membership.objects.filter(club__in=clubs, person=person, role__in=OFFICERS)
    found = await members.select_related("club", "person").afirst()
    return found is not None and await is_officer(found.club, found.person)


class ScoresRefused(ValueError):
    """The corrected scores are not possible. The text is a code of `director_views`."""


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A finished game that counts, with the results of the players of the event."""

    table_id: str
    ended_at: datetime
    results: list[Result]
    scores: dict[str, int]
    """The scores by player."""
    is_offline: bool = False
    """Whether it was played at a real table. `table_id` names no game then."""


def counted_game(game: GameResults) -> CountedGame:
    """Return the game with its results unchanged."""
    people = [seat for seat in game.seats if seat.person_id is not None]
    return CountedGame(
        game.table_id,
        game.ended_at,
        [Result(str(seat.person_id), seat.place, seat.points) for seat in people],
        {str(seat.person_id): seat.score for seat in people},
        game.is_offline,
    )


async def results_of(tournament: Tournament) -> list[list[Result]]:
    """Return the results of the entrants in each finished game that counts, in the order in which
    the games ended. Bots that fill the tables have none."""
    return [game.results for game in await games_of(tournament)]


async def games_of(tournament: Tournament) -> list[CountedGame]:
    """Return the finished games that count, those at real tables too, in the order in which they
    ended."""
    rows = {
        row.table_id: row
        async for row in RoundTable.objects.filter(tournament=tournament, is_void=False)
    }
    players = {
        number: str(person)
        async for number, person in Entrant.objects.filter(
            tournament=tournament, number__isnull=False
        ).values_list("number", "person")
        if number is not None
    }
    tables = RoundTable.objects.filter(tournament=tournament, is_void=False)
    games = await counted_games(tables.values_list("table_id", flat=True), with_bots=True)
    rules = msgspec.convert(tournament.rules, RuleSet)
    found = [_counted(rows[game.table_id], game, players, rules) for game in games]
    found += [counted_game(game) for game in await counted_offline(tournament)]
    return sorted(found, key=lambda game: game.ended_at)


async def final_scores(tournament: Tournament) -> dict[str, list[int]]:
    """Return the scores of the games that were played to their end, by table id and seat. Corrected
    scores replace those of the game. Void games are left out."""
    rows = RoundTable.objects.filter(tournament=tournament, is_void=False)
    corrected = {row.table_id: row.scores async for row in rows}
    games = await counted_games(rows.values_list("table_id", flat=True), with_bots=True)
    return {
        game.table_id: corrected[game.table_id] or [seat.score for seat in game.seats]
        for game in games
    }


def seated_names(row: RoundTable, names: dict[int, str]) -> list[str]:
    """Return the name at each seat: the entrant, a substitute member, or a bot. `names` has the
    entrants by number."""
    return [_seated_name(row, at, names) for at in range(len(row.seats))]


def named_result(
    row: RoundTable, names: dict[int, str], scores: dict[str, list[int]]
) -> list[tuple[str, int]]:
    """Return names and scores of the table, the highest score first. `scores` are those of
    `final_scores`. Return an empty list if they lack the table."""
    seats = zip(seated_names(row, names), scores.get(row.table_id, ()), strict=False)
    return sorted(seats, key=lambda seat: -seat[1])


def _seated_name(row: RoundTable, at: int, names: dict[int, str]) -> str:
    known = names.get(row.seats[at])
    taken = row.replacements.get(str(at))
    return known or (player_name(taken["name"]) if taken is not None else _("bot"))


async def names_by_number(tournament: Tournament) -> dict[int, str]:
    """Return the names of the entrants by number."""
    entrants = Entrant.objects.filter(tournament=tournament, number__isnull=False)
    return {
        entrant.number: player_name(entrant.person.name)
        async for entrant in entrants.select_related("person")
        if entrant.number is not None
    }


async def penalty_points_of(tournament: Tournament) -> dict[str, Decimal]:
    """Return the points of all penalties by player."""
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    rows = Penalty.objects.filter(tournament=tournament, is_cancelled=False)
    async for person, points in rows.values_list("entrant__person", "points"):
        sums[str(person)] += points
    return dict(sums)


async def disputed_players(tournament: Tournament) -> frozenset[str]:
    """Return the players of games with an undecided dispute."""
    rows = Dispute.objects.filter(table__tournament=tournament, decision="", table__is_void=False)
    tables = [seats async for seats in rows.values_list("table__seats", flat=True)]
    numbers = {number for seats in tables for number in seats}
    entrants = Entrant.objects.filter(tournament=tournament, number__in=numbers)
    return frozenset([str(person) async for person in entrants.values_list("person", flat=True)])


def corrected_points(
    rules: RuleSet, game: GameResults, scores: BySeat[int]
) -> list[tuple[int, Decimal]]:
    """Return the place and points of each seat with these scores. Points that the rules have
    subtracted after the game, such as for a chombo, stay subtracted."""
    _, before = final_placement(rules, tuple([seat.score for seat in game.seats]), 0)
    _, after = final_placement(rules, scores, 0)
    points = list[tuple[int, Decimal]]()
    for seat, (_, was), (place, now) in zip(game.seats, before, after, strict=True):
        chombos = 0
        if rules.chombo == "after_game" and rules.chombo_points:
            chombos = round((Decimal(str(was)) - seat.points) * 1000 / rules.chombo_points)
        subtracted = Decimal(max(0, chombos) * rules.chombo_points) / 1000
        points.append((place, Decimal(str(now)) - subtracted))
    return points


def check_scores(game: GameResults, scores: Sequence[int]) -> None:
    """Raise ScoresRefused unless the scores are full hundreds with the sum that the game had."""
    if len(scores) != len(game.seats) or any(score % 100 for score in scores):
        raise ScoresRefused("scores")
    if sum(scores) != sum(seat.score for seat in game.seats):
        raise ScoresRefused("sum")


def _counted(
    row: RoundTable, game: GameResults, players: dict[int, str], rules: RuleSet
) -> CountedGame:
    placed = [(seat.place, seat.points) for seat in game.seats]
    if row.scores is not None:
        placed = corrected_points(rules, game, tuple(row.scores))
    results = list[Result]()
    for at, (number, (place, points)) in enumerate(zip(row.seats, placed, strict=True)):
        replaced = row.replacements.get(str(at))
        if number in players:
            counted = points if replaced is None else Decimal(replaced["points"])
            results.append(Result(players[number], place, counted))
    counted_scores = row.scores or [seat.score for seat in game.seats]
    scores = {
        players[number]: score
        for number, score in zip(row.seats, counted_scores, strict=True)
        if number in players
    }
    return CountedGame(game.table_id, game.ended_at, results, scores)
