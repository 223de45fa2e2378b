"""How many kans there are, and what that leads to."""

from __future__ import annotations

from typing import Final

from game.engine.state import MeldType, Table
from game.engine.wall import REPLACEMENTS

MOST_KANS: Final = 4
_KANS: Final = (MeldType.DAIMINKAN, MeldType.ANKAN, MeldType.KAKAN)


def may_add_kan(table: Table) -> bool:
    """Whether one more kan may be declared or called: there is a tile for it to be replaced
    by, and it is not the fifth where that is forbidden."""
    if table.left == 0 or not is_replacement_left(table):
        return False
    return table.supplements < MOST_KANS or table.rules.fifth_kan != "forbidden"


def is_replacement_left(table: Table) -> bool:
    """Whether the dead wall has a tile to replace one more kan, ura indicators included."""
    return table.supplements < REPLACEMENTS


def have_several_owners(table: Table) -> bool:
    """Whether more than one seat has a kan."""
    return sum(any(meld.type in _KANS for meld in hand.melds) for hand in table.hands) > 1


def is_sukaikan_due(table: Table) -> bool:
    """Whether four kans of several owners stand, so that the hand ends unless the next
    discard is won on."""
    return (
        table.supplements == MOST_KANS
        and table.rules.sukaikan == "after_discard_pass"
        and have_several_owners(table)
    )


def aborts_on_declaration(table: Table) -> bool:
    """Whether the kan just declared ends the hand, now that nobody has robbed it."""
    if table.supplements >= MOST_KANS:
        return table.rules.fifth_kan == "abort"
    return (
        table.supplements == MOST_KANS - 1
        and table.rules.sukaikan == "on_declaration"
        and have_several_owners(table)
    )
