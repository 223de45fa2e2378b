"""Draws the tile faces into one SVG sprite, `static/img/tiles.svg`.

    python tools/draw_tiles.py FONT [--index N] [--out static/img/tiles.svg]

Owns the look of the 34 kinds, the three red fives and the back. Characters are outlines
of an OFL font, taken with fontTools when the sprite is built; circles, bamboo, the bird
and the frames are geometry of this file. The committed sprite is drawn with Noto Serif CJK
JP Bold (Debian package fonts-noto-cjk, `NotoSerifCJK-Bold.ttc`, index 0).

A face is a symbol `t-<mjai name>` of 300 by 400 units with nothing behind it: the body of
the tile is the page's. Only presentation attributes are used, so that a strict content
security policy holds, and whole numbers, so that the file stays small.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fontTools.pens.boundsPen import BoundsPen  # type: ignore[import-untyped]
from fontTools.pens.recordingPen import DecomposingRecordingPen  # type: ignore[import-untyped]
from fontTools.ttLib import TTCollection, TTFont  # type: ignore[import-untyped]

Point = tuple[float, float]
Box = tuple[float, float, float, float]

INK = "#1c2a4a"
RED = "#c01f24"
GREEN = "#0f6b3c"
BLUE = "#1d4e9e"
LIGHT = "#fffdf3"

HEADER = """<!-- Tile faces drawn by tools/draw_tiles.py. Outlines of the characters are taken
from {font} ({copyright}), licensed under the SIL Open Font License 1.1
(https://openfontlicense.org); everything else is the project's own drawing. -->"""

NUMERALS = "一二三四五六七八九"
HONOURS = {"E": "東", "S": "南", "W": "西", "N": "北", "F": "發", "C": "中"}


class Outline:
    """An outline that writes itself as relative commands with whole numbers."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._at = (0, 0)
        self._start = (0, 0)

    def move(self, point: Point) -> None:
        self._emit("m", point)
        self._start = self._at

    def line(self, point: Point) -> None:
        self._emit("l", point)

    def quad(self, control: Point, point: Point) -> None:
        self._emit("q", control, point)

    def cubic(self, first: Point, second: Point, point: Point) -> None:
        self._emit("c", first, second, point)

    def close(self) -> None:
        self._parts.append("z")
        self._at = self._start

    def circle(self, centre: Point, radius: float) -> None:
        """A closed circle; nested ones alternate with the even-odd rule."""
        r = round(radius)
        self.move((centre[0] - r, centre[1]))
        self._parts.append(f"a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z")

    def polygon(self, points: Iterable[Point]) -> None:
        first, *rest = points
        self.move(first)
        for point in rest:
            self.line(point)
        self.close()

    def _emit(self, command: str, *points: Point) -> None:
        x0, y0 = self._at
        numbers = ""
        for x, y in points:
            for number in (round(x) - x0, round(y) - y0):
                numbers += str(number) if number < 0 or not numbers else f" {number}"
        self._parts.append(command + numbers)
        self._at = (round(points[-1][0]), round(points[-1][1]))

    def __str__(self) -> str:
        return "".join(self._parts)


def filled(path: Outline, colour: str, *, even_odd: bool = False) -> str:
    rule = ' fill-rule="evenodd"' if even_odd else ""
    return f'<path fill="{colour}"{rule} d="{path}"/>'


def stroked(path: Outline, colour: str, width: float) -> str:
    return (
        f'<path fill="none" stroke="{colour}" stroke-width="{width}" '
        f'stroke-linecap="round" stroke-linejoin="round" d="{path}"/>'
    )


class Characters:
    """Characters of one font as outlines fitted into boxes."""

    def __init__(self, font: TTFont) -> None:
        self._glyphs: Any = font.getGlyphSet()
        self._names = font.getBestCmap()

    def draw(self, character: str, box: Box, colour: str, *, stretch: float = 1.25) -> str:
        """The character, filling the box; one side is at most `stretch` times the other's scale."""
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
        return filled(path, colour)


# ---------------------------------------------------------------- characters and honours


def man(characters: Characters, rank: int, *, red: bool = False) -> str:
    height = {1: (70, 108), 2: (48, 140)}.get(rank, (26, 172))
    return characters.draw(
        NUMERALS[rank - 1], (52, height[0], 248, height[1]), RED if red else INK, stretch=1.6
    ) + characters.draw("萬", (50, 196, 250, 382), RED)


def honour(characters: Characters, name: str) -> str:
    colour = {"F": GREEN, "C": RED}.get(name, INK)
    return characters.draw(HONOURS[name], (34, 50, 266, 350), colour, stretch=1.32)


def white_dragon() -> str:
    """A double frame with clipped corners."""

    def frame(path: Outline, inset: float, cut: float) -> None:
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

    path = Outline()
    for inset, cut in ((0, 26), (18, 20), (32, 14), (40, 11)):
        frame(path, inset, cut)
    return filled(path, BLUE, even_odd=True)


# ---------------------------------------------------------------- circles

PIN_LAYOUT: dict[int, tuple[int, list[tuple[int, int, str]]]] = {
    2: (66, [(150, 104, GREEN), (150, 296, BLUE)]),
    3: (52, [(76, 78, BLUE), (150, 200, RED), (224, 322, GREEN)]),
    4: (56, [(84, 104, BLUE), (216, 104, GREEN), (84, 296, GREEN), (216, 296, BLUE)]),
    5: (
        50,
        [
            (76, 82, BLUE),
            (224, 82, GREEN),
            (150, 200, RED),
            (76, 318, GREEN),
            (224, 318, BLUE),
        ],
    ),
    6: (
        50,
        [(88, 74, GREEN), (212, 74, GREEN)] + [(x, y, RED) for y in (208, 326) for x in (88, 212)],
    ),
    7: (
        42,
        [(62, 62, GREEN), (150, 104, GREEN), (238, 146, GREEN)]
        + [(x, y, RED) for y in (238, 338) for x in (98, 202)],
    ),
    8: (45, [(x, y, BLUE) for y in (54, 151, 249, 346) for x in (92, 208)]),
    9: (
        44,
        [
            (x, y, colour)
            for y, colour in ((70, BLUE), (200, RED), (330, GREEN))
            for x in (56, 150, 244)
        ],
    ),
}


def pin(rank: int, *, red: bool = False) -> str:
    if rank == 1:
        return _great_circle()
    radius, circles = PIN_LAYOUT[rank]
    paths: dict[str, Outline] = {}
    for x, y, colour in circles:
        path = paths.setdefault(RED if red else colour, Outline())
        for share in (1.0, 0.74, 0.52, 0.2):
            path.circle((x, y), radius * share)
    return "".join(filled(path, colour, even_odd=True) for colour, path in paths.items())


def _great_circle() -> str:
    """The one of circles: rings around a flower of twelve petals."""
    rings = Outline()
    for radius in (126, 112, 100, 92):
        rings.circle((150, 200), radius)
    petals = Outline()
    for step in range(12):
        angle = step * math.tau / 12

        def turned(radius: float, offset: float, angle: float = angle) -> Point:
            return 150 + radius * math.sin(angle + offset), 200 - radius * math.cos(angle + offset)

        petals.move(turned(40, 0))
        petals.cubic(turned(58, -0.3), turned(84, -0.26), turned(84, 0))
        petals.cubic(turned(84, 0.26), turned(58, 0.3), turned(40, 0))
        petals.close()
    heart = Outline()
    for radius in (40, 30, 22, 8):
        heart.circle((150, 200), radius)
    return (
        filled(rings, BLUE, even_odd=True)
        + filled(petals, GREEN)
        + filled(heart, RED, even_odd=True)
    )


# ---------------------------------------------------------------- bamboo

Stick = tuple[float, float, float, float, str]
"""Middle, half length, angle in degrees, colour."""


def _columns(xs: Iterable[int], y: int, half: int, colour: str = GREEN) -> list[Stick]:
    return [(x, y, half, 0.0, colour) for x in xs]


SOU_LAYOUT: dict[int, tuple[float, list[Stick]]] = {
    2: (30, _columns([150], 108, 76) + _columns([150], 292, 76, BLUE)),
    3: (30, _columns([150], 108, 76, BLUE) + _columns([82, 218], 292, 76)),
    4: (30, _columns([82, 218], 108, 76) + _columns([82, 218], 292, 76)),
    5: (
        29,
        _columns([68, 232], 108, 76) + _columns([150], 200, 80, RED) + _columns([68, 232], 292, 76),
    ),
    6: (29, _columns([64, 150, 236], 108, 76) + _columns([64, 150, 236], 292, 76, BLUE)),
    7: (
        26,
        _columns([150], 74, 50, RED)
        + _columns([64, 236], 202, 52)
        + _columns([150], 202, 52, BLUE)
        + _columns([64, 236], 326, 52)
        + _columns([150], 326, 52, BLUE),
    ),
    8: (
        23,
        [
            (52, 108, 78, 0, GREEN),
            (248, 108, 78, 0, GREEN),
            (113, 112, 70, -38, GREEN),
            (187, 112, 70, 38, GREEN),
            (52, 292, 78, 0, BLUE),
            (248, 292, 78, 0, BLUE),
            (113, 288, 70, 38, BLUE),
            (187, 288, 70, -38, BLUE),
        ],
    ),
    9: (
        26,
        [
            (x, y, 54, 0, colour)
            for x, colour in ((64, GREEN), (150, RED), (236, GREEN))
            for y in (74, 200, 326)
        ],
    ),
}


def sou(rank: int, *, red: bool = False) -> str:
    if rank == 1:
        return _bird()
    width, sticks = SOU_LAYOUT[rank]
    bodies: dict[str, Outline] = {}
    gleam = Outline()
    for x, y, half, degrees, colour in sticks:
        _stick(
            bodies.setdefault(RED if red else colour, Outline()),
            gleam,
            (x, y),
            half,
            width,
            degrees,
        )
    return "".join(filled(path, colour) for colour, path in bodies.items()) + stroked(
        gleam, LIGHT, 7
    )


def _stick(
    body: Outline, gleam: Outline, middle: Point, half: float, width: float, degrees: float
) -> None:
    """A stick of two joints: wide at its ends and its knot, narrow between."""
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))

    def at(across: float, along: float) -> Point:
        return middle[0] + across * cosine - along * sine, middle[
            1
        ] + across * sine + along * cosine

    w, n = width, width * 0.66
    body.move(at(-w * 0.7, -half))
    body.line(at(w * 0.7, -half))
    body.quad(at(w * 1.15, -half), at(w, -half * 0.8))
    body.quad(at(n * 0.8, -half * 0.5), at(w, -half * 0.14))
    body.quad(at(w * 1.1, 0), at(w, half * 0.14))
    body.quad(at(n * 0.8, half * 0.5), at(w, half * 0.8))
    body.quad(at(w * 1.15, half), at(w * 0.7, half))
    body.line(at(-w * 0.7, half))
    body.quad(at(-w * 1.15, half), at(-w, half * 0.8))
    body.quad(at(-n * 0.8, half * 0.5), at(-w, half * 0.14))
    body.quad(at(-w * 1.1, 0), at(-w, -half * 0.14))
    body.quad(at(-n * 0.8, -half * 0.5), at(-w, -half * 0.8))
    body.quad(at(-w * 1.15, -half), at(-w * 0.7, -half))
    body.close()
    for sign in (-1, 1):
        gleam.move(at(0, sign * half * 0.3))
        gleam.line(at(0, sign * half * 0.68))


def _bird() -> str:
    """The one of bamboo: a bird on a stalk, its tail hanging down."""
    tail, eyes = Outline(), Outline()
    for tip, bend in (((250, 352), (262, 260)), ((206, 372), (216, 280)), ((162, 366), (176, 290))):
        tail.move((150, 226))
        tail.quad((bend[0] + 8, bend[1] - 30), (tip[0] + 20, tip[1] - 6))
        tail.quad((tip[0] + 2, tip[1] + 22), (tip[0] - 18, tip[1] - 2))
        tail.quad((bend[0] - 36, bend[1] + 8), (128, 250))
        tail.close()
        eyes.circle((tip[0], tip[1] - 12), 9)
    body = Outline()
    body.move((112, 84))
    body.cubic((80, 120), (54, 170), (72, 222))
    body.cubic((86, 262), (130, 276), (168, 252))
    body.cubic((206, 226), (200, 176), (176, 150))
    body.cubic((160, 132), (156, 112), (152, 84))
    body.close()
    wing = Outline()
    wing.move((122, 158))
    wing.cubic((168, 140), (222, 160), (246, 214))
    wing.cubic((204, 214), (150, 226), (122, 158))
    wing.close()
    barbs = Outline()
    for x, y, dx, dy in ((146, 168, 62, 24), (142, 184, 42, 22)):
        barbs.move((x, y))
        barbs.quad((x + dx * 0.5, y + dy * 0.2), (x + dx, y + dy))
    head = Outline()
    head.circle((130, 74), 34)
    beak = Outline()
    beak.polygon([(102, 60), (58, 82), (104, 90)])
    crest = Outline()
    for x, y in ((126, 14), (156, 14), (180, 30)):
        crest.move((140, 48))
        crest.line((x, y))
    eye = Outline()
    eye.circle((122, 68), 9)
    legs = Outline()
    for x in (98, 128):
        legs.move((x, 258))
        legs.line((x - 6, 330))
    stalk = Outline()
    stalk.move((36, 338))
    stalk.line((146, 338))
    return (
        stroked(legs, RED, 10)
        + stroked(stalk, GREEN, 16)
        + filled(tail, GREEN)
        + filled(eyes, LIGHT)
        + filled(body, GREEN)
        + filled(wing, BLUE)
        + stroked(barbs, LIGHT, 6)
        + stroked(crest, RED, 9)
        + filled(beak, RED)
        + filled(head, RED)
        + filled(eye, LIGHT)
    )


def back() -> str:
    """A lattice inside a thin frame; the colour of the body shows through."""
    lattice = Outline()
    for offset in range(-300, 301, 60):
        for sign in (1, -1):
            x0, x1 = 40, 260
            points = [
                (x, y)
                for x in range(x0, x1 + 1, 10)
                if 40 <= (y := 200 + offset + sign * (x - 150)) <= 360
            ]
            if len(points) > 1:
                lattice.move(points[0])
                lattice.line(points[-1])
    frame = Outline()
    frame.polygon([(30, 30), (270, 30), (270, 370), (30, 370)])
    return f'<g opacity=".3">{stroked(lattice, LIGHT, 5)}{stroked(frame, LIGHT, 7)}</g>'


# ---------------------------------------------------------------- the sprite


def faces(characters: Characters) -> dict[str, str]:
    """Every face by its mjai name, and `back`."""
    drawn = {f"{rank}m": man(characters, rank) for rank in range(1, 10)}
    drawn |= {f"{rank}p": pin(rank) for rank in range(1, 10)}
    drawn |= {f"{rank}s": sou(rank) for rank in range(1, 10)}
    drawn |= {name: honour(characters, name) for name in "ESWN"}
    drawn |= {"P": white_dragon()}
    drawn |= {name: honour(characters, name) for name in "FC"}
    drawn |= {"5mr": man(characters, 5, red=True), "5pr": pin(5, red=True), "5sr": sou(5, red=True)}
    return drawn | {"back": back()}


def sprite(font: TTFont) -> str:
    """The whole SVG file."""
    names = font["name"]
    header = HEADER.format(font=names.getDebugName(4), copyright=names.getDebugName(0))
    symbols = "\n".join(
        f'<symbol id="t-{name}" viewBox="0 0 300 400">{face}</symbol>'
        for name, face in faces(Characters(font)).items()
    )
    return f'{header}\n<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}\n</svg>\n'


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the sprite of tile faces.")
    parser.add_argument("font", type=Path, help="an OFL font with Chinese characters")
    parser.add_argument("--index", type=int, default=0, help="which font of a collection")
    parser.add_argument("--out", type=Path, default=Path("static/img/tiles.svg"))
    options = parser.parse_args()
    if options.font.suffix == ".ttc":
        font = TTCollection(options.font).fonts[options.index]
    else:
        font = TTFont(options.font)
    options.out.write_text(sprite(font), encoding="utf-8")


if __name__ == "__main__":
    main()
