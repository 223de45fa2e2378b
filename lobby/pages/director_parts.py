"""Contexts for the tables on the director's pages, which change while they are shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from game.results.group_results import ended_tables
from lobby.clubs import tournaments
from lobby.clubs.direction import latest_tables
from lobby.clubs.live_tables import LiveTable, live_table
from lobby.clubs.members import ClubAccess
from lobby.clubs.table_results import final_scores, names_by_number
from lobby.matchmaking.backend import Backend
from lobby.models import Dispute, RoundTable, Tournament


async def live_tables(
    backend: Backend, access: ClubAccess, tournament: Tournament
) -> dict[str, Any]:
    """Return the context of the tables of the last round."""
    rows, names = await latest_tables(tournament), await names_by_number(tournament)
    tables = await _read_tables(backend, tournament, rows, names)
    last = rows[0].round if rows else 0
    standings = [table.standing for table in tables]
    return {
        "access": access,
        "club": access.club,
        "tournament": tournament,
        "round": last,
        "tables": tables,
        "next_round": last + 1 if last < tournament.rounds else 0,
        "may_start": all(standing in {"over", "void"} for standing in standings),
        "is_played": last >= tournament.rounds and set(standings) <= {"over", "void"},
        "hanging": standings.count("hanging"),
        "running": sum(standing in {"running", "paused", "hanging"} for standing in standings),
        "missing": sum(seat.is_missing for table in tables for seat in table.seats),
    }


async def one_table(
    backend: Backend, access: ClubAccess, tournament: Tournament, row: RoundTable
) -> dict[str, Any]:
    """Return the context of the page of one table."""
    (table,) = await _read_tables(backend, tournament, [row], await names_by_number(tournament))
    return {
        "access": access,
        "club": access.club,
        "tournament": tournament,
        "table": table,
        "tables": [table],
        "results": list(enumerate(table.seats)) if table.seats[0].score is not None else [],
        "is_running": table.standing in {"running", "paused", "hanging"},
    }


async def _read_tables(
    backend: Backend, tournament: Tournament, rows: list[RoundTable], names: dict[int, str]
) -> list[LiveTable]:
    ended = await ended_tables(tournaments.table_ids_of(tournament))
    scores = await final_scores(tournament)
    open_disputes = Dispute.objects.filter(table__in=rows, decision="")
    disputed = {dispute.table_id async for dispute in open_disputes}
    tables = [
        await live_table(
            backend,
            row,
            names,
            is_over=row.table_id in ended,
            has_dispute=row.pk in disputed,
        )
        for row in rows
    ]
    return [_with_result(table, scores.get(table.row.table_id)) for table in tables]


def _with_result(table: LiveTable, scores: list[int] | None) -> LiveTable:
    """Return the table with the scores of its finished game."""
    if scores is None or table.standing != "over":
        return table
    seats = zip(table.seats, scores, strict=True)
    return replace(table, seats=tuple(replace(seat, score=score) for seat, score in seats))
