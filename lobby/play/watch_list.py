"""Lists the tables that may be watched, the most interesting first, each with its board and what is
at stake. A table that people have begun is listed while one of them is there; tables of bots come
last, and without tables of people the site's own table of bots is among them.

A board has what spectators see at this moment: discards, riichi and dora indicators of a table
whose running hand is shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import msgspec
from channels.db import database_sync_to_async
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.engine.perspective import SPECTATOR, view
from game.engine.progress import last_regular_kyoku
from game.engine.state import RIVER_RIICHI, RIVER_TAKEN, RIVER_TILE, Phase, Riichi, Table
from game.engine.tiles import tile_to_text
from game.live.process import running_room
from game.results.game_text import format_number
from game.results.statistics import listed_ratings
from game.tables.room import Room
from lobby.models import ClubGame, EventTable
from lobby.play.backend import current_backend
from lobby.play.rule_sheet import rules_label
from lobby.play.standing_table import show_standing_table
from lobby.play.table_list import ListedSeat, ListedTable, live_tables


@dataclass(frozen=True, slots=True)
class LiveBoard:
    """What the list shows of a table in addition to names and scores."""

    rules: str
    is_rated: bool
    ratings: tuple[int | None, ...]
    """Ratings by seat, for players who are listed in the ladder of the game."""
    stakes: tuple[str, ...] = ()
    board: str = ""
    """JSON for `js/pages/live_boards.js`; '' where spectators do not see the running hand."""
    is_last_hand: bool = False
    riichi: int = 0
    """How many players have declared riichi."""
    lead: int | None = None
    """The difference in points between the first and the second; None where spectators do not see
    the scores."""


async def read_boards(table_ids: Sequence[str]) -> dict[str, LiveBoard]:
    """Map each of these tables whose game still runs to its board. Raises TablesUnavailable."""
    found = await asyncio.gather(*map(running_room, table_ids))
    rooms = [room for room in found if room is not None and room.table.phase != Phase.ENDED]
    rated = [room for room in rooms if room.meta.ladder]
    ratings = await database_sync_to_async(listed_ratings)(
        {room.meta.ladder for room in rated},
        {seat.person for room in rated for seat in room.meta.seats},
    )
    return {room.table_id: _live_board(room, ratings) for room in rooms}


def _live_board(room: Room, ratings: Mapping[tuple[str, str], int]) -> LiveBoard:
    """Return the board of the room. If spectators do not see the table live, the board has only
    facts from before the first hand.
    """
    meta, rules = room.meta, room.table.rules
    settled = LiveBoard(
        rules=rules_label(rules),
        is_rated=bool(meta.ladder),
        ratings=tuple(ratings.get((meta.ladder, seat.person)) for seat in meta.seats),
    )
    if meta.settings.watch != "closed":
        return settled
    return show_board(settled, view(room.table, SPECTATOR))


def show_board(settled: LiveBoard, seen: Table) -> LiveBoard:
    """Complete the board with what spectators see of the table `seen`."""
    return replace(
        settled,
        stakes=tuple(_describe_stakes(seen)),
        board=_board_text(seen),
        is_last_hand=_is_last_hand(seen),
        riichi=_riichi_count(seen),
        lead=_points_ahead(seen),
    )


def _is_last_hand(seen: Table) -> bool:
    return seen.kyoku >= last_regular_kyoku(seen.rules)


def _points_ahead(seen: Table) -> int:
    first, second, *_rest = sorted(seen.scores, reverse=True)
    return first - second


def _riichi_count(seen: Table) -> int:
    return sum(hand.riichi is Riichi.ACCEPTED for hand in seen.hands)


def _describe_stakes(seen: Table) -> Iterable[str]:
    """Yield short texts that say what is at stake in this hand."""
    if _is_last_hand(seen):
        yield _("Last hand: %(points)s points between 1st and 2nd") % {
            "points": format_number(_points_ahead(seen))
        }
    if count := _riichi_count(seen):
        yield ngettext("%(count)d player in riichi", "%(count)d players in riichi", count) % {
            "count": count
        }
    if count := seen.kyotaku:
        yield ngettext(
            "%(count)d riichi stick on the table", "%(count)d riichi sticks on the table", count
        ) % {"count": count}


def _board_text(seen: Table) -> str:
    """Return JSON with the rivers, the riichi and the dora indicators. After a tile, `!` marks a
    riichi declaration and `~` a called tile. Nothing here depends on whose turn it is: a table has
    a draw before it is shown.
    """
    rivers = [[_discard_text(entry) for entry in hand.river] for hand in seen.hands]
    riichi = [hand.riichi is Riichi.ACCEPTED for hand in seen.hands]
    dora = [tile_to_text(tile) for tile in seen.dora]
    return msgspec.json.encode({"rivers": rivers, "riichi": riichi, "dora": dora}).decode()


def _discard_text(entry: int) -> str:
    text = tile_to_text(entry & RIVER_TILE)
    return text + ("!" if entry & RIVER_RIICHI else "") + ("~" if entry & RIVER_TAKEN else "")


BOARDS: Final = 12
"""The number of tables that are listed with their boards."""
_CLOSE: Final = 8_000
"""The greatest lead in points that one hand can turn."""
_RATED, _EVENT, _FEATURED, _LAST_HAND, _CLOSE_RACE = 20, 25, 40, 20, 10
_PERSON, _RIICHI, _SPECTATOR, _MAX_SPECTATORS = 5, 5, 2, 20


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
        nobody = (None,) * len(self.table.seats)
        ratings = nobody if self.live is None else self.live.ratings
        return list(zip(self.table.seats, ratings, strict=True))


async def watchable_tables() -> list[WatchedTable]:
    """Return the public tables that may be watched. Raises TableError."""
    tables = _worth_watching(await live_tables())
    if all(table.is_of_bots for table in tables):
        standing = await show_standing_table(await current_backend())
        if standing and all(table.table_id != standing for table in tables):
            tables = _worth_watching(await live_tables())
    else:
        tables = [table for table in tables if table.settings.purpose != "standing"]
    events = await database_sync_to_async(_events_of)([table.table_id for table in tables])
    listed = [WatchedTable(table, events.get(table.table_id)) for table in tables]
    listed.sort(key=viewers_order, reverse=True)
    boards = await read_boards([watched.table.table_id for watched in listed[:BOARDS]])
    first = [
        WatchedTable(watched.table, watched.event, boards.get(watched.table.table_id))
        for watched in listed[:BOARDS]
    ]
    first.sort(key=viewers_order, reverse=True)
    return [*first, *listed[BOARDS:]]


def _worth_watching(tables: Iterable[ListedTable]) -> list[ListedTable]:
    """Return the tables that may be watched, without those of people of whom none is there."""
    return [
        table
        for table in tables
        if table.settings.watch != "nobody" and (table.is_of_bots or table.players)
    ]


def viewers_order(watched: WatchedTable) -> tuple[bool, int]:
    return not watched.table.is_of_bots, interest(watched)


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
