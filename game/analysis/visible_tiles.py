"""What a seat can see, counted: its own tiles, and what is left of every kind.

Knows nothing of plans or danger. Everything here comes from the seat's own view; tiles
that the view does not show are counted as unseen, wherever they are.
"""

from __future__ import annotations

from typing import Final

import msgspec

from game.engine.dora import indicated_kind
from game.engine.state import (
    NOBODY,
    RIVER_TAKEN,
    RIVER_TILE,
    RIVER_TSUMOGIRI,
    SEATS,
    Hand,
    Meld,
    MeldType,
    Phase,
    Table,
)
from game.engine.tiles import HIDDEN, KINDS, NO_TILE, is_red

_COPIES: Final = 4


class VisibleTiles(msgspec.Struct, frozen=True):
    """One seat's view of the table, counted by kind."""

    table: Table
    seat: int
    tiles: tuple[int, ...]
    """The own concealed tiles, with the one just drawn."""
    counts: list[int]
    """`tiles` by kind."""
    unseen: list[int]
    """Copies of each kind that the seat does not see."""
    dora: list[int]
    """How many dora one tile of each kind is, red fives not counted."""
    draws: int
    """Own draws still to come if nobody calls."""

    @property
    def hand(self) -> Hand:
        """The seat's own hand."""
        return self.table.hands[self.seat]

    @property
    def is_dealer(self) -> bool:
        """Whether the seat is East."""
        return self.table.dealer == self.seat

    def dora_in(self, tile: int) -> int:
        """How many dora this tile is, red five included."""
        return self.dora[tile >> 1] + is_red(tile)

    def is_yakuhai(self, kind: int) -> int:
        """How many han a triplet of this kind is worth by itself."""
        return yakuhai_han(self.table, self.seat, kind)


def yakuhai_han(table: Table, seat: int, kind: int) -> int:
    """How many han a triplet of this kind gives the seat: 2 for a double wind."""
    if kind >= 31:
        return 1
    return (kind == table.wind_of(seat)) + (kind == table.round_wind)


def is_closed(melds: tuple[Meld, ...]) -> bool:
    """Whether these melds leave the hand closed."""
    return all(meld.type == MeldType.ANKAN for meld in melds)


def look(table: Table, seat: int) -> VisibleTiles:
    """Count what `seat` sees on the table, its view of it."""
    hand = table.hands[seat]
    tiles = hand.tiles
    if table.phase == Phase.TURN and table.turn == seat and table.drawn not in (NO_TILE, HIDDEN):
        tiles = (*tiles, table.drawn)
    counts = [0] * KINDS
    for tile in tiles:
        counts[tile >> 1] += 1
    seen = counts.copy()
    for other in table.hands:
        for meld in other.melds:
            for tile in meld.tiles:
                seen[tile >> 1] += 1
        for entry in other.river:
            if not entry & RIVER_TAKEN:
                seen[(entry & RIVER_TILE) >> 1] += 1
    dora = [0] * KINDS
    for indicator in table.dora:
        seen[indicator >> 1] += 1
        dora[indicated_kind(indicator >> 1)] += 1
    return VisibleTiles(
        table=table,
        seat=seat,
        tiles=tiles,
        counts=counts,
        unseen=[max(0, _COPIES - number) for number in seen],
        dora=dora,
        draws=(table.left + 2) // 4,
    )


def safe_masks(table: Table) -> list[int]:
    """For each seat, the mask of the kinds it cannot win on.

    Those it has discarded itself (furiten), and those that went by since its hand last
    changed: since its riichi, or else since it last discarded from the hand.
    """
    passed = [0] * len(SEATS)
    own = [0] * len(SEATS)
    for seat, entry in discards_in_order(table):
        bit = 1 << ((entry & RIVER_TILE) >> 1)
        if not entry & RIVER_TSUMOGIRI:
            passed[seat] = 0
        for other in SEATS:
            if other != seat:
                passed[other] |= bit
    for seat in SEATS:
        for entry in table.hands[seat].river:
            own[seat] |= 1 << ((entry & RIVER_TILE) >> 1)
    return [mine | theirs for mine, theirs in zip(own, passed, strict=True)]


def discards_in_order(table: Table) -> list[tuple[int, int]]:
    """All discards of the hand as (seat, river entry), in the order they were made.

    The rivers and melds tell it: a discard is followed by one of the next seat, or, if it
    was taken, by one of the seat whose next open meld holds it.
    """
    rivers = [hand.river for hand in table.hands]
    calls = [[meld for meld in hand.melds if meld.type != MeldType.ANKAN] for hand in table.hands]
    upto = [0] * len(SEATS)
    called = [0] * len(SEATS)
    order: list[tuple[int, int]] = []
    seat = table.dealer
    while upto[seat] < len(rivers[seat]):
        entry = rivers[seat][upto[seat]]
        upto[seat] += 1
        order.append((seat, entry))
        if entry & RIVER_TAKEN:
            taker = _taker(calls, called, seat, entry & RIVER_TILE)
            if taker == NOBODY:
                break
            called[taker] += 1
            seat = taker
        else:
            seat = (seat + 1) % len(SEATS)
    return order


def _taker(calls: list[list[Meld]], called: list[int], target: int, tile: int) -> int:
    for seat in SEATS:
        if called[seat] < len(calls[seat]):
            meld = calls[seat][called[seat]]
            if meld.target == target and meld.called == tile:
                return seat
    return NOBODY
