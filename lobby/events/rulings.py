"""Rulings of the officials of an event: penalties, void games, corrected results, and what happens
at tables of rounds (`lobby.events.direction`).

A ruling has a reason and is an entry of the log of the event. It is stored in one transaction with
what it changes; then `lobby.events.table_orders` applies the change at the table. Officials may not
decide about themselves or about games in which they play. A wrong result of a game on the server is
corrected, or declared void and entered as a game at a real table (`lobby.events.offline`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from channels.db import database_sync_to_async

from game.results.group_results import GameResults, counted_games, find_counted_game
from game.tables.room import INTERVENTIONS, official_notice
from lobby.accounts.refusals import CodedError
from lobby.accounts.transactions import change_locked
from lobby.clubs.members import OFFICERS
from lobby.events.impartiality import Official, judge_officer
from lobby.events.results import check_scores
from lobby.events.table_orders import carry_out
from lobby.models import Event, EventTable, Membership, Ruling
from lobby.play.backend import current_backend
from lobby.play.club_tables import counted_tables, is_void

MAX_RULINGS: Final = 1_000
"""The most rulings of one event without a table of a round."""
CANCELLABLE: Final = (*Ruling.WITH_POINTS, Ruling.VOID, Ruling.CORRECTION)
"""The kinds of rulings that can be cancelled."""
_ANSWERS: Final = ("cancel", "cancel_penalty", "decide")
"""Kinds of rulings of which there is at most one for each earlier ruling or dispute."""
Change = Callable[[Event, EventTable | None], dict[str, Any]]
"""Changes the event and the table, both locked; returns more fields of the ruling."""


class RulingRefused(CodedError):
    """The ruling is not possible. `code`: "official" (not an officer any more), "own" (it
    concerns the officer), "plays" and "rival" (another officer has to decide), "player" (no such
    player), "game" (no such game counts), "gone" (there is no such ruling, or it is cancelled),
    "replaced" (the table of the list has another game by now), "many" (there are MAX_RULINGS),
    "entered" (the person plays already), "no_round" (no round has begun, or none follows),
    "void" (the game is void already), or one of `lobby.events.direction`."""


def online_games(event: Event) -> list[GameResults]:
    """Return the games on the server that count, the latest first."""
    return counted_games(counted_tables(event), with_bots=True)[::-1]


async def store_ruling(
    event: Event,
    by: Official,
    kind: str,
    *,
    change: Change | None = None,
    table: EventTable | None = None,
    **fields: Any,
) -> None:
    """Store a ruling with these `fields`. With the `table` of a round, show a notice there and
    apply what `change` has changed. Raises RulingRefused."""

    def store(current: Event) -> EventTable | None:
        row = None
        if table is not None:
            row = EventTable.objects.select_for_update().get(pk=table.pk)
        elif kind not in _ANSWERS:
            check_number(current)
        person = fields.get("person_id")
        game = fields.get("game", "" if row is None else row.table_id)
        concerned = {person} if person is not None else set[UUID]()
        if row is not None:
            concerned |= people_at(row)
        elif game:
            concerned |= people_of_game(current, game)
        is_by_player = check_official(current, by, concerned)
        more = change(current, row) if change is not None else {}
        current.rulings.create(
            **{
                "kind": kind,
                "table": row or table_of_round(current, game),
                "game": game,
                "reason": by.reason,
                "by": by.person,
                "is_by_player": is_by_player,
                **fields,
                **more,
            }
        )
        if row is not None:
            row.notice = notice_of(kind, by.reason)
            row.orders += 1
            row.save()
        return row

    row = await database_sync_to_async(change_locked)(event, store)
    if row is not None:
        fresh = await EventTable.objects.select_related("event__club").aget(pk=row.pk)
        await carry_out(await current_backend(), fresh)


async def give_penalty(
    event: Event,
    kind: str,
    person: UUID,
    points: Decimal,
    *,
    by: Official,
    table: EventTable | None = None,
) -> None:
    """Subtract these points, thousands, from the player in the standings, independently of the
    games. `kind` is "penalty" or "chombo". `table` is where the player plays now. Raises
    RulingRefused."""

    def check(current: Event, _row: EventTable | None) -> dict[str, Any]:
        members = Membership.objects.filter(club=current.club_id, person=person)
        is_entered = current.entrants.filter(person=person).exists()
        if not (is_entered if current.has_rounds else members.exists()):
            raise RulingRefused("player")
        return {}

    game = "" if table is None else table.table_id
    await store_ruling(
        event, by, kind, change=check, table=table, person_id=person, points=points, game=game
    )


async def declare_void(
    event: Event, game: str, *, by: Official, table: EventTable | None = None
) -> None:
    """Declare that game void, so that it no longer counts. A running game of the `table` of a round
    ends. Raises RulingRefused."""

    def check(current: Event, _row: EventTable | None) -> dict[str, Any]:
        if is_void(game):
            raise RulingRefused("void")
        _check_counts(current, game)
        if table is None and find_counted_game(game) is None:
            raise RulingRefused("game")
        return {}

    await store_ruling(event, by, Ruling.VOID, change=check, table=table, game=game)


async def correct_result(
    event: Event,
    game: str,
    scores: Sequence[int],
    *,
    by: Official,
    table: EventTable | None = None,
) -> None:
    """Give the finished game other final scores, East first. Raises RulingRefused and
    ScoresRefused."""

    def correct(current: Event, _row: EventTable | None) -> dict[str, Any]:
        found = find_counted_game(game)
        if found is None:
            raise RulingRefused("not_over")
        _check_counts(current, game)
        check_scores(found, scores)
        return {"scores": list(scores), "detail": " · ".join(map(str, scores))}

    await store_ruling(event, by, Ruling.CORRECTION, change=correct, table=table, game=game)


async def cancel_ruling(
    event: Event, key: int, *, by: Official, table: EventTable | None = None
) -> None:
    """Cancel a penalty, or let a void game or the result before a correction count again. `table`
    is where the player of a penalty plays now. Raises RulingRefused."""
    ruling = await event.rulings.filter(pk=key).afirst()
    if ruling is None or ruling.kind not in CANCELLABLE:
        raise RulingRefused("gone")

    def cancel(current: Event, _row: EventTable | None) -> dict[str, Any]:
        if ruling.kind == Ruling.VOID and current.has_fixtures:
            row = current.tables.filter(table_id=ruling.game).first()
            if row is None or hasattr(row, "offline_game"):
                raise RulingRefused("replaced")
        rows = current.rulings.filter(pk=ruling.pk, is_cancelled=False)
        if not rows.update(is_cancelled=True, cancel_reason=by.reason):
            raise RulingRefused("gone")
        return {}

    await store_ruling(
        event,
        by,
        "cancel_penalty" if ruling.person_id else "cancel",
        change=cancel,
        table=table,
        person_id=ruling.person_id,
        game=ruling.game,
        points=ruling.points,
    )


def check_number(event: Event) -> None:
    """Raise RulingRefused if the event has MAX_RULINGS without a table of a round."""
    if event.rulings.filter(table=None).count() >= MAX_RULINGS:
        raise RulingRefused("many")


def check_official(event: Event, by: Official, concerned: set[UUID]) -> bool:
    """Return True if the officer is a player of the event and decides only because no officer who
    does not play can. Raises RulingRefused if the person is no officer now, or if another officer
    has to decide. Call it in the transaction of the decision.
    """
    officers = Membership.objects.filter(club=event.club_id, role__in=OFFICERS)
    if not officers.filter(person=by.person).exists():
        raise RulingRefused("official")
    if by.person.pk in concerned:
        raise RulingRefused("own")
    verdict = judge_officer(event, by.person, concerned, by.places)
    if verdict in ("plays", "rival"):
        raise RulingRefused(verdict)
    return verdict == "as_player"


def people_at(row: EventTable) -> set[UUID]:
    """Return the people at the table of a round: entrants with a seat and their substitutes."""
    seated = row.event.entrants.filter(number__in=row.seats).values_list("person", flat=True)
    taken = (replaced["person"] for replaced in row.replacements.values())
    return {*seated, *(UUID(person) for person in taken if person)}


def table_of_round(event: Event, game: str) -> EventTable | None:
    """Return the table of a round at which this game is played; None for other games."""
    return event.tables.filter(table_id=game, round__gt=0).first() if game else None


def people_of_game(event: Event, game: str) -> set[UUID]:
    """Return the people whom a decision about that game concerns."""
    row = table_of_round(event, game)
    if row is not None:
        return people_at(row)
    found = find_counted_game(game)
    if found is None:
        return set()
    return {seat.person_id for seat in found.seats if seat.person_id is not None}


def notice_of(kind: str, reason: str) -> str:
    """Return the notice to show at the table, '' for kinds of rulings that have none."""
    return official_notice(kind, reason) if kind in INTERVENTIONS else ""  # type: ignore[arg-type]


def _check_counts(event: Event, game: str) -> None:
    if not counted_tables(event).filter(table_id=game).exists():
        raise RulingRefused("game")
