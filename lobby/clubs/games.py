"""Lists the games of clubs: waiting, running and finished ones."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone

from game.results.game_text import round_name
from lobby.clubs.members import ClubAccess
from lobby.models import Club, ClubGame, Event, EventTable
from lobby.play import pregame_store
from lobby.play.backend import Backend
from lobby.play.club_tables import counted_tables
from lobby.play.pregame import PregameTable

_RUNNING_FOR: Final = timedelta(hours=24)
_MAX_LISTED: Final = 40


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A running game of a club."""

    table_id: str
    round: str
    seats: tuple[tuple[str, int | None], ...]
    """The names and points of the players; no points where spectators do not see the running
    hand."""
    can_watch: bool
    event: str = ""
    """The name of the event; '' for a table of the club."""
    number: int = 0
    """The number of the table in its round; 0 without rounds."""
    people: frozenset[str] = frozenset()
    """The ids of the people who play there."""


async def waiting_tables(
    backend: Backend, club: Club, event: Event | None = None, *, with_private: bool = True
) -> list[PregameTable]:
    """Return the tables of the club, or of that event of it, that wait for players. Without
    `with_private`, leave out private events."""
    tables = await pregame_store.list_all(backend)
    return [
        table
        for table in tables
        if table.settings.club == club.slug
        and table.is_waiting
        and (event is None or table.settings.event == event.pk)
        and (with_private or table.settings.public)
    ]


async def running_games(
    backend: Backend, club: Club, event: Event | None = None, *, with_private: bool = True
) -> list[RunningGame]:
    """Return the running games of the club, or of that event of it, the newest first. Without
    `with_private`, leave out private events."""
    rows = ClubGame.objects.filter(club=club, opened_at__gt=timezone.now() - _RUNNING_FOR)
    if event is not None:
        rows = rows.filter(table_id__in=counted_tables(event))
    listed = rows.order_by("-opened_at").values_list("table_id", "event__name")[:_MAX_LISTED]
    names = {table_id: name or "" async for table_id, name in listed}
    seated = EventTable.objects.filter(table_id__in=list(names), round__gt=0)
    numbers = {table: number async for table, number in seated.values_list("table_id", "number")}
    found = list[RunningGame]()
    for table_id, name in names.items():
        room = await backend.tables.room(table_id)
        if room is None or backend.tables.is_over(room):
            continue
        if not (with_private or room.meta.settings.public):
            continue
        is_live = room.meta.settings.is_shown_live
        found.append(
            RunningGame(
                table_id,
                round_name(room.table.kyoku) if is_live else "",
                tuple(
                    (seat.name, score if is_live else None)
                    for seat, score in zip(room.meta.seats, room.table.scores, strict=True)
                ),
                room.meta.settings.watch != "nobody",
                name,
                numbers.get(table_id, 0),
                frozenset(seat.person for seat in room.meta.seats if seat.person),
            )
        )
    return found


def table_ids(access: ClubAccess) -> QuerySet[ClubGame, Any]:
    """Return the ids of the games of the club, for a query of finished games. Strangers do not get
    games of private events."""
    games = ClubGame.objects.filter(club=access.club)
    if not access.is_member:
        games = games.exclude(event__is_public=False)
    return games.values_list("table_id", flat=True)
