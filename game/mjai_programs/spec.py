"""How operators name programs: `NAME=STYLE COMMAND`. Pure."""

from __future__ import annotations

import runpy
import shlex
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol, cast

import msgspec

from game.mjai_programs.process import LimitedProgram

STYLES: Final = ("mjai.app", "mortal", "akochan")
"""The conventions of `static/bots/mahjong_bot.py`."""
MAX_NAME: Final = 40


class SpecError(ValueError):
    """The text does not name a program. The message gives the reason."""


class ProgramSpec(msgspec.Struct, frozen=True):
    """A program: its name on pages, its convention, and its command. The seat replaces `{seat}` in
    the command, or is its last argument."""

    name: str
    style: str
    command: tuple[str, ...]

    def command_of(self, seat: int) -> list[str]:
        """Return the command of a seat."""
        words = [word.replace("{seat}", str(seat)) for word in self.command]
        return words if "{seat}" in " ".join(self.command) else [*words, str(seat)]


def read_spec(text: str) -> ProgramSpec:
    """Return the program of `NAME=STYLE COMMAND`; the command is quoted as in a shell. Raises
    SpecError."""
    name, _, rest = text.partition("=")
    name = " ".join(name.split())
    try:
        style, *command = shlex.split(rest)
    except ValueError:
        raise SpecError(f"{text!r} has to be NAME=STYLE COMMAND") from None
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise SpecError(f"{name!r} has to be a name of at most {MAX_NAME} characters")
    if style not in STYLES:
        raise SpecError(f"the style {style!r} of {name} has to be one of {', '.join(STYLES)}")
    if not command:
        raise SpecError(f"{name} has no command")
    return ProgramSpec(name, style, tuple(command))


def read_specs(text: str) -> list[ProgramSpec]:
    """Return the programs of a text in which `;` separates the specifications. Raises SpecError."""
    found = [read_spec(part) for part in text.split(";") if part.strip()]
    if len({spec.name for spec in found}) < len(found):
        raise SpecError("two programs have the same name")
    return found


_BOT_FILE: Final = Path(__file__).parents[2] / "static" / "bots" / "mahjong_bot.py"


class ProgramPlayer(Protocol):
    """A program that follows one convention."""

    async def take(self, event: dict[str, Any]) -> None:
        """Pass an event on."""

    async def ask(self, request: dict[str, Any], left_s: float) -> dict[str, Any] | None:
        """Return the answer after the events so far; None if there is none in time."""


def make_player(style: str, program: LimitedProgram, seat: int) -> ProgramPlayer:
    """Return the player of that convention at that seat."""
    return cast(ProgramPlayer, _players_by_style()[style](program, seat))


@cache
def _players_by_style() -> dict[str, Any]:
    return cast(dict[str, Any], runpy.run_path(str(_BOT_FILE), run_name="mahjong_bot")["STYLES"])
