"""The sets of tiles: the inks of each suit, and whether a set is bold.

`plain` has the usual colours. `four_colour` gives each suit one ink, so that players recognise a
suit by its colour, and only red fives are red. `contrast` is for people with low vision: black and
deep inks, and full shapes.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Inks:
    """The inks of one suit."""

    dark: str
    red: str
    green: str
    blue: str
    light: str = "#fffdf3"


@dataclass(frozen=True)
class TileSet:
    """How one set of tiles is printed."""

    man: Inks
    pin: Inks
    sou: Inks
    honours: Inks
    red_five: str
    is_bold: bool = False


_USUAL = Inks(dark="#1c2a4a", red="#c01f24", green="#0f6b3c", blue="#1d4e9e")
_DEEP = Inks(dark="#000000", red="#b00012", green="#00561f", blue="#0a2fa0", light="#ffffff")


def _two_colours(colour: str, second: str) -> Inks:
    """Return inks with `colour` for everything but the parts that are usually red or blue."""
    return Inks(dark=colour, red=second, green=colour, blue=second)


SETS: dict[str, TileSet] = {
    "plain": TileSet(
        man=_USUAL,
        pin=_USUAL,
        sou=_USUAL,
        honours=_USUAL,
        red_five="#c01f24",
    ),
    "four_colour": TileSet(
        man=_two_colours("#1d1d22", "#3a3a42"),
        pin=_two_colours("#1257c9", "#0b3f9c"),
        sou=_two_colours("#0b7a34", "#075a26"),
        honours=_two_colours("#7b2a9e", "#7b2a9e"),
        red_five="#d3121d",
    ),
    "contrast": TileSet(
        man=_DEEP,
        pin=_DEEP,
        sou=_DEEP,
        honours=_DEEP,
        red_five="#c80014",
        is_bold=True,
    ),
}
