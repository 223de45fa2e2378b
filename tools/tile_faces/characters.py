"""Characters, honours and the corner index: outlines of a font, and brush strokes of this project.

The first three numerals consist of horizontal strokes, which a printing font draws very thin. They
are drawn here, as bold as the other numerals.
"""

from __future__ import annotations

from typing import Any

from fontTools.pens.boundsPen import BoundsPen  # type: ignore[import-untyped]
from fontTools.pens.recordingPen import DecomposingRecordingPen  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from tools.tile_faces.inks import TileSet
from tools.tile_faces.outline import Box, Outline, Point, fill_outline

NUMERALS = "一二三四五六七八九"
HONOURS = {"E": "東", "S": "南", "W": "西", "N": "北", "F": "發", "C": "中"}

STROKES: dict[int, list[tuple[int, int, int]]] = {
    1: [(50, 250, 102)],
    2: [(80, 220, 58), (46, 254, 140)],
    3: [(70, 230, 40), (86, 214, 98), (44, 256, 158)],
}
"""Left end, right end and height of the strokes of the first numerals."""


class Characters:
    """Characters of one font as outlines fitted into boxes."""

    def __init__(self, font: TTFont) -> None:
        self._glyphs: Any = font.getGlyphSet()
        self._names = font.getBestCmap()

    def draw(
        self, character: str, box: Box, colour: str, *, stretch: float = 1.25, bold: float = 0
    ) -> str:
        """Return the character, filling the box. The scale of one side is at most `stretch` times
        that of the other."""
        name = self._names[ord(character)]
        bounds = BoundsPen(self._glyphs)
        self._glyphs[name].draw(bounds)
        left, bottom, right, top = bounds.bounds
        x0, y0, x1, y1 = box
        scale_x = (x1 - x0) / (right - left)
        scale_y = (y1 - y0) / (top - bottom)
        scale_x, scale_y = min(scale_x, scale_y * stretch), min(scale_y, scale_x * stretch)
        middle_x, middle_y = (left + right) / 2, (bottom + top) / 2

        def place(point: Point) -> Point:
            return (
                (x0 + x1) / 2 + (point[0] - middle_x) * scale_x,
                (y0 + y1) / 2 - (point[1] - middle_y) * scale_y,
            )

        pen = DecomposingRecordingPen(self._glyphs)
        self._glyphs[name].draw(pen)
        path = Outline()
        for command, points in pen.value:
            match command, [place(point) for point in points]:
                case "moveTo", [point]:
                    path.move(point)
                case "lineTo", [point]:
                    path.line(point)
                case "curveTo", [first, second, point]:
                    path.cubic(first, second, point)
                case "qCurveTo", [control, point]:
                    path.quad(control, point)
                case "closePath", []:
                    path.close()
                case other:
                    raise ValueError(f"cannot draw {character}: {other}")
        return fill_outline(path, colour, bold=bold)


def draw_man(characters: Characters, tiles: TileSet, rank: int, *, red: bool = False) -> str:
    """Return the face of that character tile: the numeral above, the sign for ten thousand
    below."""
    inks = tiles.man
    colour = tiles.red_five if red else inks.dark
    bold = 12 if tiles.is_bold else 5
    if rank in STROKES:
        numeral = _draw_strokes(STROKES[rank], colour, 34 if tiles.is_bold else 28)
    else:
        box = (50, 22, 250, 176)
        numeral = characters.draw(NUMERALS[rank - 1], box, colour, stretch=1.6, bold=bold)
    below = tiles.red_five if red else inks.red
    ten_thousand = (46, 200, 254, 386)
    return numeral + characters.draw("萬", ten_thousand, below, bold=8 if tiles.is_bold else 3)


def _draw_strokes(strokes: list[tuple[int, int, int]], colour: str, weight: float) -> str:
    """Return horizontal brush strokes: thin where the brush begins at the left, bold at the
    right."""
    path = Outline()
    for left, right, y in strokes:
        half = weight / 2
        path.move((left, y - half * 0.9))
        path.quad((left + 14, y - half * 0.5), (left + 30, y - half * 0.7))
        path.line((right - 44, y - half * 0.8))
        path.quad((right - 26, y - half * 1.7), (right - 14, y - half * 1.4))
        path.quad((right + 2, y - half * 0.3), (right + 4, y + half * 0.4))
        path.quad((right - 2, y + half * 1.1), (right - 20, y + half * 0.9))
        path.line((left + 22, y + half * 0.9))
        path.quad((left - 2, y + half * 1.1), (left, y - half * 0.9))
        path.close()
    return fill_outline(path, colour)


def draw_honour(characters: Characters, tiles: TileSet, name: str) -> str:
    """Return the face of a wind, or of the green or the red dragon."""
    inks = tiles.honours
    colour = {"F": inks.green, "C": inks.red}.get(name, inks.dark)
    bold = 12 if tiles.is_bold else 4
    return characters.draw(HONOURS[name], (32, 48, 268, 352), colour, stretch=1.32, bold=bold)


def draw_white_dragon(tiles: TileSet) -> str:
    """Return the face of the white dragon: a double frame with clipped corners."""
    path = Outline()
    insets = [(0, 26), (24, 20)] if tiles.is_bold else [(0, 26), (18, 20), (32, 14), (40, 11)]
    for inset, cut in insets:
        x0, y0, x1, y1 = 36 + inset, 44 + inset, 264 - inset, 356 - inset
        path.polygon(
            [
                (x0 + cut, y0),
                (x1 - cut, y0),
                (x1, y0 + cut),
                (x1, y1 - cut),
                (x1 - cut, y1),
                (x0 + cut, y1),
                (x0, y1 - cut),
                (x0, y0 + cut),
            ]
        )
    return fill_outline(path, tiles.honours.blue, even_odd=True)


def draw_index(characters: Characters, letter: str, colour: str) -> str:
    """Return the small name of the tile in its upper left corner."""
    return characters.draw(letter, (2, 4, 80, 104), colour, stretch=1.5, bold=6)
