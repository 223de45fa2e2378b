"""The suit of circles: their positions, and how a circle is drawn."""

from __future__ import annotations

import math
from typing import Literal

from tools.tile_faces.inks import Inks, TileSet
from tools.tile_faces.outline import Outline, Point, fill_outline

Ink = Literal["red", "green", "blue"]

LAYOUT: dict[int, tuple[int, list[tuple[int, int, Ink]]]] = {
    2: (70, [(150, 102, "green"), (150, 298, "blue")]),
    3: (56, [(76, 76, "blue"), (150, 200, "red"), (224, 324, "green")]),
    4: (60, [(82, 102, "blue"), (218, 102, "green"), (82, 298, "green"), (218, 298, "blue")]),
    5: (
        53,
        [
            (72, 78, "blue"),
            (228, 78, "green"),
            (150, 200, "red"),
            (72, 322, "green"),
            (228, 322, "blue"),
        ],
    ),
    6: (
        53,
        [
            (86, 72, "green"),
            (214, 72, "green"),
            (86, 208, "red"),
            (214, 208, "red"),
            (86, 330, "red"),
            (214, 330, "red"),
        ],
    ),
    7: (
        45,
        [
            (58, 58, "green"),
            (150, 104, "green"),
            (242, 150, "green"),
            (98, 246, "red"),
            (202, 246, "red"),
            (98, 346, "red"),
            (202, 346, "red"),
        ],
    ),
    8: (47, [(x, y, "blue") for y in (52, 151, 249, 348) for x in (92, 208)]),
    9: (
        46,
        [(x, 68, "blue") for x in (52, 150, 248)]
        + [(x, 200, "red") for x in (52, 150, 248)]
        + [(x, 332, "green") for x in (52, 150, 248)],
    ),
}

RINGS = (1.0, 0.72, 0.52, 0.22)
FULL = (1.0, 0.42)


def draw_pin(tiles: TileSet, rank: int, *, red: bool = False) -> str:
    """Return the face of the circle tile of that rank."""
    if rank == 1:
        return _draw_one(tiles.pin)
    radius, circles = LAYOUT[rank]
    paths: dict[str, Outline] = {}
    for x, y, ink in circles:
        colour = tiles.red_five if red else getattr(tiles.pin, ink)
        path = paths.setdefault(colour, Outline())
        for share in FULL if tiles.is_bold else RINGS:
            path.circle((x, y), radius * share)
    return "".join(fill_outline(path, colour, even_odd=True) for colour, path in paths.items())


def _draw_one(inks: Inks) -> str:
    """Return the face of the 1: rings around a flower of twelve petals."""
    rings = Outline()
    for radius in (130, 113, 101, 93):
        rings.circle((150, 200), radius)
    petals = Outline()
    for step in range(12):
        angle = step * math.tau / 12

        def turned(radius: float, offset: float, angle: float = angle) -> Point:
            return 150 + radius * math.sin(angle + offset), 200 - radius * math.cos(angle + offset)

        petals.move(turned(40, 0))
        petals.cubic(turned(58, -0.3), turned(85, -0.27), turned(85, 0))
        petals.cubic(turned(85, 0.27), turned(58, 0.3), turned(40, 0))
        petals.close()
    heart = Outline()
    for radius in (41, 30, 22, 9):
        heart.circle((150, 200), radius)
    return (
        fill_outline(rings, inks.blue, even_odd=True)
        + fill_outline(petals, inks.green)
        + fill_outline(heart, inks.red, even_odd=True)
    )
