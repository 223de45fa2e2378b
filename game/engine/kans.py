"""The number of kans of all seats in one deal, and what follows from it.

Owns when a kan is possible and when four or five kans end it. Must not know which tiles a
seat holds.
"""

from __future__ import annotations

from typing import Final

from game.engine.state import KAN_TYPES, MeldType, Table
from game.engine.tiles import kind_of
from game.engine.wall import LAYOUTS

MAX_KANS: Final = 4


def is_another_kan_allowed(table: Table) -> bool:
    """Return whether one more kan is possible: there is a replacement tile, and it is not a fifth
    kan where the rules forbid that."""
    if table.left == 0 or not is_replacement_left(table):
        return False
    return count_kan_replacements(table) < MAX_KANS or table.rules.fifth_kan != "forbidden"


def count_kan_replacements(table: Table) -> int:
    """Return after how many kans a replacement tile was drawn. No north may be open."""
    if table.rules.nukidora == "off":
        return table.supplements
    return table.supplements - sum([hand.norths for hand in table.hands])


def is_replacement_left(table: Table) -> bool:
    """Return whether the dead wall has a replacement tile left, including ura indicators."""
    return table.supplements < len(LAYOUTS[table.rules.players].replacements)


def are_ura_used(table: Table) -> bool:
    """Return whether replacement tiles after a fifth kan were taken from the ura indicators."""
    return table.rules.fifth_kan == "use_ura" and table.supplements > MAX_KANS


def have_several_owners(table: Table) -> bool:
    """Return whether more than one seat has a kan."""
    return sum(any(meld.type in KAN_TYPES for meld in hand.melds) for hand in table.hands) > 1


def is_sukaikan_due(table: Table) -> bool:
    """Return whether the four kans of the hand belong to more than one seat, so that the hand ends
    unless somebody wins on the next discard."""
    return (
        table.supplements >= MAX_KANS
        and count_kan_replacements(table) == MAX_KANS
        and table.rules.sukaikan == "after_discard_pass"
        and have_several_owners(table)
    )


def aborts_on_declaration(table: Table) -> bool:
    """Return whether the kan just declared ends the hand, after nobody has robbed it."""
    replaced = count_kan_replacements(table)
    if replaced >= MAX_KANS:
        return table.rules.fifth_kan == "abort"
    return (
        replaced == MAX_KANS - 1
        and table.rules.sukaikan == "on_declaration"
        and have_several_owners(table)
    )


def has_declared(table: Table, kan: MeldType) -> bool:
    """Return whether the open tile belongs to a kan of this type, which is being declared."""
    kind = kind_of(table.claimed)
    return table.robbing and any(
        meld.type == kan and kind_of(meld.tiles[0]) == kind
        for meld in table.hands[table.turn].melds
    )
