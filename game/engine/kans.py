"""The number of kans of all seats in one hand, and its consequences.

Owns when a kan is possible and when four or five kans end the hand. Must not know which tiles a
seat holds.
"""

from __future__ import annotations

from typing import Final

from game.engine.state import KAN_TYPES, MeldType, Table
from game.engine.tiles import kind_of
from game.engine.wall import LAYOUTS

MAX_KANS: Final = 4


def is_another_kan_allowed(table: Table) -> bool:
    """Return whether one more kan is possible: a replacement tile is left, and the rules allow the
    kan if it is the fifth."""
    if table.left == 0 or not is_replacement_left(table):
        return False
    return count_kan_replacements(table) < MAX_KANS or table.rules.fifth_kan != "forbidden"


def count_kan_replacements(table: Table) -> int:
    """Return the number of replacement tiles drawn after kans, without those after norths. Do not
    call this while a north is open."""
    if table.rules.nukidora == "off":
        return table.supplements
    return table.supplements - sum([hand.norths for hand in table.hands])


def is_replacement_left(table: Table) -> bool:
    """Return whether the dead wall has a replacement tile left. Under `fifth_kan` "use_ura" the ura
    indicators count as replacement tiles."""
    return table.supplements < len(LAYOUTS[table.rules.players].replacements)


def are_ura_used(table: Table) -> bool:
    """Return whether replacement tiles after a fifth kan were taken from the ura indicators."""
    return table.rules.fifth_kan == "use_ura" and table.supplements > MAX_KANS


def have_several_owners(table: Table) -> bool:
    """Return whether more than one seat has a kan."""
    return sum(any(meld.type in KAN_TYPES for meld in hand.melds) for hand in table.hands) > 1


def is_sukaikan_due(table: Table) -> bool:
    """Return whether the hand has four kans of more than one seat, so that it ends unless somebody
    wins on the next discard."""
    return (
        table.supplements >= MAX_KANS
        and count_kan_replacements(table) == MAX_KANS
        and table.rules.sukaikan == "after_discard_pass"
        and have_several_owners(table)
    )


def aborts_on_declaration(table: Table) -> bool:
    """Return whether the kan just declared ends the hand if nobody robs it."""
    replaced = count_kan_replacements(table)
    if replaced >= MAX_KANS:
        return table.rules.fifth_kan == "abort"
    return (
        replaced == MAX_KANS - 1
        and table.rules.sukaikan == "on_declaration"
        and have_several_owners(table)
    )


def is_kan_being_declared(table: Table, kan: MeldType) -> bool:
    """Return whether the open tile belongs to a kan of this type that is being declared."""
    kind = kind_of(table.claimed)
    return table.robbing and any(
        meld.type == kan and kind_of(meld.tiles[0]) == kind
        for meld in table.hands[table.turn].melds
    )
