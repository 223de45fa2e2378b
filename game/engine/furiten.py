"""Who may not win on somebody else's tile (furiten).

Three kinds: a tile of one's waits among one's own discards, called ones included; a winning
tile let go by since the last own turn; and the same in riichi, for the rest of the hand. The
last two are `Hand.missed`, which `game.engine.evolve` keeps.
"""

from __future__ import annotations

from game.engine.actions import Win
from game.engine.hand import distance, waits_of
from game.engine.state import RIVER_TILE, Hand, Table
from game.engine.tiles import NO_TILE


def is_furiten(table: Table, seat: int) -> bool:
    """Whether the seat may not ron. A win that is on offer to it, or declared, is not missed."""
    if table.may_ron >> seat & 1 and isinstance(table.answers[seat], Win | None):
        return False
    hand = table.hands[seat]
    return hand.missed or is_discarded(table, hand, waits_of(hand))


def is_discarded(table: Table, hand: Hand, waits: int) -> bool:
    """Whether one of these waits is among what the hand has discarded."""
    for entry in hand.river if waits else ():
        if waits >> ((entry & RIVER_TILE) >> 1) & 1:
            return True
    if waits and table.rules.kakan_is_discard:
        # Of an added tile the hand holds all four, so that it is none of the waits by itself.
        _, wanted = distance(hand.tiles)
        return any(meld.added != NO_TILE and wanted >> (meld.added >> 1) & 1 for meld in hand.melds)
    return False
