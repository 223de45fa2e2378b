"""The conventions by which programs are asked, from the file that joins programs to a site.

`static/bots/mahjong_bot.py` needs nothing of this project, so that anybody can run it. Its classes
for the conventions are used here too, so that each convention is written once.
"""

from __future__ import annotations

import runpy
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol, cast

from game.mjai_programs.process import LimitedProgram

_FILE: Final = Path(__file__).parents[2] / "static" / "bots" / "mahjong_bot.py"


class ProgramPlayer(Protocol):
    """A program that follows one convention."""

    async def take(self, event: dict[str, Any]) -> None:
        """Pass an event on."""

    async def ask(self, request: dict[str, Any], left_s: float) -> dict[str, Any] | None:
        """Return the answer after the events so far; None if there is none in time."""


def player_of(style: str, program: LimitedProgram, seat: int) -> ProgramPlayer:
    """Return the player of that convention at that seat."""
    return cast(ProgramPlayer, _styles()[style](program, seat))


@cache
def _styles() -> dict[str, Any]:
    return cast(dict[str, Any], runpy.run_path(str(_FILE), run_name="mahjong_bot")["STYLES"])
