"""Draws a table as an SVG picture for previews: 1200 by 630, the usual size, without any text.

Owns the layout. Pure, apart from the sprite of the faces, which it gets as text. A picture has no
names, so everybody who may see the position may see its picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from game.engine.state import (
    RIVER_RIICHI,
    RIVER_TAKEN,
    RIVER_TILE,
    Hand,
    Meld,
    MeldType,
    Riichi,
    Table,
)
from game.engine.tiles import HIDDEN, NO_TILE, TILE_TO_TEXT

OUTLINES: Final[dict[str, tuple[float, str]]] = {
    "0": (
        16.6,
        (
            "M8.3 18.3Q6.2 18.3 4.5 17.1Q2.9 15.9 1.9 13.8Q1 11.7 1 9Q1 6.3 1.9 4.2"
            "Q2.9 2.1 4.5 0.9Q6.1 -0.3 8.3 -0.3Q10.4 -0.3 12.1 0.9Q13.7 2.1 14.6 4.2"
            "Q15.6 6.3 15.6 9Q15.6 11.7 14.7 13.8Q13.7 15.9 12.1 17.1Q10.4 18.3 8.3 18.3Z"
            "M8.3 15.6Q9.6 15.6 10.6 14.7Q11.5 13.9 12.1 12.4Q12.7 10.9 12.7 9"
            "Q12.7 7.1 12.1 5.6Q11.5 4.1 10.5 3.2Q9.5 2.4 8.3 2.4Q7 2.4 6 3.2Q5 4.1 4.5 5.6"
            "Q3.9 7.1 3.9 9Q3.9 10.9 4.5 12.4Q5 13.9 6 14.8Q7 15.6 8.3 15.6Z"
        ),
    ),
    "1": (
        10.7,
        (
            "M5.2 18V3.8Q4.3 4.5 3.3 4.9Q2.4 5.3 1.3 5.3V2.6Q1.9 2.6 2.7 2.2Q3.4 1.8 4.2 1.2"
            "Q5 0.6 5.5 0H8.1V18Z"
        ),
    ),
    "2": (
        14.7,
        (
            "M1.4 18V15.7Q1.4 14.9 1.8 14Q2.2 13.2 3 12.3Q3.7 11.4 4.8 10.7L7.9 8.4"
            "Q8.5 8 9 7.5Q9.5 6.9 9.8 6.3Q10.1 5.7 10.1 5.1Q10.1 4.4 9.7 3.8Q9.4 3.1 8.7 2.8"
            "Q8 2.4 7 2.4Q6.1 2.4 5.5 2.8Q4.8 3.1 4.4 3.7Q3.9 4.2 3.7 4.9L0.7 4.4"
            "Q0.9 3.1 1.8 2.1Q2.6 1 3.9 0.3Q5.3 -0.3 6.9 -0.3Q8.9 -0.3 10.3 0.4"
            "Q11.6 1.1 12.4 2.3Q13.2 3.5 13.2 5.1Q13.2 6.7 12.3 8Q11.4 9.2 9.9 10.4L7 12.5"
            "Q6.2 13.1 5.6 13.9Q5.1 14.6 4.9 15.4H13.4V18Z"
        ),
    ),
    "3": (
        14.2,
        (
            "M7.1 18.3Q5.6 18.3 4.4 17.9Q3.2 17.4 2.4 16.6Q1.6 15.8 1.2 14.8L3.9 13.8"
            "Q4.1 14.2 4.5 14.6Q4.8 15.1 5.4 15.4Q6 15.7 6.9 15.7Q8.4 15.7 9.2 14.9"
            "Q10.1 14 10.1 12.8Q10.1 11.9 9.6 11.2Q9.2 10.5 8.2 10.1Q7.2 9.8 5.7 9.8H4.9V7.3"
            "H5.7Q7.7 7.3 8.7 6.6Q9.7 6 9.7 4.8Q9.7 4.1 9.4 3.5Q9 3 8.4 2.6Q7.7 2.3 6.9 2.3"
            "Q6.3 2.3 5.8 2.5Q5.2 2.7 4.8 3Q4.3 3.4 4 4.1L1.4 3.1Q1.8 2 2.6 1.3"
            "Q3.5 0.5 4.6 0.1Q5.7 -0.3 7 -0.3Q8.6 -0.3 9.9 0.3Q11.2 0.9 12 2"
            "Q12.7 3.1 12.7 4.5Q12.7 5.9 11.9 6.9Q11.2 7.9 9.9 8.5Q11.3 9.2 12.2 10.3"
            "Q13.1 11.5 13.1 13.1Q13.1 14.7 12.3 15.9Q11.5 17 10.1 17.7Q8.7 18.3 7.1 18.3Z"
        ),
    ),
    "4": (
        16.2,
        "M9.2 18V14.1H0.8V11.8L8.9 0H12V11.5H15.4V14.1H12V18ZM4 11.5H9.2V4Z",
    ),
    "5": (
        14.9,
        (
            "M7.5 18.3Q6.3 18.3 5.1 17.9Q3.9 17.6 2.9 16.8Q1.8 16 1.3 14.9L3.9 13.9"
            "Q4.6 14.9 5.5 15.3Q6.4 15.7 7.4 15.7Q8.9 15.7 9.8 14.8Q10.8 13.9 10.8 12.4"
            "Q10.8 10.9 9.8 10Q8.9 9 7.4 9Q6.6 9 5.8 9.4Q5 9.8 4.6 10.3L1.9 9.7L2.9 0H12.9"
            "V2.7H5.5L5 7.6Q5.7 7.2 6.5 6.9Q7.4 6.7 8.4 6.7Q9.9 6.7 11.1 7.4"
            "Q12.4 8.1 13.1 9.4Q13.8 10.6 13.8 12.2Q13.8 14 13 15.4Q12.2 16.8 10.8 17.5"
            "Q9.4 18.3 7.5 18.3Z"
        ),
    ),
    "6": (
        14.8,
        (
            "M7.7 18.3Q5.8 18.3 4.6 17.6Q3.3 16.9 2.5 15.8Q1.8 14.6 1.4 13.1Q1 11.5 1 9.7"
            "Q1 7.6 1.5 5.7Q1.9 3.9 2.8 2.5Q3.7 1.2 5.1 0.4Q6.4 -0.3 8.2 -0.3"
            "Q9.6 -0.3 11 0.1Q12.3 0.5 13.4 1.3L11.8 3.4Q11 2.9 10.1 2.6Q9.2 2.3 8.4 2.3"
            "Q6.1 2.3 4.9 4.3Q3.7 6.2 3.8 10.2L3.2 9.8Q3.8 8.3 5.1 7.4Q6.4 6.5 8.1 6.5"
            "Q9.8 6.5 11.2 7.3Q12.5 8.1 13.3 9.5Q14 10.8 14 12.5Q14 14.2 13.2 15.5"
            "Q12.4 16.8 11 17.6Q9.6 18.3 7.7 18.3ZM7.7 15.7Q8.6 15.7 9.4 15.3"
            "Q10.2 14.9 10.6 14.1Q11 13.4 11 12.4Q11 11.4 10.6 10.6Q10.2 9.9 9.4 9.5"
            "Q8.6 9 7.7 9Q6.7 9 6 9.5Q5.2 9.9 4.8 10.6Q4.3 11.4 4.3 12.4Q4.3 13.4 4.8 14.1"
            "Q5.2 14.9 6 15.3Q6.7 15.7 7.7 15.7Z"
        ),
    ),
    "7": (
        14.1,
        "M2.3 18 10 2.7H0.9V0H13.3V2.3L5.6 18Z",
    ),
    "8": (
        15.8,
        (
            "M7.9 18.3Q5.8 18.3 4.3 17.7Q2.8 17 2 15.9Q1.2 14.8 1.2 13.3Q1.2 11.7 2 10.5"
            "Q2.9 9.3 4.4 8.6Q3.2 8 2.5 7Q1.8 5.9 1.8 4.6Q1.8 3.1 2.6 2Q3.3 0.9 4.6 0.3"
            "Q6 -0.3 7.9 -0.3Q9.7 -0.3 11.1 0.3Q12.4 0.9 13.2 2Q13.9 3.1 13.9 4.6"
            "Q13.9 5.9 13.2 7Q12.6 8 11.3 8.6Q12.9 9.3 13.7 10.5Q14.5 11.7 14.5 13.3"
            "Q14.5 14.8 13.7 15.9Q12.9 17 11.4 17.7Q10 18.3 7.9 18.3ZM7.9 15.8"
            "Q9.5 15.8 10.5 15Q11.5 14.2 11.5 13Q11.5 11.6 10.5 10.8Q9.5 10 7.9 10"
            "Q6.8 10 6 10.4Q5.2 10.7 4.7 11.4Q4.3 12.1 4.3 13Q4.3 13.8 4.7 14.4"
            "Q5.2 15.1 6 15.4Q6.8 15.8 7.9 15.8ZM7.9 7.5Q9.2 7.5 10.1 6.8Q11 6 11 4.9"
            "Q11 3.7 10.1 2.9Q9.3 2.2 7.9 2.2Q6.5 2.2 5.6 2.9Q4.7 3.7 4.7 4.9Q4.7 6 5.6 6.8"
            "Q6.5 7.5 7.9 7.5Z"
        ),
    ),
    "9": (
        14.8,
        (
            "M7.1 -0.3Q9 -0.3 10.2 0.4Q11.5 1.1 12.2 2.2Q13 3.4 13.4 5Q13.7 6.5 13.7 8.3"
            "Q13.7 10.4 13.3 12.3Q12.8 14.1 11.9 15.5Q11 16.8 9.7 17.6Q8.4 18.3 6.5 18.3"
            "Q5.1 18.3 3.8 17.9Q2.5 17.5 1.4 16.7L2.9 14.6Q3.7 15.1 4.7 15.4"
            "Q5.6 15.7 6.4 15.7Q8.7 15.7 9.9 13.8Q11.1 11.8 11 7.8L11.6 8.2Q11 9.7 9.7 10.6"
            "Q8.4 11.5 6.7 11.5Q4.9 11.5 3.6 10.7Q2.3 9.9 1.5 8.6Q0.8 7.2 0.8 5.5"
            "Q0.8 3.8 1.6 2.5Q2.3 1.2 3.8 0.4Q5.2 -0.3 7.1 -0.3ZM7.1 2.3Q6.1 2.3 5.4 2.7"
            "Q4.6 3.1 4.2 3.9Q3.7 4.6 3.7 5.6Q3.7 6.6 4.2 7.4Q4.6 8.1 5.4 8.6Q6.1 9 7.1 9"
            "Q8.1 9 8.8 8.6Q9.6 8.1 10 7.4Q10.4 6.6 10.4 5.6Q10.4 4.6 10 3.9Q9.6 3.1 8.8 2.7"
            "Q8.1 2.3 7.1 2.3Z"
        ),
    ),
    "-": (
        10.6,
        "M1.4 11.6V9.1H9.1V11.6Z",
    ),
}
"""The width of each character, and its outline as the data of an SVG path."""


WIDTH: Final = 1200
HEIGHT: Final = 630
_X: Final = 600
_Y: Final = 276
"""The vertical middle of the board, in px."""
_BOX: Final = 88
"""Half the side of the square in the middle."""
_RIVER_TILE_WIDTH: Final = 28
"""The width of a tile in a river, in px; a tile is a third higher than wide."""
_OWN: Final = 60
_ACROSS: Final = 25
_BESIDE: Final = 30
_ROW: Final = 6
_ROWS: Final = 4
_THIN: Final = " "
"""The separator of thousands, a thin space. No language reads a space as a decimal sign."""
_THIN_WIDTH: Final = 5.0
_SYMBOL: Final = re.compile(r'<symbol id="t-([^"]+)".*?</symbol>', re.DOTALL)
_LEFT, _RIGHT = 3, 1
_RIM: Final = 10
_FELT: Final = (
    f'<radialGradient id="felt" cx="{_X}" cy="{_Y}" r="640" gradientUnits="userSpaceOnUse">'
    '<stop offset="0" stop-color="#2c7f63"/><stop offset="0.45" stop-color="#1f664d"/>'
    '<stop offset="1" stop-color="#124536"/></radialGradient>'
    f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#3d2515"/>'
    f'<rect x="{_RIM}" y="{_RIM}" width="{WIDTH - 2 * _RIM}" height="{HEIGHT - 2 * _RIM}" rx="14" '
    'fill="url(#felt)"/>'
)
"""The wood and the felt as SVG, in the colours of the table."""


def board_svg(seen: Table, bottom: int, sprite: str) -> str:
    """Return the picture of a visible table, with that seat at the bottom. `sprite` is the text of
    `static/img/tiles.svg`."""
    seats = [_seat(seen, (bottom + turn) % 4, turn) for turn in range(4)]
    body = "".join(
        f'<g transform="translate({_X} {_Y}) rotate({-90 * turn})">{text}</g>'
        for turn, text in enumerate(seats)
    )
    body += _round(seen) + _indicators(seen)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}"><defs>{_faces(body, sprite)}</defs>'
        f"{_FELT}"
        f'<rect x="{_X - _BOX}" y="{_Y - _BOX}" width="{2 * _BOX}" height="{2 * _BOX}" rx="12" '
        f'fill="#10241f" stroke="#0b2a22" stroke-width="3"/>{body}</svg>'
    )


def _faces(body: str, sprite: str) -> str:
    """Return the symbols that the picture uses."""
    used = set(re.findall(r'href="#t-([^"]+)"', body))
    return "".join(found[0] for found in _SYMBOL.finditer(sprite) if found[1] in used)


def _seat(seen: Table, seat: int, turn: int) -> str:
    """Return a seat as if it sat at the bottom, with the middle of the board at 0, 0."""
    hand = seen.hands[seat]
    parts = [*_river(hand, is_last=_discarded_last(seen, seat))]
    parts.append(_score(seen, seat))
    if hand.riichi is Riichi.ACCEPTED:
        parts.append(f'<rect x="-45" y="{_BOX - 10}" width="90" height="6" rx="3" fill="#fffdf5"/>')
    drawn = seen.drawn if seen.turn == seat and len(hand.tiles) % 3 == 1 else NO_TILE
    width, bottom = {0: (_OWN, HEIGHT - _Y - 18), 2: (_ACROSS, _Y - 18)}.get(turn, (_BESIDE, 340))
    parts += _hand(hand, seat, drawn, width, bottom)
    return "".join(parts)


def _discarded_last(seen: Table, seat: int) -> bool:
    """Return whether the latest discard of the table is in the river of that seat."""
    river = seen.hands[seat].river
    return seen.claimed != NO_TILE and seen.turn == seat and not seen.robbing and bool(river)


def _river(hand: Hand, *, is_last: bool) -> Iterator[str]:
    height = _RIVER_TILE_WIDTH * 4 // 3
    for row in range(_ROWS):
        end = None if row == _ROWS - 1 else (row + 1) * _ROW
        x, y = -3 * _RIVER_TILE_WIDTH, _BOX + 4 + row * (height + 1)
        for at, entry in enumerate(hand.river[row * _ROW : end], row * _ROW):
            turned = bool(entry & RIVER_RIICHI)
            yield _tile(
                entry & RIVER_TILE,
                x,
                y + (height - _RIVER_TILE_WIDTH if turned else 0),
                _RIVER_TILE_WIDTH,
                is_turned=turned,
                is_dim=bool(entry & RIVER_TAKEN),
                is_marked=is_last and at == len(hand.river) - 1,
            )
            x += height if turned else _RIVER_TILE_WIDTH


def _hand(hand: Hand, seat: int, drawn: int, width: int, bottom: int) -> Iterator[str]:
    """Yield the concealed tiles and, to the right of them, the melds: one row around the middle."""
    height = width * 4 // 3
    small = width * 5 // 6
    tall = small * 4 // 3
    gap = width // 4
    melds = [_laid(meld, seat) for meld in reversed(hand.melds)]
    widths = [sum(tall if turned else small for _, turned, _ in laid) for laid in melds]
    x = -(len(hand.tiles) * width + sum(widths) + gap * len(melds)) // 2
    if drawn != NO_TILE:
        x -= (width + gap) // 2
    for tile in hand.tiles:
        yield _tile(tile, x, bottom - height, width)
        x += width
    if drawn != NO_TILE:
        yield _tile(drawn, x + gap, bottom - height, width)
        x += width + gap
    for laid in melds:
        x += gap
        for tile, turned, added in laid:
            yield _tile(tile, x, bottom - (small if turned else tall), small, is_turned=turned)
            if added != NO_TILE:
                yield _tile(added, x, bottom - 2 * small, small, is_turned=True)
            x += tall if turned else small


def _laid(meld: Meld, owner: int) -> Sequence[tuple[int, bool, int]]:
    """Return the tiles of a meld from the left as its owner sees them: tile, whether it is turned,
    and the tile that lies on it. The turned tile shows whose discard it was; the outer tiles of a
    closed kan are face down."""
    if meld.type is MeldType.ANKAN:
        inner = sorted(meld.tiles, key=lambda tile: tile % 2 == 0)[:2]  # red fives are odd
        return [(tile, False, NO_TILE) for tile in (HIDDEN, *inner, HIDDEN)]
    own = list(meld.tiles)
    for gone in (meld.called, meld.added):
        if gone != NO_TILE:
            own.remove(gone)
    laid = [(tile, False, NO_TILE) for tile in own]
    came_from = (meld.target - owner) % 4
    place = {_LEFT: 0, _RIGHT: len(laid)}.get(came_from, 1)
    laid.insert(place, (meld.called, True, meld.added))
    return laid


def _score(seen: Table, seat: int) -> str:
    """Return the wind and the points, above the edge of the square in the middle."""
    text = f"{seen.scores[seat]:,}".replace(",", _THIN)
    wind = "ESWN"[(seat - seen.dealer) % 4]
    width = 32 + 0.7 * _width(text)
    face = f'<use href="#t-{wind}" width="24" height="32"/>'
    body = f'<rect width="24" height="32" rx="3" fill="#f7f2e3"/>{face}'
    left = -width / 2
    return f'<g transform="translate({left:.1f} {_BOX - 46})">{body}</g>' + _text(
        text, left + 32, _BOX - 39, 0.7
    )


def _round(seen: Table) -> str:
    """Return the wind of the round, its number and the counters."""
    text = str(seen.kyoku % 4 + 1) + (f"-{seen.honba}" if seen.honba else "")
    wind = "ESWN"[seen.kyoku // 4 % 4]
    width = 38 + 1.1 * _width(text)
    left = _X - width / 2
    face = f'<use href="#t-{wind}" width="30" height="40"/>'
    body = f'<rect width="30" height="40" rx="3" fill="#f7f2e3"/>{face}'
    return f'<g transform="translate({left:.1f} {_Y - 20})">{body}</g>' + _text(
        text, left + 38, _Y - 10, 1.1
    )


def _indicators(seen: Table) -> str:
    """Return the five places of dora indicators in the upper left corner."""
    shown = [*seen.dora, *[HIDDEN] * 5][:5]
    return "".join(_tile(tile, 32 + at * 42, 32, 40) for at, tile in enumerate(shown))


def _width(text: str) -> float:
    return sum(_THIN_WIDTH if sign == _THIN else OUTLINES[sign][0] for sign in text)


def _text(text: str, x: float, y: float, scale: float) -> str:
    at, drawn = 0.0, []
    for sign in text:
        if sign == _THIN:
            at += _THIN_WIDTH
            continue
        width, outline = OUTLINES[sign]
        drawn.append(f'<path transform="translate({at:.1f} 0)" d="{outline}"/>')
        at += width
    place = f"translate({x:.1f} {y}) scale({scale})"
    return f'<g transform="{place}" fill="#f4f1e6">{"".join(drawn)}</g>'


def _tile(
    tile: int,
    x: float,
    y: float,
    width: int,
    *,
    is_turned: bool = False,
    is_dim: bool = False,
    is_marked: bool = False,
) -> str:
    """Return a tile with its upper left corner at that point."""
    height = width * 4 // 3
    place = f"translate({x} {y + width}) rotate(-90)" if is_turned else f"translate({x} {y})"
    name = "back" if tile == HIDDEN else TILE_TO_TEXT[tile]
    colour = "#c6841f" if tile == HIDDEN else "#f7f2e3"
    edge = 'stroke="#e8b23a" stroke-width="3"' if is_marked else 'stroke="#a68f5a"'
    dim = ' opacity="0.35"' if is_dim else ""
    return (
        f'<g transform="{place}"{dim}>'
        f'<rect y="{width // 12}" width="{width}" height="{height}" rx="{width // 10}" '
        'fill="#0b2a22" fill-opacity="0.55"/>'
        f'<rect width="{width}" height="{height}" rx="{width // 10}" fill="{colour}" {edge}/>'
        f'<use href="#t-{name}" width="{width}" height="{height}"/></g>'
    )
