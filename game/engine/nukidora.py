"""North set aside (kita) in games of three players (`RuleSet.nukidora`).

Owns when a north can be set aside and how long it is open. It counts as a dora
(`game.engine.dora`). It is neither a call nor a kan nor a discard: the hand stays closed, four kans
remain possible, and the north does not make its owner furiten.
"""

from __future__ import annotations

from game.engine.kans import is_replacement_left
from game.engine.state import Riichi, Table
from game.engine.tiles import NO_TILE, NORTH, kind_of

NORTH_TILE = 2 * NORTH


def may_set_aside(table: Table) -> bool:
    """Return whether the seat on turn may set a north aside: one of its hand after a draw, in
    riichi only the one just drawn, and never the last tile of the wall."""
    if table.rules.nukidora == "off" or table.drawn == NO_TILE:
        return False
    if table.left == 0 or not is_replacement_left(table):
        return False
    hand = table.hands[table.turn]
    return table.drawn == NORTH_TILE or (
        hand.riichi != Riichi.ACCEPTED and NORTH_TILE in hand.tiles
    )


def is_north_open(table: Table) -> bool:
    """Return whether the open tile is a north that is being set aside. (It cannot be the tile of an
    added kan: the seat would hold all four norths.)"""
    return table.robbing and kind_of(table.claimed) == NORTH and table.hands[table.turn].norths > 0
