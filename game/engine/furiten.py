"""Furiten: which seats may not win on another seat's tile.

Owns the three kinds of furiten: the seat has discarded one of its waits (called discards count);
the seat has passed a winning tile since its last turn; a seat in riichi has passed one since its
riichi. The last two are `Hand.missed`, which `game.engine.evolve` sets and clears.
"""

from __future__ import annotations

from game.engine.actions import Win
from game.engine.hand import distance, waits_of
from game.engine.state import RIVER_TILE, Hand, Table
from game.engine.tiles import NO_TILE, kind_of


def is_furiten(table: Table, seat: int) -> bool:
    """Return whether furiten forbids the seat to ron. A tile that the seat may win on now, or has
    declared a win on, does not count as passed."""
    if table.may_ron >> seat & 1 and isinstance(table.answers[seat], Win | None):
        return False
    hand = table.hands[seat]
    return hand.missed or has_discarded_wait(table, hand, waits_of(hand))


def has_discarded_wait(table: Table, hand: Hand, waits: int) -> bool:
    """Return whether the hand has discarded a tile of the mask `waits`."""
    for entry in hand.river if waits else ():
        if waits >> kind_of(entry & RIVER_TILE) & 1:
            return True
    if waits and table.rules.kakan_is_discard:
        # `waits` has no kind of which the hand holds all four tiles, as it does after an added kan.
        _, wanted = distance(hand.tiles)
        return any(
            meld.added != NO_TILE and wanted >> kind_of(meld.added) & 1 for meld in hand.melds
        )
    return False
