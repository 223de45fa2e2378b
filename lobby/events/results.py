"""Reads the results of an event that count: finished games without void ones, with replacements and
corrected scores, and the points of penalties.

A result counts for the entrant who is assigned to the seat, even if a replacement played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import cast

from django.utils.translation import gettext as _

from game.engine.by_seat import BySeat
from game.engine.points import final_placement
from game.engine.rules import RuleSet
from game.results.game_text import player_name
from game.results.group_results import GameResults, counted_games
from lobby.clubs.members import OFFICERS, is_officer
from lobby.events.offline import counted_offline
from lobby.events.registration import rules_of, table_size_of
from lobby.events.standings import (
    TIE_BREAKS,
    Absence,
    Ranking,
    Result,
    Standings,
    Terms,
    event_standings,
)
from lobby.models import ClubGame, Event, EventTable, Membership, Person, Ruling
from lobby.play.club_tables import counted_tables


def is_official(table_id: str, person: str) -> bool:
    """Return whether that person is an official of the event to which the game of that table
    belongs. Other games of a club have no officials."""
    clubs = ClubGame.objects.filter(event__isnull=False, table_id=table_id).values("club")
    members = Membership.objects.filter(club__in=clubs, person=person, role__in=OFFICERS)
    found = members.select_related("club", "person").first()
    return found is not None and is_officer(found.club, found.person)


class ScoresRefused(ValueError):
    """The corrected scores are not possible. The text is a code of `NOTES` in
    `lobby.events.notes`."""


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


def games_of(event: Event) -> list[CountedGame]:
    """Return the finished games that count, those at real tables too, in the order in which they
    ended. Bots have no results."""
    games = counted_games(counted_tables(event), with_bots=True)
    seats = _assigned_seats(event)
    corrected = _corrected_scores(event)
    rules = rules_of(event)
    found = [
        _counted_game(game, seats.get(game.table_id), corrected.get(game.table_id), rules)
        for game in games
    ]
    found += [_counted_game(game, None, None, rules) for game in counted_offline(event)]
    return sorted(found, key=lambda game: game.ended_at)


def terms_of(event: Event) -> Terms:
    """Return the rules by which results of the event count."""
    return Terms(
        ranking=cast("Ranking", event.ranking),
        min_games=event.min_games,
        max_games=event.max_games,
        best_games=event.best_games,
        table_size=table_size_of(event),
        tie_breaks=TIE_BREAKS if event.ties == "broken" else (),
    )


def standings_of(
    event: Event,
    running: Sequence[Sequence[Result]] = (),
    *,
    games: Sequence[CountedGame] | None = None,
) -> Standings:
    """Return the standings, with penalties, after all finished games that count and after the
    `running` ones. `games` are the finished games, if the caller has read them already.
    """
    if games is None:
        games = games_of(event)
    results = [game.results for game in games]
    penalties, absences = penalty_points_of(event), _absences(event)
    rows = event_standings([*results, *running], terms_of(event), penalties, absences)
    withdrawn = set[str]()
    if event.has_rounds:
        entrants = {str(entrant.person_id): entrant for entrant in event.entrants.all()}
        rows = [row for row in rows if row.player in entrants]
        withdrawn = {player for player, entrant in entrants.items() if entrant.is_withdrawn}
    names = names_of(row.player for row in rows)
    waiting = event.disputes.filter(decision="").values_list("game", flat=True)
    disputed = set(waiting)
    return Standings(
        rows,
        names,
        len(games),
        frozenset(
            result.player for game in games if game.table_id in disputed for result in game.results
        ),
        frozenset(withdrawn),
    )


def names_of(people: Iterable[str]) -> dict[str, str]:
    """Return the present names of these people; '' for deleted accounts. People who have only
    played at real tables have names, too."""
    rows = Person.objects.filter(pk__in=list(people)).values_list("pk", "name")
    return {str(person): name for person, name in rows}


def penalty_points_of(event: Event) -> dict[str, Decimal]:
    """Return the sum of the penalties by player."""
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    rows = event.rulings.filter(
        kind__in=Ruling.WITH_POINTS, is_cancelled=False, person__isnull=False
    )
    for person, points in rows.exclude(points=0).values_list("person", "points"):
        sums[str(person)] += points
    return dict(sums)


def _absences(event: Event) -> dict[str, Absence]:
    """Map each player to the rounds without a seat, and to the points given for them at
    that time.
    """
    rows = event.rulings.filter(kind=Ruling.LATE, person__isnull=False)
    points: defaultdict[str, Decimal] = defaultdict(Decimal)
    for person, subtracted in rows.values_list("person", "points"):
        points[str(person)] -= subtracted
    return {
        str(row.person_id): Absence(
            row.missed_rounds,
            points[str(row.person_id)],
            len(row.sat_out_rounds),
            row.sat_out_points,
        )
        for row in event.entrants.all()
        if row.missed_rounds or row.sat_out_rounds
    }


def final_scores(event: Event) -> dict[str, list[int]]:
    """Map the table id of each game that was played to its end to its scores by seat. Corrected
    scores replace those of the game. Void games are left out.
    """
    corrected = _corrected_scores(event)
    games = counted_games(counted_tables(event), with_bots=True)
    return {
        game.table_id: corrected.get(game.table_id) or [seat.score for seat in game.seats]
        for game in games
    }


def seated_names(row: EventTable, names: dict[int, str]) -> list[str]:
    """Return the name at each seat: the entrant, a substitute member, or a bot. `names` has the
    entrants by number."""
    return [_seated_name(row, at, names) for at in range(len(row.seats))]


def named_result(
    row: EventTable, names: dict[int, str], scores: dict[str, list[int]]
) -> list[tuple[str, int]]:
    """Return the names and scores at the table, the highest score first. `scores` is the result of
    `final_scores`. Return [] if it lacks the table.
    """
    seats = zip(seated_names(row, names), scores.get(row.table_id, ()), strict=False)
    return sorted(seats, key=lambda seat: -seat[1])


def _seated_name(row: EventTable, at: int, names: dict[int, str]) -> str:
    known = names.get(row.seats[at])
    taken = row.replacements.get(str(at))
    return known or (player_name(taken["name"]) if taken is not None else _("bot"))


def names_by_number(event: Event) -> dict[int, str]:
    """Return the names of the entrants by number."""
    entrants = event.entrants.filter(number__isnull=False)
    return {
        entrant.number: player_name(entrant.person.name)
        for entrant in entrants.select_related("person")
        if entrant.number is not None
    }


def corrected_points(
    rules: RuleSet, game: GameResults, scores: BySeat[int]
) -> list[tuple[int, Decimal]]:
    """Return the place and points of each seat with the corrected scores. Points that the rules
    subtract after the game, such as for a chombo, stay subtracted.
    """
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
    """Raise ScoresRefused unless the scores are full hundreds and have the same sum as the scores
    of the game.
    """
    if len(scores) != len(game.seats) or any(score % 100 for score in scores):
        raise ScoresRefused("scores")
    if sum(scores) != sum(seat.score for seat in game.seats):
        raise ScoresRefused("sum")


_Assigned = list[tuple[str | None, Decimal | None]]
"""By seat the player for whom the result counts, None for a bot, and the fixed points if somebody
else has played."""


def _assigned_seats(event: Event) -> dict[str, _Assigned]:
    """Map the table id of each table of rounds to its seats: the id of the assigned entrant, None
    for none, and the fixed points if somebody else plays.
    """
    if not event.has_rounds:
        return {}
    numbers = event.entrants.filter(number__isnull=False).values_list("number", "person")
    players = {number: str(person) for number, person in numbers}
    return {
        row.table_id: [
            (players.get(number), _replacement_points(row, at))
            for at, number in enumerate(row.seats)
        ]
        for row in event.tables.all()
    }


def _replacement_points(row: EventTable, seat: int) -> Decimal | None:
    replaced = row.replacements.get(str(seat))
    return None if replaced is None else Decimal(replaced["points"])


def _corrected_scores(event: Event) -> dict[str, list[int]]:
    """Return the scores of corrected games; the latest correction of a game counts."""
    rows = event.rulings.filter(scores__isnull=False, is_cancelled=False).order_by("made_at", "pk")
    return {game: scores for game, scores in rows.values_list("game", "scores") if scores}


def _counted_game(
    game: GameResults, seats: _Assigned | None, scores: list[int] | None, rules: RuleSet
) -> CountedGame:
    """Return the results of the game that count. They go to the entrants assigned to `seats`, or
    without `seats` to the people who began the game. Use the corrected `scores` if there are any.
    """
    if seats is None:
        seats = [(str(seat.person_id) if seat.person_id else None, None) for seat in game.seats]
    placed = [(seat.place, seat.points) for seat in game.seats]
    if scores is not None:
        placed = corrected_points(rules, game, tuple(scores))
    counted = scores or [seat.score for seat in game.seats]
    results, of_players = list[Result](), dict[str, int]()
    for (player, fixed), (place, points), score in zip(seats, placed, counted, strict=True):
        if player is not None:
            results.append(Result(player, place, points if fixed is None else fixed))
            of_players[player] = score
    return CountedGame(game.table_id, game.ended_at, results, of_players, game.is_offline)
