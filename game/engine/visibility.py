"""The declarations of who may see a field.

Owns the kinds of declarations; `game.engine.perspective` applies them. Fields of events and of the
state declare them as ``field: Annotated[type, PUBLIC]``. A field without a declaration is hidden
from everybody, and a test fails.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

import msgspec


class Visibility(Enum):
    """How a field is shown to a viewer."""

    PUBLIC = "public"
    HIDDEN_ALWAYS = "hidden_always"
    """Never leaves the server: everybody sees the blank value of the field."""
    ACTOR_TILE = "actor_tile"
    """Of an event: only the acting seat sees the tile; others see ``HIDDEN``."""
    OWN_ROW_OF_TILES = "own_row_of_tiles"
    """One row of tiles per seat: the viewer sees its own row, and others as ``HIDDEN`` tiles."""
    OWN_BIT = "own_bit"
    """One bit per seat: the viewer sees its own bit only."""
    OWN_ENTRY = "own_entry"
    """One entry per seat: the viewer sees its own entry, and others as ``None``."""
    OWNER_ONLY = "owner_only"
    """Of a hand: the owner sees the value; others see the default of the field."""
    OWNER_OR_SHOWN = "owner_or_shown"
    """Of a hand: the owner sees the tiles; others see ``HIDDEN`` until the hand is shown."""
    TILE_ON_TURN = "tile_on_turn"
    """The drawn tile: the seat on turn sees it, and all do once its hand is shown."""


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
