"""Rulings of the officers of a league: penalties, void games, and disputes of players about
results.

Each ruling has a reason, and is visible to everybody who sees the league.

A penalty belongs to the player and not to a game. Officers may not decide about themselves or about
games in which they have played. A wrong result is declared void and entered as a game at a real
table (`lobby.events.offline`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from decimal import Decimal
from typing import Final
from uuid import UUID

from game.results.group_results import GameResults, counted_games, find_counted_game
from lobby.accounts.coded_error import CodedError
from lobby.accounts.transactions import T, change_locked
from lobby.clubs.members import OFFICERS
from lobby.events.impartiality import Official, judge_officer
from lobby.models import ClubGame, League, LeagueDispute, LeagueRuling, Membership, Person
from lobby.play.club_tables import games_of_league

MAX_RULINGS: Final = 1_000
"""The most rulings of one league. All of them are on one page."""


class RulingRefused(CodedError):
    """The ruling is not possible. `code`: "official" (not an officer any more), "own" (it
    concerns the officer), "plays" and "rival" (another officer has to decide), "player" (there
    is no such member), "game" (no such game counts), "gone" (there is no such ruling, or it is
    cancelled), "replaced" (the table of the list has another game by now), "many" (there are
    MAX_RULINGS), "disputed" (the player has disputed this result before)."""


async def rulings_of(league: League) -> list[LeagueRuling]:
    """Return the rulings, the latest first, with their people."""
    return [row async for row in league.rulings.select_related("person", "by")]


async def penalty_points_of(league: League) -> dict[str, Decimal]:
    """Return the sum of the penalties by player."""
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    rows = league.rulings.filter(is_cancelled=False, person__isnull=False)
    async for person, points in rows.values_list("person", "points"):
        sums[str(person)] += points
    return dict(sums)


async def online_games(league: League) -> list[GameResults]:
    """Return the games on the server that count, the latest first."""
    tables = games_of_league(league).values_list("table_id", flat=True)
    return (await counted_games(tables))[::-1]


async def give_penalty(
    league: League, kind: str, person: UUID, points: Decimal, *, by: Official
) -> None:
    """Subtract these points, thousands, from the player in the standings. `kind` is "penalty" or
    "chombo". Raises RulingRefused."""

    def give(current: League) -> None:
        is_by_player = _check_official(current, {person}, by)
        if not Membership.objects.filter(club=current.club_id, person=person).exists():
            raise RulingRefused("player")
        _check_number(current)
        current.rulings.create(
            kind=kind,
            person_id=person,
            points=points,
            reason=by.reason,
            by=by.person,
            is_by_player=is_by_player,
        )

    await _decide(league, by, give)


async def declare_void(league: League, table_id: str, *, by: Official) -> None:
    """Declare that finished game void, so that it no longer counts. Raises RulingRefused."""

    def declare(current: League) -> None:
        if not games_of_league(current).filter(pk=table_id).exists():
            raise RulingRefused("game")
        is_by_player = _check_official(current, _players_at(table_id), by)
        _check_number(current)
        current.rulings.create(
            kind=LeagueRuling.VOID,
            table_id=table_id,
            reason=by.reason,
            by=by.person,
            is_by_player=is_by_player,
        )

    await _decide(league, by, declare)


async def cancel_ruling(league: League, key: int, *, by: Official) -> None:
    """Cancel the penalty, or let the game count again. Raises RulingRefused."""

    def cancel(current: League) -> None:
        ruling = current.rulings.filter(pk=key, is_cancelled=False).first()
        if ruling is None:
            raise RulingRefused("gone")
        concerned = {ruling.person_id} if ruling.person_id else _players_at(ruling.table_id)
        is_by_player = _check_official(current, concerned, by)
        if ruling.table_id:
            game = ClubGame.objects.filter(pk=ruling.table_id).select_related("fixture").first()
            fixture = game.fixture if game is not None else None
            if current.has_fixtures and (fixture is None or hasattr(fixture, "offline_game")):
                raise RulingRefused("replaced")
        ruling.is_cancelled, ruling.cancel_reason = True, by.reason
        ruling.is_by_player |= is_by_player
        ruling.save(update_fields=["is_cancelled", "cancel_reason", "is_by_player"])

    await _decide(league, by, cancel)


async def disputes_of(league: League) -> list[LeagueDispute]:
    """Return the disputes, the latest first, with their people."""
    return [row async for row in league.disputes.select_related("person")]


async def disputed_players(league: League) -> frozenset[str]:
    """Return the players of games with an undecided dispute."""
    waiting = league.disputes.filter(decision="").values("table_id")
    tables = games_of_league(league).filter(table_id__in=waiting).values_list("table_id", flat=True)
    games = await counted_games(tables)
    return frozenset(str(seat.person_id) for game in games for seat in game.seats)


async def dispute(league: League, table_id: str, text: str, *, by: Person) -> None:
    """Dispute the result of a game that the person has played. Raises RulingRefused."""

    def make(current: League) -> None:
        found = find_counted_game(table_id)
        is_counted = games_of_league(current).filter(pk=table_id).exists()
        if found is None or not is_counted or all(seat.person_id != by.pk for seat in found.seats):
            raise RulingRefused("game")
        if current.disputes.filter(table_id=table_id, person=by).exists():
            raise RulingRefused("disputed")
        current.disputes.create(table_id=table_id, person=by, text=text)

    await change_locked(league, make)


async def decide_dispute(league: League, key: int, decision: str, *, by: Official) -> None:
    """Answer a dispute: the result is `kept`, or was `changed` by other decisions. Raises
    RulingRefused."""

    def decide(current: League) -> None:
        row = current.disputes.filter(pk=key, decision="").first()
        if row is None:
            raise RulingRefused("gone")
        is_counted = find_counted_game(row.table_id) is not None
        concerned = _players_at(row.table_id) if is_counted else {row.person_id}
        row.is_by_player = _check_official(current, concerned, by)
        row.decision, row.answer = decision, by.reason
        row.save(update_fields=["decision", "answer", "is_by_player"])

    await _decide(league, by, decide)


def _players_at(table_id: str) -> set[UUID]:
    found = find_counted_game(table_id)
    if found is None:
        raise RulingRefused("game")
    return {seat.person_id for seat in found.seats if seat.person_id is not None}


def _check_official(league: League, concerned: set[UUID], by: Official) -> bool:
    """Return whether the officer decides as a player of the league, because nobody else can."""
    if by.person.pk in concerned:
        raise RulingRefused("own")
    verdict = judge_officer(league, by.person, concerned, by.places)
    if verdict in ("plays", "rival"):
        raise RulingRefused(verdict)
    return verdict == "as_player"


def _check_number(league: League) -> None:
    if league.rulings.count() >= MAX_RULINGS:
        raise RulingRefused("many")


async def _decide(league: League, by: Official, decide: Callable[[League], T]) -> T:
    """Call `decide` with the league, locked, if the person is an officer now."""

    def check_and_decide(current: League) -> T:
        officers = Membership.objects.filter(club=current.club_id, role__in=OFFICERS)
        if not officers.filter(person=by.person).exists():
            raise RulingRefused("official")
        return decide(current)

    return await change_locked(league, check_and_decide)
