"""Contexts for the tables on the director's pages, which change while they are shown."""

from __future__ import annotations

from typing import Any

from game.models import GameSeat
from game.results.game_text import player_name
from game.results.group_results import ended_games
from lobby.clubs import tournaments
from lobby.clubs.direction import latest_tables
from lobby.clubs.live_tables import live_table
from lobby.clubs.members import ClubAccess
from lobby.matchmaking.backend import Backend
from lobby.models import Dispute, Entrant, RoundTable, Tournament


async def live_tables(
    backend: Backend, access: ClubAccess, tournament: Tournament
) -> dict[str, Any]:
    """Return the context of the tables of the last round."""
    rows, names = await latest_tables(tournament), await _names_by_number(tournament)
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
        "hanging": standings.count("hanging"),
        "running": sum(standing in {"running", "paused", "hanging"} for standing in standings),
        "missing": sum(seat.is_missing for table in tables for seat in table.seats),
    }


async def one_table(
    backend: Backend, access: ClubAccess, tournament: Tournament, row: RoundTable
) -> dict[str, Any]:
    """Return the context of the page of one table."""
    (table,) = await _read_tables(backend, tournament, [row], await _names_by_number(tournament))
    seats = GameSeat.objects.filter(game=row.table_id).order_by("seat")
    recorded = [seat.score async for seat in seats]
    return {
        "access": access,
        "club": access.club,
        "tournament": tournament,
        "table": table,
        "tables": [table],
        "results": list(zip(range(4), table.seats, row.scores or recorded, strict=False)),
        "is_running": table.standing in {"running", "paused", "hanging"},
    }


async def _names_by_number(tournament: Tournament) -> dict[int, str]:
    entrants = Entrant.objects.filter(tournament=tournament, number__isnull=False)
    return {
        entrant.number: player_name(entrant.person.name)
        async for entrant in entrants.select_related("person")
        if entrant.number is not None
    }


async def _read_tables(
    backend: Backend, tournament: Tournament, rows: list[RoundTable], names: dict[int, str]
) -> list[Any]:
    ended = await ended_games(tournaments.table_ids_of(tournament))
    open_disputes = Dispute.objects.filter(table__in=rows, decision="")
    disputed = {dispute.table_id async for dispute in open_disputes}
    return [
        await live_table(
            backend,
            row,
            names,
            is_over=row.table_id in ended,
            has_dispute=row.pk in disputed,
        )
        for row in rows
    ]
