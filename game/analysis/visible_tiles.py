"""The tiles that a seat sees, counted by kind.

Owns the counts of a seat's own tiles and of the unseen copies of each kind. Works on the view of
the seat; tiles that the view hides count as unseen. Must not know goals or danger.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import msgspec

from game.analysis.placement import Stakes
from game.engine.dora import indicated_kind
from game.engine.nukidora import NORTH_TILE
from game.engine.state import (
    NOBODY,
    RIVER_TAKEN,
    RIVER_TILE,
    RIVER_TSUMOGIRI,
    Hand,
    Meld,
    MeldType,
    Phase,
    Table,
)
from game.engine.tiles import (
    HAKU,
    HIDDEN,
    KINDS,
    NO_TILE,
    NORTH,
    NOT_IN_PLAY,
    count_kinds,
    is_red,
    kind_of,
    kinds_in,
)

COPIES_OF_KIND: Final = 4
"""Number of tiles of each kind, red fives included."""


class VisibleTiles(msgspec.Struct, frozen=True):
    """The view of one seat, counted by kind."""

    table: Table
    seat: int
    tiles: tuple[int, ...]
    """The seat's concealed tiles, including the one just drawn."""
    counts: list[int]
    """Numbers of `tiles` by kind."""
    unseen: list[int]
    """Number of copies of each kind that the seat does not see."""
    dora: list[int]
    """How many dora a tile of each kind counts, without red fives."""
    own_draws_left: int
    """The seat's share of the draws that are left, rounded."""
    players: int
    """The number of seats of the table."""
    stakes: Stakes | None = None
    """The worth of points for the final place; None if points count as they are."""

    @property
    def hand(self) -> Hand:
        """The seat's own hand."""
        return self.table.hands[self.seat]

    @property
    def is_dealer(self) -> bool:
        """Whether the seat is East."""
        return self.table.dealer == self.seat

    @property
    def open_copies(self) -> list[int]:
        """Number of copies of each kind in rivers, melds and indicators, without the seat's
        concealed tiles."""
        pairs = zip(self.unseen, self.counts, strict=True)
        return [COPIES_OF_KIND - left - mine for left, mine in pairs]

    def dora_in(self, tile: int) -> int:
        """Return how many dora this tile counts, red five included."""
        return self.dora[kind_of(tile)] + is_red(tile)

    def yakuhai_han_of(self, kind: int) -> int:
        """Return the han of a yakuhai triplet of this kind for the seat; 0 for other kinds."""
        return yakuhai_han(self.table, self.seat, kind)


def yakuhai_han(table: Table, seat: int, kind: int) -> int:
    """Return the han of a yakuhai triplet of `kind` for the seat: 2 for a double wind, 0 for other
    kinds."""
    if kind >= HAKU or (kind == NORTH and table.rules.north_is_yakuhai):
        return 1
    return (kind == table.wind_of(seat)) + (kind == table.round_wind)


def known_tiles(table: Table, seat: int) -> Counter[int]:
    """Count the tiles that `seat` sees on its view: its own tiles, melds, rivers, indicators
    and norths set aside."""
    seen = Counter(_own_tiles(table, seat))
    seen.update(table.dora)
    for hand in table.hands:
        for meld in hand.melds:
            seen.update(meld.tiles)
        seen.update([entry & RIVER_TILE for entry in hand.river if not entry & RIVER_TAKEN])
        if hand.norths:
            seen[NORTH_TILE] += hand.norths
    return seen


def unseen_kinds(known: Counter[int], players: int) -> list[int]:
    """Return for each kind the number of copies that are not in `known`. `players` decides which
    kinds are in play."""
    counts = count_kinds(known.elements())
    for kind in kinds_in(NOT_IN_PLAY[players]):
        counts[kind] = COPIES_OF_KIND
    return [max(0, COPIES_OF_KIND - number) for number in counts]


def _own_tiles(table: Table, seat: int) -> tuple[int, ...]:
    tiles = table.hands[seat].tiles
    if table.phase == Phase.TURN and table.turn == seat and table.drawn not in (NO_TILE, HIDDEN):
        return (*tiles, table.drawn)
    return tiles


def count_visible(table: Table, seat: int, stakes: Stakes | None = None) -> VisibleTiles:
    """Return the tiles that `seat` sees, counted by kind. `table` is the view of the seat."""
    tiles, players = _own_tiles(table, seat), table.rules.players
    dora = [0] * KINDS
    for indicator in table.dora:
        dora[indicated_kind(kind_of(indicator), players)] += 1
    return VisibleTiles(
        table=table,
        seat=seat,
        tiles=tiles,
        counts=count_kinds(tiles),
        unseen=unseen_kinds(known_tiles(table, seat), players),
        dora=dora,
        own_draws_left=(table.left + players // 2) // players,
        players=players,
        stakes=stakes,
    )


def safe_masks(table: Table) -> list[int]:
    """Return for each seat the mask of the kinds that count as safe against it.

    These are the kinds that the seat has discarded (furiten), and the kinds that others have
    discarded since the seat's last discard that was not tsumogiri. After such a discard its hand
    may have changed.
    """
    passed = [0] * len(table.hands)
    own = [0] * len(table.hands)
    for seat, entry in discards_in_order(table):
        bit = 1 << kind_of(entry & RIVER_TILE)
        if not entry & RIVER_TSUMOGIRI:
            passed[seat] = 0
        for other in table.seats:
            if other != seat:
                passed[other] |= bit
    for seat, hand in enumerate(table.hands):
        for entry in hand.river:
            own[seat] |= 1 << kind_of(entry & RIVER_TILE)
    return [mine | theirs for mine, theirs in zip(own, passed, strict=True)]


def discards_in_order(table: Table) -> list[tuple[int, int]]:
    """Return all discards of the hand as (seat, river entry), in the order in which they were made.

    The rivers and melds determine this order. After a discard the next seat discards; if the tile
    was called, the seat whose next open meld contains it discards.
    """
    rivers = [hand.river for hand in table.hands]
    open_melds = [
        [meld for meld in hand.melds if meld.type != MeldType.ANKAN] for hand in table.hands
    ]
    next_discard = [0] * len(rivers)
    melds_used = [0] * len(rivers)
    order: list[tuple[int, int]] = []
    seat = table.dealer
    while next_discard[seat] < len(rivers[seat]):
        entry = rivers[seat][next_discard[seat]]
        next_discard[seat] += 1
        order.append((seat, entry))
        if entry & RIVER_TAKEN:
            caller = _find_caller(open_melds, melds_used, seat, entry & RIVER_TILE)
            if caller == NOBODY:
                break
            melds_used[caller] += 1
            seat = caller
        else:
            seat = (seat + 1) % len(rivers)
    return order


def _find_caller(
    open_melds: list[list[Meld]], melds_used: list[int], target: int, tile: int
) -> int:
    for seat, melds in enumerate(open_melds):
        if melds_used[seat] < len(melds):
            meld = melds[melds_used[seat]]
            if meld.target == target and meld.called == tile:
                return seat
    return NOBODY
