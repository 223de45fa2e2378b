"""Avatars of accounts: the picture of a tile on a coloured ground.

An avatar is written as the tile and the colour, such as ``5mr-blue``. The avatar of an account that
has chosen none depends only on its name, so that pages can draw it from the name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from django import template

TILES: Final = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *("E", "S", "W", "N", "P", "F", "C"),
    *("5mr", "5pr", "5sr"),
)
"""The tiles to choose from, as the sprite names them."""
COLOURS: Final = ("green", "blue", "red", "gold", "violet", "grey")
"""The colours of the ground to choose from. Each is a class of the style sheet."""
MAX_LENGTH: Final = 12
"""The length of the longest avatar."""
_BOT_MARK: Final = "BOT "

register = template.Library()


@dataclass(frozen=True, slots=True)
class Avatar:
    """A tile and the colour behind it."""

    tile: str
    colour: str

    def __str__(self) -> str:
        return f"{self.tile}-{self.colour}"


def parse_avatar(text: str) -> Avatar | None:
    """Parse an avatar such as ``5mr-blue``; None if its tile or colour does not exist."""
    tile, _, colour = text.partition("-")
    return Avatar(tile, colour) if tile in TILES and colour in COLOURS else None


def default_avatar(name: str) -> Avatar:
    """Return the avatar of an account that has chosen none, derived from its name."""
    colour, tile = divmod(crc32(name.encode()), len(TILES))
    return Avatar(TILES[tile], COLOURS[colour % len(COLOURS)])


def avatar_of(name: str, chosen: str) -> str:
    """Return the avatar shown for that account or guest: the `chosen` one, or if it is '' the
    default."""
    return str(parse_avatar(chosen) or default_avatar(name))


def is_name_of_bot(name: str) -> bool:
    """Return whether the name has the mark of bot accounts."""
    return name.startswith(_BOT_MARK)


@register.inclusion_tag("game/avatar.html")
def avatar(name: str, chosen: str, size: str = "") -> dict[str, str]:
    """Draw the avatar of that account. `chosen` is the avatar that the account has chosen, or ''.

    `size` is '' or ``large``. A bot has none; the mark before its name shows that it is one."""
    if is_name_of_bot(name):
        return {}
    shown = parse_avatar(chosen) or default_avatar(name)
    return {"tile": shown.tile, "colour": shown.colour, "size": size}


@register.inclusion_tag("game/avatar.html")
def avatar_in(chosen: Mapping[str, str], person: str, name: str) -> dict[str, str]:
    """Draw the avatar of that person. `chosen` maps the ids of people to the avatars that they have
    chosen."""
    return avatar(name, chosen.get(person, ""))
