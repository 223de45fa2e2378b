"""Outlines of shapes as short SVG paths. Must not know tiles."""

from __future__ import annotations

import math
from collections.abc import Iterable

Point = tuple[float, float]
Box = tuple[float, float, float, float]


class Outline:
    """An outline of a shape, which writes itself as relative SVG commands with whole numbers."""

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
        """Add a closed circle. Circles inside it alternate with the even-odd rule."""
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


class Frame:
    """A coordinate system with its own origin and rotation: it maps `across` and `along` to a
    point."""

    def __init__(self, middle: Point, degrees: float = 0) -> None:
        self._middle = middle
        self._sine = math.sin(math.radians(degrees))
        self._cosine = math.cos(math.radians(degrees))

    def __call__(self, across: float, along: float) -> Point:
        x, y = self._middle
        return (
            x + across * self._cosine - along * self._sine,
            y + across * self._sine + along * self._cosine,
        )


def fill_outline(path: Outline, colour: str, *, even_odd: bool = False, bold: float = 0) -> str:
    """Return the filled outline. `bold` is the width of a line of the same colour around it."""
    rule = ' fill-rule="evenodd"' if even_odd else ""
    line = f' stroke="{colour}" stroke-width="{bold:g}" stroke-linejoin="round"' if bold else ""
    return f'<path fill="{colour}"{rule}{line} d="{path}"/>'


def stroke_outline(path: Outline, colour: str, width: float) -> str:
    """Return a line along the outline."""
    return (
        f'<path fill="none" stroke="{colour}" stroke-width="{width:g}" '
        f'stroke-linecap="round" stroke-linejoin="round" d="{path}"/>'
    )
