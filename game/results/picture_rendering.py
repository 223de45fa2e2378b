"""Renders pictures of boards as PNG and keeps the latest ones.

A picture takes some tenths of a second, in which the renderer releases Python's lock.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Final

import resvg_py
from django.conf import settings

from game.engine.state import Table
from game.results.board_picture import board_svg
from game.results.replay_positions import Placed

KEPT: Final = 64
"""The number of pictures in the memory of each web server, of about 150 kB each."""

_FONT: Final = Path(__file__).with_name("figtree.ttf")
DrawnPicture = tuple[Table, int, Sequence[Placed], Sequence[str]]
"""The arguments of `render`."""
Key = tuple[object, ...]
_rendering: Final = Lock()
_kept: Final[OrderedDict[Key, bytes]] = OrderedDict()


def picture(key: Key, find: Callable[[], DrawnPicture | None]) -> bytes | None:
    """Return the picture of that key as PNG, one at a time.

    `find` is called only if the picture is not cached. Return None if it returns None.
    """
    with _rendering:
        if (known := _kept.get(key)) is not None:
            _kept.move_to_end(key)
            return known
        if (position := find()) is None:
            return None
        made = _kept[key] = render(*position)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
        return made


def render(seen: Table, bottom: int, ranking: Sequence[Placed], names: Sequence[str]) -> bytes:
    """Return the picture as PNG; the arguments are those of `board_svg`. A name in letters that
    `figtree.ttf` lacks is drawn with a font of the system, if one has them."""
    svg = board_svg(seen, bottom, _sprite(), ranking, names)
    has_names = bool(ranking) and any(names)
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, skip_system_fonts=not has_names, font_files=[str(_FONT)]
        )
    )


@cache
def _sprite() -> str:
    path = settings.BASE_DIR / "static" / "img" / "tiles.svg"
    return str(path.read_text(encoding="utf-8"))
