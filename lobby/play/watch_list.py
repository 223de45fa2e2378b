"""Lists the tables that may be watched, the most interesting first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from channels.db import database_sync_to_async
from django.urls import reverse
from django.utils.translation import gettext as _

from lobby.models import ClubGame, EventTable
from lobby.play.live_boards import LiveBoard, read_boards
from lobby.play.table_list import ListedSeat, ListedTable, live_tables

BOARDS: Final = 12
"""The number of tables that are listed with their boards."""
_CLOSE: Final = 8_000
"""The greatest lead in points that one hand can turn."""
_RATED, _EVENT, _FEATURED, _LAST_HAND, _CLOSE_RACE = 20, 25, 40, 20, 10
_PERSON, _RIICHI, _SPECTATOR, _MAX_SPECTATORS = 5, 5, 2, 20
_NO_RATINGS: Final = (None,) * 4


@dataclass(frozen=True, slots=True)
class EventOfTable:
    """The public event to which a game belongs."""

    name: str
    address: str
    is_featured: bool = False
    """Whether officials have chosen the table for the stream."""


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """A table in the list."""

    table: ListedTable
    event: EventOfTable | None = None
    live: LiveBoard | None = None

    @property
    def players(self) -> list[tuple[ListedSeat, int | None]]:
        """The seats with the ratings of their players."""
        ratings = _NO_RATINGS if self.live is None else self.live.ratings
        return list(zip(self.table.seats, ratings, strict=True))


async def watched_tables() -> list[WatchedTable]:
    """Return the public tables that may be watched. Raises TableError."""
    tables = [table for table in await live_tables() if table.settings.watch != "nobody"]
    events = await database_sync_to_async(_events_of)([table.table_id for table in tables])
    listed = [WatchedTable(table, events.get(table.table_id)) for table in tables]
    listed.sort(key=interest, reverse=True)
    boards = await read_boards([watched.table.table_id for watched in listed[:BOARDS]])
    first = [
        WatchedTable(watched.table, watched.event, boards.get(watched.table.table_id))
        for watched in listed[:BOARDS]
    ]
    first.sort(key=interest, reverse=True)
    return [*first, *listed[BOARDS:]]


def interest(watched: WatchedTable) -> int:
    """Return the interest of a table in points, by which tables are sorted; see docs/lobby.md."""
    table, event, live = watched.table, watched.event, watched.live
    points = _PERSON * sum(not seat.bot for seat in table.seats)
    points += min(_MAX_SPECTATORS, _SPECTATOR * table.spectators)
    if event is not None:
        points += _EVENT + _FEATURED * event.is_featured
    if live is None:
        return points
    points += _RATED * live.is_rated + _LAST_HAND * live.is_last_hand + _RIICHI * live.riichi
    if live.lead is not None and 0 < live.lead <= _CLOSE:
        points += _CLOSE_RACE
    known = [rating for rating in live.ratings if rating is not None]
    return points + (sum(known) // len(known) // 100 if known else 0)


def _events_of(table_ids: Collection[str]) -> dict[str, EventOfTable]:
    """Return the public events of these tables, by table."""
    games = ClubGame.objects.filter(
        table_id__in=table_ids, event__is_public=True, club__is_public=True
    ).select_related("event", "club")
    rows = EventTable.objects.filter(table_id__in=table_ids, round__gt=0)
    seated = {row.table_id: row for row in rows}
    found = {}
    for game in games:
        if (event := game.event) is None:
            continue
        address = reverse("lobby:event", args=[game.club.slug, event.slug])
        name, row = event.name, seated.get(game.table_id)
        if row is not None:
            name = _("%(event)s, round %(round)d") % {"event": name, "round": row.round}
        is_featured = row is not None and event.feature_number == row.number
        found[game.table_id] = EventOfTable(name, address, is_featured)
    return found
