"""Stores results of games at real tables, which organisers of an event enter, correct and cancel.

The points are computed from the scores by the rules of the event. Every change has a reason and is
kept. Organisers may not enter or change games in which they have played, and one who plays in the
event changes results only where `lobby.events.impartiality` allows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from game.engine.by_seat import BySeat
from game.engine.points import final_placement
from game.models import GameSeat
from game.results.group_results import GameResults
from lobby.accounts.transactions import in_transaction
from lobby.events.impartiality import Official, judge_officer
from lobby.events.registration import rules_of
from lobby.models import (
    Event,
    EventTable,
    Membership,
    OfflineChange,
    OfflineGame,
    OfflineSeat,
    Person,
)
from lobby.play.club_tables import has_game

STICK: Final = 1_000
MAX_GAMES: Final = 1_000
"""The most games at real tables of one event. All of them are on one page."""
MAX_CHANGES: Final = 50
"""The most corrections and cancellations of one game."""
_TENTH: Final = Decimal("0.1")


class OfflineRefused(Exception):
    """The result is refused. `code`: "twice" (a player has two seats), "player" (somebody does not
    take part), "hundreds" (a score is not in hundreds), "sum" (the scores and the sticks do not add
    up to `expected`), "own" (the organiser has played), "plays" and "rival" (another officer has to
    decide, see `judge_officer`), "gone" (there is no such game), "many" (the
    event has `MAX_GAMES`), "changes" (the game was changed `MAX_CHANGES` times), "fixture" (these
    players have no open table on the list of the event)."""

    def __init__(self, code: str, expected: int = 0) -> None:
        super().__init__(code)
        self.code = code
        self.expected = expected


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineResult:
    """The score sheet of a game."""

    players: BySeat[UUID]
    """From the first dealer on."""
    scores: BySeat[int]
    """The points by seat at the end of the game, before uma and oka, without leftover sticks."""
    sticks: int
    """The number of riichi sticks of 1000 points that were left on the table."""
    played_at: datetime
    round: int | None = None
    """The round in an event with rounds."""


def enter_game(event: Event, result: OfflineResult, *, by: Person) -> OfflineGame:
    """Store the result of a game. Raises OfflineRefused."""

    def enter() -> OfflineGame:
        _check_result(event, result, by)
        if OfflineGame.objects.filter(event=event).count() >= MAX_GAMES:
            raise OfflineRefused("many")
        game = OfflineGame.objects.create(
            event=event,
            played_at=result.played_at,
            round=result.round,
            sticks=result.sticks,
            table=_listed_table(event, result.players),
            entered_by=by,
        )
        _store_seats(event, game, result)
        return game

    return in_transaction(enter)


def correct_game(event: Event, number: int, result: OfflineResult, *, by: Official) -> None:
    """Replace the result of that game, which counts again if it was cancelled. Raises
    OfflineRefused."""

    def correct() -> None:
        game = _lock_game(event, number, by)
        _check_result(event, result, by.person)
        _keep_old_result(event, game, by)
        game.played_at, game.round, game.sticks = result.played_at, result.round, result.sticks
        game.is_cancelled = False
        if not _has_players(game.table, result.players):
            game.table = _listed_table(event, result.players)
        game.save()
        game.seats.all().delete()
        _store_seats(event, game, result)

    in_transaction(correct)


def cancel_game(event: Event, number: int, *, by: Official) -> None:
    """Cancel the game, so that it no longer counts. It stays in the list. Raises OfflineRefused."""

    def cancel() -> None:
        game = _lock_game(event, number, by)
        if not game.is_cancelled:
            _keep_old_result(event, game, by)
            game.is_cancelled, game.table = True, None
            game.save(update_fields=["is_cancelled", "table"])

    in_transaction(cancel)


def games_of(event: Event) -> list[OfflineGame]:
    """Return the games at real tables, the latest first, with their seats and changes."""
    rows = OfflineGame.objects.filter(event=event)
    rows = rows.prefetch_related("seats__person", "changes__by")
    return list(rows)


def counted_offline(event: Event) -> list[GameResults]:
    """Return the games at real tables that are not cancelled."""
    rows = OfflineGame.objects.filter(event=event, is_cancelled=False)
    return [
        GameResults(
            f"offline-{game.pk}",
            game.played_at,
            tuple(
                GameSeat(
                    seat=seat.seat,
                    person_id=seat.person_id,
                    score=seat.score,
                    place=seat.place,
                    points=seat.points,
                )
                for seat in game.seats.all()
            ),
            is_offline=True,
        )
        for game in rows.prefetch_related("seats")
    ]


def players_of(event: Event) -> list[Person]:
    """Return the people whose results can be entered, by name."""
    return list(Person.objects.filter(pk__in=_players(event)).order_by("name"))


def _players(event: Event) -> Any:
    if event.registration == Event.MEMBERS:
        return Membership.objects.filter(club=event.club_id).values("person")
    return event.entrants.values("person")


def _check_result(event: Event, result: OfflineResult, by: Person) -> None:
    rules = rules_of(event)
    if len(set(result.players)) < rules.players:
        raise OfflineRefused("twice")
    if by.pk in result.players:
        raise OfflineRefused("own")
    known = Person.objects.filter(pk__in=result.players).filter(pk__in=_players(event))
    if known.count() < rules.players:
        raise OfflineRefused("player")
    if any(score % 100 for score in result.scores):
        raise OfflineRefused("hundreds")
    expected = rules.players * rules.start_points
    if sum(result.scores) + STICK * result.sticks != expected:
        raise OfflineRefused("sum", expected)


def _listed_table(event: Event, players: Sequence[UUID]) -> EventTable | None:
    """Return the first open table of the list of the event at which these people play, None for
    an event without a list. Raises OfflineRefused."""
    if not event.has_fixtures:
        return None
    rows = EventTable.objects.select_for_update().filter(event=event, players=players[0])
    for found in rows:
        if _has_players(found, players) and not has_game(found):
            return found
    raise OfflineRefused("fixture")


def _has_players(table: EventTable | None, players: Sequence[UUID]) -> bool:
    if table is None:
        return False
    return set(table.players.values_list("pk", flat=True)) == set(players)


def _store_seats(event: Event, game: OfflineGame, result: OfflineResult) -> None:
    scores, placement = final_placement(rules_of(event), result.scores, result.sticks)
    for seat, (person, score, (place, points)) in enumerate(
        zip(result.players, scores, placement, strict=True)
    ):
        OfflineSeat.objects.create(
            game=game,
            seat=seat,
            person_id=person,
            written=result.scores[seat],
            score=score,
            place=place,
            points=Decimal(str(points)).quantize(_TENTH),
        )


def _lock_game(event: Event, number: int, by: Official) -> OfflineGame:
    rows = OfflineGame.objects.select_for_update().filter(event=event, pk=number)
    game = rows.first()
    if game is None:
        raise OfflineRefused("gone")
    if game.seats.filter(person=by.person).exists():
        raise OfflineRefused("own")
    if game.changes.count() >= MAX_CHANGES:
        raise OfflineRefused("changes")
    return game


def _keep_old_result(event: Event, game: OfflineGame, by: Official) -> None:
    """Store the result as it is before the change. Raises OfflineRefused if another officer has to
    decide.
    """
    concerned = set(game.seats.values_list("person", flat=True))
    verdict = judge_officer(event, by.person, concerned, by.places)
    if verdict in ("plays", "rival"):
        raise OfflineRefused(verdict)
    before: Sequence[dict[str, Any]] = [
        {"person": str(seat.person_id), "score": seat.written, "points": str(seat.points)}
        for seat in game.seats.all()
    ]
    OfflineChange.objects.create(
        game=game,
        by=by.person,
        reason=by.reason,
        is_by_player=verdict == "as_player",
        before={"seats": before, "sticks": game.sticks, "is_cancelled": game.is_cancelled},
    )
