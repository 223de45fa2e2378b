"""Describes running tables for the list of live tables: the board, and what is at stake.

A board has what spectators see at this moment: discards, riichi and dora indicators of a table
whose running hand is shown. Must not know how the list is ordered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec
from channels.db import database_sync_to_async
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.engine.perspective import SPECTATOR, view
from game.engine.state import RIVER_RIICHI, RIVER_TAKEN, RIVER_TILE, Phase, Riichi, Table
from game.engine.tiles import tile_to_text
from game.live.process import running_room
from game.results.game_text import format_number, rules_name
from game.results.ladders import preset_of
from game.results.statistics import listed_ratings
from game.tables.room import Room


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
    """Return the boards of those of these tables that still run. Raises TablesUnavailable."""
    found = await asyncio.gather(*map(running_room, table_ids))
    rooms = [room for room in found if room is not None and room.table.phase != Phase.ENDED]
    rated = [room for room in rooms if room.meta.ladder]
    ratings = await database_sync_to_async(listed_ratings)(
        {room.meta.ladder for room in rated},
        {seat.person for room in rated for seat in room.meta.seats},
    )
    return {room.table_id: _live_board(room, ratings) for room in rooms}


def _live_board(room: Room, ratings: Mapping[tuple[str, str], int]) -> LiveBoard:
    """Return what the list shows of the room. For a table with a delayed view, that is only what
    was fixed before its first hand."""
    meta, rules = room.meta, room.table.rules
    settled = LiveBoard(
        rules=rules_name({"length": rules.length}, preset_of(rules)),
        is_rated=bool(meta.ladder),
        ratings=tuple(ratings.get((meta.ladder, seat.person)) for seat in meta.seats),
    )
    if meta.settings.watch != "closed":
        return settled
    return show_board(settled, view(room.table, SPECTATOR))


def show_board(settled: LiveBoard, seen: Table) -> LiveBoard:
    """Add what spectators see of the table."""
    return replace(
        settled,
        stakes=tuple(_stakes(seen)),
        board=_board(seen),
        is_last_hand=_is_last_hand(seen),
        riichi=_riichi_count(seen),
        lead=_lead(seen),
    )


def _is_last_hand(seen: Table) -> bool:
    return seen.kyoku >= (3 if seen.rules.length == "east" else 7)


def _lead(seen: Table) -> int:
    first, second, *_rest = sorted(seen.scores, reverse=True)
    return first - second


def _riichi_count(seen: Table) -> int:
    return sum(hand.riichi is Riichi.ACCEPTED for hand in seen.hands)


def _stakes(seen: Table) -> Iterable[str]:
    """Yield what is at stake, in short texts."""
    if _is_last_hand(seen):
        yield _("Last hand: %(points)s points between 1st and 2nd") % {
            "points": format_number(_lead(seen))
        }
    if count := _riichi_count(seen):
        yield ngettext("%(count)d player in riichi", "%(count)d players in riichi", count) % {
            "count": count
        }
    if count := seen.kyotaku:
        yield ngettext(
            "%(count)d riichi stick on the table", "%(count)d riichi sticks on the table", count
        ) % {"count": count}


def _board(seen: Table) -> str:
    """Return the rivers by seat and the dora indicators. After a tile, `!` says that it declared
    riichi and `~` that it was called. Nothing here depends on whose turn it is: a table has a draw
    before it is shown."""
    rivers = [[_discard(entry) for entry in hand.river] for hand in seen.hands]
    riichi = [hand.riichi is Riichi.ACCEPTED for hand in seen.hands]
    dora = [tile_to_text(tile) for tile in seen.dora]
    return msgspec.json.encode({"rivers": rivers, "riichi": riichi, "dora": dora}).decode()


def _discard(entry: int) -> str:
    text = tile_to_text(entry & RIVER_TILE)
    return text + ("!" if entry & RIVER_RIICHI else "") + ("~" if entry & RIVER_TAKEN else "")
