"""Describes the tables of rounds for its officials: what spectators see, and the state of
each table.

A table hangs if it is frozen, if it should be open and is not, or if an automatic step of the
server is late.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from channels.db import database_sync_to_async

from game.bots import BOT_NAMES
from game.engine.clock import round_left_ms
from game.results.game_text import hand_name
from game.tables.room import Room, TableId, official_notice
from game.tables.scheduler import due_at
from lobby.accounts.transactions import in_transaction
from lobby.events.table_orders import carry_out
from lobby.models import EventTable, Ruling
from lobby.play.backend import Backend, current_backend

_MINUTE_MS = 60_000
_CHECK_EVERY_S = 5.0


async def check_no_shows() -> float:
    """Check the tables whose players may not have come: a periodic task. Return the seconds until
    the next call."""
    rows = EventTable.objects.filter(
        is_open=True, are_no_shows_checked=False, no_show_minutes__gt=0
    ).select_related("event__club")
    waiting = [row async for row in rows]
    if waiting:
        backend = await current_backend()
        for row in waiting:
            await handle_no_shows(backend, row)
    return _CHECK_EVERY_S


async def handle_no_shows(backend: Backend, row: EventTable) -> None:
    """When the time to come is over, replace or penalise the players who have not come to that
    table.
    """
    room = await backend.tables.room(row.table_id)
    if room is None or backend.tables.is_over(room):
        await _record_no_shows(row, [])
        return
    if room.clock.paused_at:
        return
    due = room.meta.opened_at + row.no_show_minutes * _MINUTE_MS
    if backend.now_ms() >= due:
        await _record_no_shows(row, await no_show_seats(backend, room))
        await carry_out(backend, await EventTable.objects.aget(pk=row.pk))


async def no_show_seats(backend: Backend, room: Room) -> list[int]:
    """Return the seats whose players have never opened the table."""
    seats = [
        seat for seat, meta in enumerate(room.meta.seats) if meta.is_of_person and not meta.bot
    ]
    if not seats:
        return []
    presence = backend.process.presence
    _, sockets = await presence.read_sockets(TableId(room.table_id), seats)
    return [
        seat
        for seat in seats
        if not room.cids[seat] and not sockets[seat].processes and sockets[seat].left_at is None
    ]


async def _record_no_shows(row: EventTable, absent: list[int]) -> None:
    def store() -> None:
        rows = EventTable.objects.select_for_update().select_related("event")
        current = rows.get(pk=row.pk)
        if current.are_no_shows_checked or current.table_id != row.table_id:
            return
        current.are_no_shows_checked = True
        for seat in absent:
            if str(seat) not in current.replacements:
                _replace_or_penalise(current, seat)
        current.save()

    await database_sync_to_async(in_transaction)(store)


def _replace_or_penalise(row: EventTable, seat: int) -> None:
    event = row.event
    entrant = event.entrants.filter(number=row.seats[seat]).first()
    if entrant is None:
        return
    reason = f"{row.no_show_minutes} min"
    ruling = Ruling(
        event=event,
        kind=Ruling.NO_SHOW,
        person_id=entrant.person_id,
        table=row,
        game=row.table_id,
        reason=reason,
    )
    if event.no_show == "penalty":
        ruling.points = event.no_show_points
    else:
        ruling.detail = str(event.substitute_points)
        replaced = {"person": "", "name": BOT_NAMES[seat], "points": ruling.detail}
        row.replacements = {**row.replacements, str(seat): replaced}
    ruling.save()
    row.notice = official_notice("no_show", reason)
    row.orders += 1


LATE_MS: Final = 15_000
"""The delay of an automatic step after which a table counts as hanging."""

Standing = Literal["opening", "running", "paused", "hanging", "over", "void"]


@dataclass(frozen=True, slots=True)
class LiveSeat:
    """A seat as the pages of officials show it."""

    name: str
    score: int | None
    """The score of the seat; None where spectators do not see the running hand, and before the
    first deal."""
    is_away: bool = False
    """Whether the server plays for the player, who is disconnected or has left."""
    is_missing: bool = False
    """Whether the player has not come to the table yet."""
    is_bot: bool = False
    for_name: str = ""
    """The entrant whom another person or a bot replaces in this game; '' for none."""


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table of a round, as the pages of officials show it."""

    row: EventTable
    standing: Standing
    seats: tuple[LiveSeat, ...]
    hand: str = ""
    moved_at: int = 0
    """The time of the last change of the table, in ms since the epoch; 0 without a table."""
    ends_at: int = 0
    """When the time of the round is over; 0 while the table is paused or has no round clock."""
    left_ms: int | None = None
    """The time left in the round; None without a round clock."""
    is_last_hand: bool = False
    has_dispute: bool = False
    can_watch: bool = False


async def live_table(
    backend: Backend, row: EventTable, names: dict[int, str], *, is_over: bool, has_dispute: bool
) -> LiveTable:
    """Return the table as it is now. `names` are those of the entrants by number."""
    room = await backend.tables.room(row.table_id) if row.is_open else None
    planned = tuple(LiveSeat(_seat_name(row, at, names), None) for at in range(len(row.seats)))
    if row.is_void:
        return LiveTable(row, "void", planned, has_dispute=has_dispute)
    if is_over or (room is not None and backend.tables.is_over(room)):
        return LiveTable(row, "over", planned, has_dispute=has_dispute)
    if room is None:
        return LiveTable(row, "hanging" if row.is_open else "opening", planned)
    missing = await no_show_seats(backend, room)
    is_live = room.meta.settings.is_shown_live
    return LiveTable(
        row,
        await _state_of_room(backend, room),
        tuple(
            LiveSeat(
                seat.name,
                room.table.scores[at] if is_live and room.table.hands_dealt else None,
                is_away=room.has_left(at) or (room.table.away[at] and not seat.bot),
                is_missing=at in missing,
                is_bot=bool(seat.bot) and not seat.person,
                for_name=names.get(row.seats[at], "") if str(at) in row.replacements else "",
            )
            for at, seat in enumerate(room.meta.seats)
        ),
        hand=hand_name(room.table.kyoku, room.table.honba) if is_live else "",
        moved_at=room.at,
        ends_at=0 if room.clock.paused_at else room.clock.round_ends_at,
        left_ms=round_left_ms(room.clock, backend.now_ms()),
        is_last_hand=bool(room.table.last_hand),
        can_watch=room.meta.settings.watch != "nobody",
    )


async def _state_of_room(backend: Backend, room: Room) -> Standing:
    if await backend.process.service.store.is_frozen(TableId(room.table_id)):
        return "hanging"
    if room.clock.paused_at:
        return "paused"
    due = due_at(room)
    is_late = due is None or due + LATE_MS < backend.now_ms()
    # Without a clock, players who are present are never late.
    return "hanging" if is_late and not room.meta.clock.is_unlimited else "running"


def _seat_name(row: EventTable, at: int, names: dict[int, str]) -> str:
    replaced = row.replacements.get(str(at))
    return replaced["name"] if replaced is not None else names.get(row.seats[at], "")
