"""`manage.py seating`: prints who sits where in the rounds of a tournament."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lobby.events.apart import Pair
from lobby.events.seating import (
    Fill,
    Method,
    Round,
    SeatingError,
    count_pairs,
    count_winds,
    plan_rounds,
    read_prescribed,
    seats_needed,
)


class Command(BaseCommand):
    help = (
        "Prints who sits where in the rounds of a tournament: rounds, tables, players from 1 in "
        "the order of their winds, East first. The same numbers and the same seed give the same "
        "seats. Says on the standard error output how often pairs meet and how the winds are "
        "shared."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, help="how many players there are")
        parser.add_argument("--rounds", type=int, help="how many rounds to seat")
        parser.add_argument(
            "--table-size", type=int, choices=(3, 4), default=4, help="players at a table"
        )
        parser.add_argument(
            "--method",
            choices=get_args(Method),
            default="balanced",
            help=(
                "random; swiss: neighbours of the standing, who have not met where that is "
                "possible; interval: equal intervals of the standing; prescribed: from a CSV "
                "file; balanced: no pair meets twice where the search finds such seats"
            ),
        )
        parser.add_argument("--seed", type=int, default=0, help="decides what is left to chance")
        parser.add_argument(
            "--fill",
            choices=[fill for fill in get_args(Fill) if fill != "sit_out"],
            default="refuse",
            help="who takes the seats that are left over; they get the numbers after the players",
        )
        parser.add_argument(
            "--standing",
            type=Path,
            help="for swiss and interval: a file with the players' numbers, the best first",
        )
        parser.add_argument(
            "--played", type=Path, help="a file with the rounds before, as --json prints them"
        )
        parser.add_argument("--step", type=int, default=0, help="the interval; 0: all tables")
        parser.add_argument(
            "--csv", type=Path, help="for prescribed: lines of round,table,east,south,west,north"
        )
        parser.add_argument(
            "--apart",
            nargs="+",
            default=[],
            metavar="A-B",
            help="pairs of players who must not meet, such as 3-17",
        )
        parser.add_argument("--json", action="store_true", help="print one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            rounds = self._rounds(options)
        except SeatingError as error:
            raise CommandError(f"{error}.") from None
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"A file cannot be read: {error}") from None
        if options["json"]:
            self.stdout.write(json.dumps({"rounds": rounds}))
        else:
            self._print(rounds)
        self._print_counts(rounds)

    def _rounds(self, options: dict[str, Any]) -> list[Round]:
        players, number, table_size = options["players"], options["rounds"], options["table_size"]
        if options["method"] == "prescribed":
            if options["csv"] is None:
                raise CommandError("Prescribed seats need --csv.")
            rounds = read_prescribed(options["csv"].read_text(encoding="utf-8"), table_size)
            seats, fill = table_size * len(rounds[0]), options["fill"]
            if players is not None and seats_needed(players, table_size, 1, fill) != seats:
                raise CommandError(f"The file seats {seats} players, not {players}.")
            if number is not None and number != len(rounds):
                raise CommandError(f"The file has {len(rounds)} rounds, not {number}.")
            return rounds
        if players is None or number is None:
            raise CommandError("Please give --players and --rounds.")
        return plan_rounds(
            options["method"],
            seats_needed(players, table_size, number, options["fill"]),
            table_size,
            number,
            options["seed"],
            standing=_numbers(options["standing"]) if options["standing"] else (),
            played=_played(options["played"]) if options["played"] else (),
            step=max(0, options["step"]),
            apart=[_pair(text) for text in options["apart"]],
        )

    def _print(self, rounds: list[Round]) -> None:
        for number, tables in enumerate(rounds, start=1):
            for at, seats in enumerate(tables, start=1):
                self.stdout.write(f"round {number} table {at}: {' '.join(map(str, seats))}")

    def _print_counts(self, rounds: list[Round]) -> None:
        repeated = [count for count in count_pairs(rounds).values() if count > 1]
        spread = max(max(winds) - min(winds) for winds in count_winds(rounds).values())
        self.stderr.write(
            f"{len(repeated)} pairs meet more than once"
            + (f", at most {max(repeated)} times" if repeated else "")
            + f"; the winds of a player differ by {spread} at most"
        )


def _numbers(path: Path) -> list[int]:
    """Return the numbers in that file. Raises SeatingError, OSError."""
    try:
        return [int(word) for word in path.read_text(encoding="utf-8").split()]
    except ValueError:
        raise SeatingError(f"{path} has to contain numbers only") from None


def _pair(text: str) -> Pair:
    """Return the two numbers. Raises SeatingError."""
    first, _sep, second = text.partition("-")
    if not (first.isdecimal() and second.isdecimal() and first != second):
        raise SeatingError(f"{text} has to be two numbers, such as 3-17")
    return int(first), int(second)


def _played(path: Path) -> list[Round]:
    """Return the rounds in that file. Raises SeatingError, OSError."""
    try:
        rounds = json.loads(path.read_text(encoding="utf-8"))["rounds"]
        return [[tuple(map(int, table)) for table in tables] for tables in rounds]
    except (ValueError, TypeError, KeyError):
        raise SeatingError(f"{path} has to be what --json prints") from None
