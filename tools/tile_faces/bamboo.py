"""The suit of bamboo: the positions of the sticks, and the bird of the 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from tools.tile_faces.inks import TileSet
from tools.tile_faces.outline import Frame, Outline, fill_outline, stroke_outline

Ink = Literal["red", "green", "blue"]
Stick = tuple[float, float, float, float, Ink]
"""Middle, half length, angle in degrees, ink."""


def _stick_row(xs: Iterable[int], y: int, half: int, ink: Ink = "green") -> list[Stick]:
    return [(x, y, half, 0.0, ink) for x in xs]


def _slanted_sticks(y: int, slant: int, ink: Ink) -> list[Stick]:
    """Return four sticks that stand like an M, or like a W with a negative slant."""
    return [
        (48, y, 80, 0, ink),
        (252, y, 80, 0, ink),
        (110, y + slant / 9, 74, -slant, ink),
        (190, y + slant / 9, 74, slant, ink),
    ]


LAYOUT: dict[int, tuple[float, list[Stick]]] = {
    2: (33, _stick_row([150], 105, 84) + _stick_row([150], 295, 84, "blue")),
    3: (32, _stick_row([150], 105, 84, "blue") + _stick_row([82, 218], 295, 84)),
    4: (32, _stick_row([82, 218], 105, 84) + _stick_row([82, 218], 295, 84, "blue")),
    5: (
        31,
        _stick_row([62, 238], 105, 84)
        + _stick_row([150], 200, 84, "red")
        + _stick_row([62, 238], 295, 84),
    ),
    6: (31, _stick_row([60, 150, 240], 105, 84) + _stick_row([60, 150, 240], 295, 84, "blue")),
    7: (
        29,
        _stick_row([150], 66, 52, "red")
        + _stick_row([58, 242], 204, 56)
        + _stick_row([150], 204, 56, "blue")
        + _stick_row([58, 242], 334, 56)
        + _stick_row([150], 334, 56, "blue"),
    ),
    8: (23, _slanted_sticks(106, 36, "green") + _slanted_sticks(294, -36, "blue")),
    9: (
        29,
        _stick_row([58, 242], 69, 58)
        + _stick_row([58, 242], 200, 58)
        + _stick_row([58, 242], 331, 58)
        + [stick for y in (69, 200, 331) for stick in _stick_row([150], y, 58, "red")],
    ),
}


def draw_sou(tiles: TileSet, rank: int, *, red: bool = False) -> str:
    """Return the face of the bamboo tile of that rank."""
    if rank == 1:
        return _draw_bird(tiles)
    width, sticks = LAYOUT[rank]
    if tiles.is_bold:
        width *= 1.08
    bodies: dict[str, Outline] = {}
    joints, gleam = Outline(), Outline()
    for x, y, half, degrees, ink in sticks:
        colour = tiles.red_five if red else getattr(tiles.sou, ink)
        at = Frame((x, y), degrees)
        _add_stick(bodies.setdefault(colour, Outline()), at, half, width)
        _add_stick_marks(joints, gleam, at, half, width)
    light = tiles.sou.light
    drawn = "".join(fill_outline(path, colour) for colour, path in bodies.items())
    drawn += stroke_outline(joints, light, 6)
    return drawn if tiles.is_bold else drawn + stroke_outline(gleam, light, 6)


def _add_stick(path: Outline, at: Frame, half: float, width: float) -> None:
    """Add a stick of two joints to the path. Its ends and its knot are a little wider."""
    w, n, corner = width, width * 0.8, width * 0.35
    knot = width * 0.34
    path.move(at(-w + corner, -half))
    path.line(at(w - corner, -half))
    path.quad(at(w, -half), at(w, -half + corner))
    path.quad(at(n * 0.98, -half * 0.72), at(n, -half * 0.45))
    path.line(at(n, -knot))
    path.quad(at(w * 1.16, 0), at(n, knot))
    path.line(at(n, half * 0.45))
    path.quad(at(n * 0.98, half * 0.72), at(w, half - corner))
    path.quad(at(w, half), at(w - corner, half))
    path.line(at(-w + corner, half))
    path.quad(at(-w, half), at(-w, half - corner))
    path.quad(at(-n * 0.98, half * 0.72), at(-n, half * 0.45))
    path.line(at(-n, knot))
    path.quad(at(-w * 1.16, 0), at(-n, -knot))
    path.line(at(-n, -half * 0.45))
    path.quad(at(-n * 0.98, -half * 0.72), at(-w, -half + corner))
    path.quad(at(-w, -half), at(-w + corner, -half))
    path.close()


def _add_stick_marks(joints: Outline, gleam: Outline, at: Frame, half: float, width: float) -> None:
    """Add the light ring around the knot, and the light line down each joint."""
    joints.move(at(-width * 0.9, 0))
    joints.line(at(width * 0.9, 0))
    for sign in (-1, 1):
        gleam.move(at(-width * 0.2, sign * half * 0.36))
        gleam.line(at(-width * 0.2, sign * half * 0.76))


def _draw_bird(tiles: TileSet) -> str:
    """Return the face of the 1: a peacock on a stick, with its train on the right."""
    inks = tiles.sou
    plumes, eyes = _draw_train()
    body = Outline()
    body.move((118, 98))
    body.cubic((84, 116), (44, 156), (52, 208))
    body.cubic((58, 254), (104, 280), (150, 268))
    body.cubic((196, 254), (214, 216), (196, 184))
    body.cubic((184, 160), (164, 150), (160, 112))
    body.close()
    wing, feathers = _draw_wing()
    head, eye, beak, crest = Outline(), Outline(), Outline(), Outline()
    head.circle((136, 78), 36)
    eye.circle((126, 72), 9)
    beak.polygon([(104, 62), (52, 86), (106, 94)])
    for x, y in ((128, 16), (162, 12), (192, 30)):
        crest.move((148, 52))
        crest.line((x, y))
    legs = Outline()
    for x in (96, 130):
        legs.move((x, 262))
        legs.line((x - 4, 336))
    perch = Outline()
    perch.move((30, 350))
    perch.line((176, 350))
    return (
        stroke_outline(legs, inks.red, 12)
        + fill_outline(plumes, inks.green)
        + fill_outline(eyes, inks.light)
        + stroke_outline(perch, inks.green, 20)
        + fill_outline(body, inks.green)
        + fill_outline(wing, inks.blue)
        + stroke_outline(feathers, inks.light, 7)
        + stroke_outline(crest, inks.red, 11)
        + fill_outline(beak, inks.red)
        + fill_outline(head, inks.red)
        + fill_outline(eye, inks.light)
    )


def _draw_train() -> tuple[Outline, Outline]:
    """Return three long feathers that spread downwards, and the eye of each."""
    plumes, eyes = Outline(), Outline()
    for degrees, length in ((-48, 142), (-27, 168), (-6, 142)):
        at = Frame((160, 200), degrees)
        plumes.move(at(-20, 0))
        plumes.cubic(at(-26, length * 0.5), at(-38, length * 0.8), at(-24, length * 0.96))
        plumes.quad(at(0, length * 1.12), at(24, length * 0.96))
        plumes.cubic(at(38, length * 0.8), at(26, length * 0.5), at(20, 0))
        plumes.close()
        eyes.circle(at(0, length * 0.86), 12)
    return plumes, eyes


def _draw_wing() -> tuple[Outline, Outline]:
    """Return the folded wing, and the light lines between its feathers."""
    wing, feathers = Outline(), Outline()
    wing.move((104, 166))
    wing.cubic((150, 138), (222, 156), (262, 206))
    wing.cubic((216, 232), (142, 242), (104, 166))
    wing.close()
    for x, y, dx, dy in ((136, 178, 88, 20), (140, 200, 60, 14)):
        feathers.move((x, y))
        feathers.quad((x + dx * 0.5, y + dy * 0.1), (x + dx, y + dy))
    return wing, feathers
