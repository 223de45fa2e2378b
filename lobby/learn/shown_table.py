"""Prepares the table as one seat saw it for `learn/shown_table.html`, in the reader's language."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from game.engine.state import RIVER_RIICHI, RIVER_TAKEN, RIVER_TILE, Meld, Phase, Riichi, Table
from game.engine.tiles import TILE_TO_TEXT
from game.results.game_text import format_number, hand_name, join_list, table_text
from lobby.learn.tile_rows import ShownRow, ShownTile, meld_row, row_of_tiles, tile_name


def table_context(seen: Table, seat: int) -> dict[str, Any]:
    """Return the context of the table: the seats with their discards and melds, this one first."""
    count = len(seen.seats)
    return {
        "hand_name": hand_name(seen.kyoku, seen.honba),
        "left": seen.left,
        "sticks": seen.kyotaku,
        "dora": row_of_tiles(seen.dora),
        "seats": [_seat_context(seen, (seat + step) % count, seat) for step in range(count)],
        "melds": meld_rows(seen, seat),
    }


def meld_rows(seen: Table, seat: int) -> list[ShownRow]:
    """Return the melds of the seat as they lie on the table."""
    return [meld_row(_turned(meld, seat)) for meld in seen.hands[seat].melds]


def _seat_context(seen: Table, seat: int, own: int) -> dict[str, Any]:
    hand = seen.hands[seat]
    return {
        "wind": table_text("winds", "ESWN"[(seat - seen.dealer) % len(seen.seats)]),
        "is_own": seat == own,
        "score": format_number(seen.scores[seat]),
        "is_riichi": hand.riichi != Riichi.NONE,
        "river": _river_row(hand.river),
        "melds": [] if seat == own else meld_rows(seen, seat),
        "has_claimed": seen.phase == Phase.CLAIMS and seen.turn == seat,
    }


def _turned(meld: Meld, seat: int) -> Meld:
    """Return the meld as if its owner were seat 0."""
    return replace(meld, target=(meld.target - seat) % 4)


def _river_row(river: tuple[int, ...]) -> ShownRow:
    """Return the discards of a seat without those that were called. The riichi tile lies
    sideways."""
    shown = [entry for entry in river if not entry & RIVER_TAKEN]
    tiles = [entry & RIVER_TILE for entry in shown]
    return ShownRow(
        tuple(
            ShownTile(TILE_TO_TEXT[tile], is_sideways=bool(entry & RIVER_RIICHI))
            for tile, entry in zip(tiles, shown, strict=True)
        ),
        join_list([tile_name(tile) for tile in tiles]),
    )
