"""Draws the tile faces into SVG sprites: `static/img/tiles.svg`, one for each other set, and
`tile-numbers.svg` with the numbers and winds that a page can lay over the faces of any set.

    python -m tools.draw_tiles FONT [--index N] [--out static/img]

Owns what is in a sprite and how it is written; the faces themselves are in `tools/tile_faces`,
the sets in `tools/tile_faces/inks.py`. Characters are outlines of an OFL font, taken with
fontTools when the sprites are built; circles, bamboo, the bird and the frames are geometry of
this project. The committed sprites are drawn with Noto Serif CJK JP Bold (Debian package
fonts-noto-cjk, `NotoSerifCJK-Bold.ttc`, index 0).

A face is a symbol `t-<mjai name>` of 300 by 400 units without a background: the page draws the
body of the tile. Only presentation attributes are used, because the content security policy
forbids styles, and whole numbers, so that the file stays small.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from fontTools.ttLib import TTCollection, TTFont  # type: ignore[import-untyped]

from tools.tile_faces.bamboo import draw_sou
from tools.tile_faces.characters import (
    HONOURS,
    Characters,
    draw_honour,
    draw_index,
    draw_man,
    draw_white_dragon,
)
from tools.tile_faces.circles import draw_pin
from tools.tile_faces.inks import SETS, TileSet
from tools.tile_faces.outline import Outline, fill_outline, stroke_outline

HEADER = """<!-- Tile faces drawn by tools/draw_tiles.py. Outlines of the characters are taken
from {font} ({copyright}), licensed under the SIL Open Font License 1.1
(https://openfontlicense.org); everything else is the project's own drawing. -->"""

BACK_LIGHT = "#fffdf3"
NUMBERED = "123456789ESWN"
"""What has a number or letter of its own. Dragons have none."""


def draw_faces(characters: Characters, tiles: TileSet) -> dict[str, str]:
    """Return every face by its mjai name, and the back as `back`."""
    drawn: dict[str, str] = {}
    for rank in range(1, 10):
        drawn[f"{rank}m"] = draw_man(characters, tiles, rank)
        drawn[f"{rank}p"] = draw_pin(tiles, rank)
        drawn[f"{rank}s"] = draw_sou(tiles, rank)
    drawn |= {name: draw_honour(characters, tiles, name) for name in HONOURS}
    drawn["P"] = draw_white_dragon(tiles)
    drawn["5mr"] = draw_man(characters, tiles, 5, red=True)
    drawn["5pr"] = draw_pin(tiles, 5, red=True)
    drawn["5sr"] = draw_sou(tiles, 5, red=True)
    return {name: face + _draw_red_mark(tiles, name) for name, face in drawn.items()} | {
        "back": draw_back()
    }


def _draw_red_mark(tiles: TileSet, name: str) -> str:
    """Return the disc that marks a red five for readers who cannot see red."""
    if not name.endswith("r"):
        return ""
    disc = Outline()
    disc.circle((277, 25) if name == "5mr" else (150, 30), 20)
    return fill_outline(disc, tiles.red_five)


def draw_back() -> str:
    """Return the back: a lattice inside a thin frame. The colour of the body shows through."""
    lattice = Outline()
    for offset in range(-300, 301, 60):
        for sign in (1, -1):
            points = [
                (x, y)
                for x in range(40, 261, 10)
                if 40 <= (y := 200 + offset + sign * (x - 150)) <= 360
            ]
            if len(points) > 1:
                lattice.move(points[0])
                lattice.line(points[-1])
    frame = Outline()
    frame.polygon([(30, 30), (270, 30), (270, 370), (30, 370)])
    lines = stroke_outline(lattice, BACK_LIGHT, 5) + stroke_outline(frame, BACK_LIGHT, 7)
    return f'<g opacity=".3">{lines}</g>'


def format_sprite(font: TTFont, drawn: dict[str, str]) -> str:
    """Return the SVG file of these symbols."""
    names = font["name"]
    header = HEADER.format(font=names.getDebugName(4), copyright=names.getDebugName(0))
    symbols = "\n".join(
        f'<symbol id="{name}" viewBox="0 0 300 400">{face}</symbol>' for name, face in drawn.items()
    )
    return f'{header}\n<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}\n</svg>\n'


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the sprites of tile faces.")
    parser.add_argument("font", type=Path, help="an OFL font with Chinese characters")
    parser.add_argument("--index", type=int, default=0, help="which font of a collection")
    parser.add_argument("--out", type=Path, default=Path("static/img"), help="the directory")
    options = parser.parse_args()
    if options.font.suffix == ".ttc":
        font = TTCollection(options.font).fonts[options.index]
    else:
        font = TTFont(options.font)
    for name, tiles in SETS.items():
        file = "tiles.svg" if name == "plain" else f"tiles-{name}.svg"
        drawn = {f"t-{face}": shape for face, shape in draw_faces(Characters(font), tiles).items()}
        (options.out / file).write_text(format_sprite(font, drawn), encoding="utf-8")
    numbers = {f"n-{sign}": draw_index(Characters(font), sign, "#000000") for sign in NUMBERED}
    (options.out / "tile-numbers.svg").write_text(format_sprite(font, numbers), encoding="utf-8")


if __name__ == "__main__":
    main()
