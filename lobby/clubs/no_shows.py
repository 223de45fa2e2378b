"""Handles players who do not come to their table in time: a bot plays that game, or they get a
penalty.

The worker checks each table once. The replacement or penalty is stored in the same transaction as
the mark that the table was checked.
"""

from __future__ import annotations

from game.bots import BOT_NAMES
from game.tables.notices import official_notice
from game.tables.room import Room, TableId
from lobby.accounts.transactions import in_transaction
from lobby.clubs.table_orders import carry_out
from lobby.matchmaking.backend import Backend, current_backend
from lobby.models import Entrant, Intervention, Penalty, RoundTable

_MINUTE_MS = 60_000
_CHECK_EVERY_S = 5.0


async def check_no_shows() -> float:
    """Check the tables whose players may not have come: a periodic task. Return the seconds until
    the next call."""
    rows = RoundTable.objects.filter(
        is_open=True, are_no_shows_checked=False, tournament__no_show_minutes__gt=0
    ).select_related("tournament__club")
    waiting = [row async for row in rows]
    if waiting:
        backend = await current_backend()
        for row in waiting:
            await check_table(backend, row)
    return _CHECK_EVERY_S


async def check_table(backend: Backend, row: RoundTable) -> None:
    """Replace or penalise the players who have not come to that table, once their time is over."""
    room = await backend.tables.room(row.table_id)
    if room is None or backend.tables.is_over(room):
        await _store(row, [])
        return
    if room.clock.paused_at:
        return
    due = room.meta.opened_at + row.tournament.no_show_minutes * _MINUTE_MS
    if backend.now_ms() >= due:
        await _store(row, await absent_seats(backend, room))
        await carry_out(backend, await RoundTable.objects.aget(pk=row.pk))


async def absent_seats(backend: Backend, room: Room) -> list[int]:
    """Return the seats whose players have never opened the table."""
    seats = [seat for seat, meta in enumerate(room.meta.seats) if meta.has_page and not meta.bot]
    if not seats:
        return []
    presence = backend.process.presence
    _, sockets = await presence.read_sockets(TableId(room.table_id), seats)
    return [
        seat
        for seat in seats
        if not room.cids[seat] and not sockets[seat].processes and sockets[seat].left_at is None
    ]


async def _store(row: RoundTable, absent: list[int]) -> None:
    def store() -> None:
        rows = RoundTable.objects.select_for_update().select_related("tournament")
        current = rows.get(pk=row.pk)
        if current.are_no_shows_checked or current.table_id != row.table_id:
            return
        current.are_no_shows_checked = True
        for seat in absent:
            if str(seat) not in current.replacements:
                _replace_or_penalise(current, seat)
        current.save()

    await in_transaction(store)


def _replace_or_penalise(row: RoundTable, seat: int) -> None:
    tournament = row.tournament
    entrant = Entrant.objects.filter(tournament=tournament, number=row.seats[seat]).first()
    if entrant is None:
        return
    reason = f"{tournament.no_show_minutes} min"
    if tournament.no_show == "penalty":
        points = tournament.no_show_points
        Penalty.objects.create(
            tournament=tournament, entrant=entrant, kind="no_show", points=points, reason=reason
        )
    else:
        points = tournament.substitute_points
        replaced = {"person": "", "name": BOT_NAMES[seat], "points": str(points)}
        row.replacements = {**row.replacements, str(seat): replaced}
    Intervention.objects.create(
        tournament=tournament,
        table=row,
        entrant=entrant,
        kind="no_show",
        detail=str(points),
        reason=reason,
    )
    row.notice = official_notice("no_show", reason)
    row.orders += 1
