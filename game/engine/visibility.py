"""Who may see a field: the declarations that `game.engine.perspective` carries out.

They are written on the fields of events and of the state, as
``field: Annotated[type, PUBLIC]``. A field without one is hidden from everybody, and a
test fails.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

import msgspec


class Visibility(Enum):
    """How a field is shown to a viewer."""

    PUBLIC = "public"
    HIDDEN_ALWAYS = "hidden_always"
    """Never leaves the server: shown as the field's blank value."""
    ACTOR_TILE = "actor_tile"
    """Of an event: a tile that only the acting seat sees; others see ``HIDDEN``."""
    OWN_ROW_OF_TILES = "own_row_of_tiles"
    """One row of tiles per seat: the viewer's own row is shown, the others as ``HIDDEN``."""
    OWN_BIT = "own_bit"
    """A bit per seat: only the viewer's own bit is kept."""
    OWN_ENTRY = "own_entry"
    """A tuple with one entry per seat: the others' entries become ``None``."""
    OWNER_ONLY = "owner_only"
    """Of a hand: its owner sees it, others see the field's default."""
    OWNER_OR_SHOWN = "owner_or_shown"
    """Of a hand: tiles that others see as ``HIDDEN`` until they are laid open."""
    TILE_ON_TURN = "tile_on_turn"
    """The drawn tile: seen by the seat on turn, and by all once its hand is laid open."""


def _declare(visibility: Visibility) -> Any:
    return msgspec.Meta(extra={"visibility": visibility})


PUBLIC: Final = _declare(Visibility.PUBLIC)
HIDDEN_ALWAYS: Final = _declare(Visibility.HIDDEN_ALWAYS)
ACTOR_TILE: Final = _declare(Visibility.ACTOR_TILE)
OWN_ROW_OF_TILES: Final = _declare(Visibility.OWN_ROW_OF_TILES)
OWN_BIT: Final = _declare(Visibility.OWN_BIT)
OWN_ENTRY: Final = _declare(Visibility.OWN_ENTRY)
OWNER_ONLY: Final = _declare(Visibility.OWNER_ONLY)
OWNER_OR_SHOWN: Final = _declare(Visibility.OWNER_OR_SHOWN)
TILE_ON_TURN: Final = _declare(Visibility.TILE_ON_TURN)
