"""Loads the Lua scripts of this package."""

from __future__ import annotations

from pathlib import Path

from game.redis.scripts import Script


def lua_script(*names: str) -> Script:
    """Return the script in these files, one after the other."""
    folder = Path(__file__).parent
    return Script("".join((folder / name).read_text(encoding="utf-8") for name in names))
