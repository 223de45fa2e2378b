"""`manage.py perft`: count the lines of play from a position."""

from __future__ import annotations

import sys
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.engine.perft import POSITIONS, Position, open_position, perft, split
from game.engine.presets import PRESETS, preset


class Command(BaseCommand):
    help = (
        "Counts the lines of so many moves from a position. Positions: "
        + "; ".join(f"{name}: {position.about}" for name, position in POSITIONS.items())
        + "; a number: the deal of that seed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("position", help="a name, or the number of a seed")
        parser.add_argument("depth", type=int, help="moves, one seat's action each")
        parser.add_argument("--preset", default="tenhou", choices=sorted(PRESETS))
        parser.add_argument("--split", action="store_true", help="the count of each first move")
        parser.add_argument("--expect", type=int, help="the right count: exit 1 on another")

    def handle(self, *args: Any, **options: Any) -> None:
        depth: int = options["depth"]
        if depth < 1:
            raise CommandError("the depth is at least 1")
        try:
            table = open_position(_position(options["position"]), preset(options["preset"]))
        except ValueError as error:
            raise CommandError(str(error)) from None
        count = 0
        for moves in range(1, depth + 1):
            began = time.monotonic()
            count = perft(table, moves)
            self.stdout.write(f"depth {moves}: {count}  ({time.monotonic() - began:.2f} s)")
        is_other = options["expect"] is not None and count != options["expect"]
        if options["split"] or is_other:
            for move, leaves in split(table, depth).items():
                self.stdout.write(f"  {move}: {leaves}")
        if is_other:
            self.stderr.write(f"expected {options['expect']}, counted {count}")
            sys.exit(1)


def _position(name: str) -> Position:
    if name in POSITIONS:
        return POSITIONS[name]
    if name.isdigit():
        return Position(f"the deal of seed {name}", seed=int(name))
    raise ValueError(f"no position {name!r}; there are {', '.join(POSITIONS)}, or a number")
