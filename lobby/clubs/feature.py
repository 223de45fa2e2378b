"""Finds and chooses the feature table of a tournament: the table of the last round that a stream
shows."""

from __future__ import annotations

from lobby.clubs.direction import latest_tables
from lobby.models import RoundTable, Tournament


async def feature_table(tournament: Tournament) -> tuple[str, int]:
    """Return the id and the number of the feature table: the open table of the last round that the
    director has chosen, otherwise the first one; ('', 0) while there is none."""
    current = await Tournament.objects.aget(pk=tournament.pk)
    rows = [row for row in await latest_tables(tournament) if row.is_open]
    chosen = [row for row in rows if row.number == current.feature_number]
    return next(((row.table_id, row.number) for row in (*chosen, *rows)), ("", 0))


async def choose_feature_table(row: RoundTable) -> None:
    """Show the table of that number on the stream, in this round and in the following ones."""
    await Tournament.objects.filter(pk=row.tournament_id).aupdate(feature_number=row.number)
