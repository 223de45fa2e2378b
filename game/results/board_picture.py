"""Draws a table as a picture for previews, 1200 by 630 px, and caches the latest ones as PNG.

Owns the layout. `board_svg` is pure: it gets the sprite of the tile faces as text. The only words
in a picture are the names in the final ranking, so that it suits every language. Rendering takes
some tenths of a second; the renderer releases Python's lock meanwhile.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html import escape
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Final
from unicodedata import east_asian_width

import resvg_py
from django.conf import settings

from game.engine.nukidora import NORTH_TILE
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
from game.results.replay_positions import RankingRow

WIDTH: Final = 1200
HEIGHT: Final = 630
_MID_X: Final = 600
_MID_Y: Final = 276
"""The vertical middle of the board, in px."""
_HALF_BOX: Final = 88
"""Half the side of the square in the middle."""
_RIVER_TILE_WIDTH: Final = 28
"""The width of a tile in a river, in px; a tile is a third higher than wide."""
_OWN_TILE_WIDTH: Final = 60
_ACROSS_TILE_WIDTH: Final = 25
_BESIDE_TILE_WIDTH: Final = 30
_TILES_PER_ROW: Final = 6
_MAX_ROWS: Final = 4
_THIN_SPACE: Final = "\u202f"
"""The separator of thousands, a narrow space. No language reads a space as a decimal sign."""
FONT: Final = "Figtree Light"
"""The family that the renderer has in `figtree.ttf`."""
_CHARACTER_EMS: Final = {_THIN_SPACE: 0.24, "-": 0.41}
_DIGIT_EM: Final = 0.57
"""The widths of characters in numbers, in em; that of a digit is the mean."""
_RANKING_X: Final = 956
_NAME_SIZE: Final = 20
_NAME_EM: Final = 8.2
"""The room for a name in the final ranking, in em."""
_SYMBOL_PATTERN: Final = re.compile(r'<symbol id="t-([^"]+)".*?</symbol>', re.DOTALL)
_LEFT_SIDE, _RIGHT_SIDE = 3, 1
_RIM: Final = 10
_FELT: Final = (
    f'<radialGradient id="felt" cx="{_MID_X}" cy="{_MID_Y}" r="640" gradientUnits="userSpaceOnUse">'
    '<stop offset="0" stop-color="#2c7f63"/><stop offset="0.45" stop-color="#1f664d"/>'
    '<stop offset="1" stop-color="#124536"/></radialGradient>'
    f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#3d2515"/>'
    f'<rect x="{_RIM}" y="{_RIM}" width="{WIDTH - 2 * _RIM}" height="{HEIGHT - 2 * _RIM}" rx="14" '
    'fill="url(#felt)"/>'
)
"""The wood and the felt as SVG, in the colours of the table."""


def board_svg(
    seen: Table,
    bottom: int,
    sprite: str,
    ranking: Sequence[RankingRow] = (),
    names: Sequence[str] = (),
) -> str:
    """Return the picture of a visible table as SVG, with the seat `bottom` at the bottom. If
    `ranking` is given, the final ranking is drawn beside the board with `names` (by seat; '' for a
    hidden one). `sprite` is the text of `static/img/tiles.svg`."""
    sides = {_side_of(seen, seat, bottom): seat for seat in seen.seats}
    body = "".join(
        f'<g transform="translate({_MID_X} {_MID_Y}) rotate({-90 * side})">'
        f"{_seat_svg(seen, seat, side)}</g>"
        for side, seat in sorted(sides.items())
    )
    body += _round_svg(seen) + _indicators(seen)
    body += "".join(_ranking_row(seen, row, names[row.seat], at) for at, row in enumerate(ranking))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}"><defs>{_faces(body, sprite)}</defs>'
        f"{_FELT}"
        f'<rect x="{_MID_X - _HALF_BOX}" y="{_MID_Y - _HALF_BOX}" '
        f'width="{2 * _HALF_BOX}" height="{2 * _HALF_BOX}" rx="12" '
        f'fill="#10241f" stroke="#0b2a22" stroke-width="3"/>{body}</svg>'
    )


def _faces(body: str, sprite: str) -> str:
    """Return those symbols of the sprite that `body` uses."""
    used = set(re.findall(r'href="#t-([^"]+)"', body))
    return "".join(found[0] for found in _SYMBOL_PATTERN.finditer(sprite) if found[1] in used)


def _side_of(seen: Table, seat: int, at_bottom: int) -> int:
    """Return the side of the board at which a seat sits, counted counter-clockwise from 0 at the
    bottom. With three players the side across stays free."""
    steps = (seat - at_bottom) % len(seen.seats)
    return _LEFT_SIDE if steps == len(seen.seats) - 1 else steps


def _seat_svg(seen: Table, seat: int, side: int) -> str:
    """Return the SVG of a seat as if it sat at the bottom, with the middle of the board at 0, 0."""
    hand = seen.hands[seat]
    parts = [*_river_tiles(hand, is_last=_discarded_last(seen, seat))]
    parts.append(_score_svg(seen, seat))
    if hand.riichi is Riichi.ACCEPTED:
        parts.append(
            f'<rect x="-45" y="{_HALF_BOX - 10}" width="90" height="6" rx="3" fill="#fffdf5"/>'
        )
    drawn = seen.drawn if seen.turn == seat and len(hand.tiles) % 3 == 1 else NO_TILE
    width, bottom = {
        0: (_OWN_TILE_WIDTH, HEIGHT - _MID_Y - 18),
        2: (_ACROSS_TILE_WIDTH, _MID_Y - 18),
    }.get(side, (_BESIDE_TILE_WIDTH, 340))
    melds = [_meld_tiles(meld, _side_of(seen, meld.target, seat)) for meld in hand.melds]
    norths = [(NORTH_TILE, False, NO_TILE)] * hand.norths
    parts += _hand_svg(hand, [*melds, norths] if norths else melds, drawn, width, bottom)
    return "".join(parts)


def _discarded_last(seen: Table, seat: int) -> bool:
    """Return whether that seat made the table's latest discard and it is still in the river."""
    river = seen.hands[seat].river
    return seen.claimed != NO_TILE and seen.turn == seat and not seen.robbing and bool(river)


def _river_tiles(hand: Hand, *, is_last: bool) -> Iterator[str]:
    height = _RIVER_TILE_WIDTH * 4 // 3
    for row in range(_MAX_ROWS):
        end = None if row == _MAX_ROWS - 1 else (row + 1) * _TILES_PER_ROW
        x, y = -3 * _RIVER_TILE_WIDTH, _HALF_BOX + 4 + row * (height + 1)
        for at, entry in enumerate(hand.river[row * _TILES_PER_ROW : end], row * _TILES_PER_ROW):
            turned = bool(entry & RIVER_RIICHI)
            yield _tile_svg(
                entry & RIVER_TILE,
                x,
                y + (height - _RIVER_TILE_WIDTH if turned else 0),
                _RIVER_TILE_WIDTH,
                is_turned=turned,
                is_dim=bool(entry & RIVER_TAKEN),
                is_marked=is_last and at == len(hand.river) - 1,
            )
            x += height if turned else _RIVER_TILE_WIDTH


def _hand_svg(
    hand: Hand, open_tiles: Sequence[_LaidTiles], drawn: int, width: int, bottom: int
) -> Iterator[str]:
    """Yield the SVG of the concealed tiles and, to the right of them, of the melds and the norths
    set aside, in one centred row."""
    height = width * 4 // 3
    small = width * 5 // 6
    tall = small * 4 // 3
    gap = width // 4
    melds = open_tiles[::-1]
    widths = [sum(tall if turned else small for _, turned, _ in laid) for laid in melds]
    x = -(len(hand.tiles) * width + sum(widths) + gap * len(melds)) // 2
    if drawn != NO_TILE:
        x -= (width + gap) // 2
    for tile in hand.tiles:
        yield _tile_svg(tile, x, bottom - height, width)
        x += width
    if drawn != NO_TILE:
        yield _tile_svg(drawn, x + gap, bottom - height, width)
        x += width + gap
    for laid in melds:
        x += gap
        for tile, turned, added in laid:
            yield _tile_svg(tile, x, bottom - (small if turned else tall), small, is_turned=turned)
            if added != NO_TILE:
                yield _tile_svg(added, x, bottom - 2 * small, small, is_turned=True)
            x += tall if turned else small


_LaidTiles = Sequence[tuple[int, bool, int]]
"""Tiles from the left: tile, whether it is turned, and the tile that lies on it."""


def _meld_tiles(meld: Meld, came_from: int) -> _LaidTiles:
    """Return the tiles of a meld from the left, as its owner sees them. The turned tile points to
    the player who discarded it; the outer tiles of a closed kan are face down."""
    if meld.type is MeldType.ANKAN:
        inner = sorted(meld.tiles, key=lambda tile: tile % 2 == 0)[:2]  # red fives are odd
        return [(tile, False, NO_TILE) for tile in (HIDDEN, *inner, HIDDEN)]
    own = list(meld.tiles)
    for gone in (meld.called, meld.added):
        if gone != NO_TILE:
            own.remove(gone)
    laid = [(tile, False, NO_TILE) for tile in own]
    place = {_LEFT_SIDE: 0, _RIGHT_SIDE: len(laid)}.get(came_from, 1)
    laid.insert(place, (meld.called, True, meld.added))
    return laid


def _score_svg(seen: Table, seat: int) -> str:
    """Return the SVG of the seat's wind and points, drawn above the edge of the square in the
    middle."""
    text = _group_digits(seen.scores[seat])
    wind = TILE_TO_TEXT[2 * seen.wind_of(seat)]
    left = -(32 + _text_width(text, 18)) / 2
    return _wind_tile(wind, left, _HALF_BOX - 46, 24) + _text_svg(
        text, left + 32, _HALF_BOX - 24, 18
    )


def _round_svg(seen: Table) -> str:
    """Return the SVG of the round's wind and number and of the counters."""
    text = str(seen.dealer + 1) + (f"-{seen.honba}" if seen.honba else "")
    wind = TILE_TO_TEXT[2 * seen.round_wind]
    left = _MID_X - (38 + _text_width(text, 28)) / 2
    return _wind_tile(wind, left, _MID_Y - 20, 30) + _text_svg(text, left + 38, _MID_Y + 10, 28)


def _indicators(seen: Table) -> str:
    """Return the SVG of the five places for dora indicators in the upper left corner."""
    shown = [*seen.dora, *[HIDDEN] * 5][:5]
    return "".join(_tile_svg(tile, 32 + at * 42, 32, 40) for at, tile in enumerate(shown))


def _ranking_row(seen: Table, row: RankingRow, name: str, at: int) -> str:
    """Return the SVG of one row of the final ranking in the upper right corner. Its wind is that of
    the seat on the board."""
    x, y = _RANKING_X, 32 + at * 60
    wind = TILE_TO_TEXT[2 * seen.wind_of(row.seat)]
    parts = [_text_svg(str(row.place), x, y + 29, 26), _wind_tile(wind, x + 22, y, 30)]
    if name:
        parts.append(_text_svg(_shorten_name(name), x + 60, y + 16, _NAME_SIZE))
    parts.append(_text_svg(_group_digits(row.score), x + 60, y + (40 if name else 28), _NAME_SIZE))
    return "".join(parts)


def _wind_tile(wind: str, x: float, y: float, width: int) -> str:
    """Return the tile of a wind as a label, without shadow and edge."""
    size = f'width="{width}" height="{width * 4 // 3}"'
    return (
        f'<g transform="translate({x:.1f} {y})"><rect {size} rx="3" fill="#f7f2e3"/>'
        f'<use href="#t-{wind}" {size}/></g>'
    )


def _shorten_name(name: str) -> str:
    """Return the name, cut to the room that a ranking row has."""
    widths = [1.0 if east_asian_width(sign) in "WF" else _DIGIT_EM for sign in name]
    if sum(widths) <= _NAME_EM:
        return name
    fits = sum(end <= _NAME_EM - 1 for end in accumulate(widths))
    return f"{name[:fits].rstrip()}\u2026"


def _group_digits(number: int) -> str:
    return f"{number:,}".replace(",", _THIN_SPACE)


def _text_width(number: str, size: int) -> float:
    """Estimate how wide a number is, in px."""
    return size * sum(_CHARACTER_EMS.get(sign, _DIGIT_EM) for sign in number)


def _text_svg(text: str, x: float, baseline: float, size: int) -> str:
    return (
        f'<text x="{x:.1f}" y="{baseline}" font-size="{size}" font-family="{FONT}" '
        f'fill="#f4f1e6">{escape(text)}</text>'
    )


def _tile_svg(
    tile: int,
    x: float,
    y: float,
    width: int,
    *,
    is_turned: bool = False,
    is_dim: bool = False,
    is_marked: bool = False,
) -> str:
    """Return the SVG of a tile with its upper left corner at `x`, `y`."""
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


KEPT: Final = 64
"""The number of pictures in the memory of each web server, of about 150 kB each."""

_FONT: Final = Path(__file__).with_name("figtree.ttf")
PictureContent = tuple[Table, int, Sequence[RankingRow], Sequence[str]]
"""The arguments of `render`."""
Key = tuple[object, ...]
_render_lock: Final = Lock()
_kept: Final[OrderedDict[Key, bytes]] = OrderedDict()


def picture(key: Key, find: Callable[[], PictureContent | None]) -> bytes | None:
    """Return the PNG of that key from the cache, or draw it; one picture is drawn at a time.

    `find` returns the arguments of `render` and is called only if the picture is not cached. If it
    returns None, so does this function.
    """
    with _render_lock:
        if (known := _kept.get(key)) is not None:
            _kept.move_to_end(key)
            return known
        if (position := find()) is None:
            return None
        made = _kept[key] = render(*position)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
        return made


def render(seen: Table, bottom: int, ranking: Sequence[RankingRow], names: Sequence[str]) -> bytes:
    """Draw the picture as PNG; the arguments are those of `board_svg`. A name with letters that
    `figtree.ttf` lacks is drawn with a font of the system, if one has them."""
    svg = board_svg(seen, bottom, _read_sprite(), ranking, names)
    has_names = bool(ranking) and any(names)
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, skip_system_fonts=not has_names, font_files=[str(_FONT)]
        )
    )


@cache
def _read_sprite() -> str:
    path = settings.BASE_DIR / "static" / "img" / "tiles.svg"
    return str(path.read_text(encoding="utf-8"))
