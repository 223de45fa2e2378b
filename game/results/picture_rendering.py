"""Renders pictures of boards as PNG, beside the event loop, and keeps the latest ones.

A picture takes some tenths of a second, in which the renderer releases Python's lock. Each web
server renders one picture at a time, and only some requests may wait.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

import resvg_py
from django.conf import settings

from game.engine.state import Table
from game.results.board_picture import board_svg

KEPT: Final = 64
"""The number of pictures in the memory of each web server, of about 150 kB each."""
MAX_WAITING: Final = 8

Key = tuple[object, ...]
_pool: Final = ThreadPoolExecutor(1, thread_name_prefix="pictures")
_kept: Final[OrderedDict[Key, bytes]] = OrderedDict()
_waiting: set[object] = set()


class TooManyPictures(Exception):
    """Too many pictures wait already."""


async def picture(
    key: Key, find: Callable[[], Awaitable[tuple[Table, int] | None]]
) -> bytes | None:
    """Return the picture of that key as PNG.

    `find` returns the visible table and the seat at the bottom. It is called only if the picture is
    not cached. Return None if `find` returns None. Raises TooManyPictures.
    """
    if (known := _kept.get(key)) is not None:
        _kept.move_to_end(key)
        return known
    if len(_waiting) >= MAX_WAITING:
        raise TooManyPictures
    mark = object()
    _waiting.add(mark)
    try:
        found = await find()
        if found is None:
            return None
        made = await asyncio.get_running_loop().run_in_executor(_pool, render, *found)
    finally:
        _waiting.discard(mark)
    _kept[key] = made
    while len(_kept) > KEPT:
        _kept.popitem(last=False)
    return made


def render(seen: Table, bottom: int) -> bytes:
    """Return the picture of a visible table as PNG, with that seat at the bottom."""
    svg = board_svg(seen, bottom, _sprite())
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))


@cache
def _sprite() -> str:
    path = settings.BASE_DIR / "static" / "img" / "tiles.svg"
    return str(path.read_text(encoding="utf-8"))
