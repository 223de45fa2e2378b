"""`manage.py tables`: list the running tables, stop their clocks before a restart, let them run, or
let the site run empty."""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentTypeError
from datetime import UTC, datetime
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.live.process import close_current, current
from game.operations.table_administration import (
    MAX_HOLD_MIN,
    MAX_NOTICE_LENGTH,
    RunningTable,
    drain_tables,
    hold_tables,
    list_tables,
    resume_tables,
)
from game.tables.errors import TablesUnavailable
from game.tables.service import Service

_BAR: Final = 30
_COUNT_EVERY_S: Final = 2.0


class Command(BaseCommand):
    requires_system_checks = ()
    help = (
        "Lists the running tables, stops their clocks, lets them run, or lets the site run empty."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="list|hold|drain|resume")
        verbs.add_parser("list", help="one line per table")
        hold = verbs.add_parser("hold", help="stop the clocks of all tables and say why")
        hold.add_argument(
            "--minutes", type=parse_minutes, default=10, help="at most; 10 by default"
        )
        hold.add_argument("--notice", type=parse_notice, default="", help="text for the players")
        drain = verbs.add_parser("drain", help="open no new tables, and wait for the last to end")
        drain.add_argument("--notice", type=parse_notice, default="", help="text for the players")
        verbs.add_parser("resume", help="let all clocks run, and new tables open again")

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        try:
            self.stdout.write(asyncio.run(_execute(verb, options)))
        except TablesUnavailable as error:
            raise CommandError(f"Redis cannot be reached: {error}") from None


async def _execute(verb: str, options: dict[str, Any]) -> str:
    try:
        service = (await current()).service
        if verb == "hold":
            held = await hold_tables(service, options["minutes"], options["notice"])
            return _report("The clocks stand at", held)
        if verb == "drain":
            return await _drain_until_empty(service, options["notice"])
        if verb == "resume":
            return _report("The clocks run at", await resume_tables(service))
        return await _list_text(service)
    finally:
        await close_current()


async def _drain_until_empty(service: Service, notice: str) -> str:
    """Drain the site: show how many tables still run, and return when none does."""
    most = 0
    while True:
        running, frozen = await drain_tables(service, notice)
        most = max(most, running)
        if not running:
            break
        _show_progress(most - running, most)
        await asyncio.sleep(_COUNT_EVERY_S)
    _show_progress(most, most)
    if frozen:
        raise CommandError(f"{frozen} frozen tables are left. End them at /admin/tables/.")
    return "No table is running. No new one opens before: manage.py tables resume"


def _show_progress(ended: int, most: int) -> None:
    """Show how many of the `most` tables have ended: as a bar if stderr is a terminal, otherwise as
    a line."""
    if not sys.stderr.isatty():
        print(f"{most - ended} running", file=sys.stderr, flush=True)
        return
    filled = _BAR * ended // most if most else _BAR
    end = "\r\x1b[K" if ended == most else ""
    bar = "#" * filled + "." * (_BAR - filled)
    print(f"\r{bar} {most - ended} running {end}", end="", file=sys.stderr, flush=True)


async def _list_text(service: Service) -> str:
    tables = await list_tables(service)
    lines = [_describe(table) for table in tables]
    return "\n".join([*lines, f"{len(tables)} running"])


def _describe(table: RunningTable) -> str:
    opened = datetime.fromtimestamp(table.opened_at / 1000, UTC)
    people = sum(seat.played_by == "person" for seat in table.seats)
    return "  ".join(
        [
            table.table_id,
            f"{opened:%Y-%m-%d %H:%M}",
            table.rules,
            f"{table.round}, {table.honba} honba" if table.round else "cannot be read",
            f"{people} people",
            "public" if table.is_public else "private",
            "frozen" if table.is_frozen else "stopped" if table.resumes_at else "running",
        ]
    )


def _report(what: str, outcome: tuple[int, int]) -> str:
    done, failed = outcome
    line = f"{what} {done} table{'' if done == 1 else 's'}."
    if failed:
        raise CommandError(f"{line} {failed} could not be reached.")
    return line


def parse_minutes(text: str) -> int:
    """Parse the argument `--minutes`. Raises ArgumentTypeError."""
    if not text.isdecimal() or not 1 <= int(text) <= MAX_HOLD_MIN:
        raise ArgumentTypeError(f"it can be a number from 1 to {MAX_HOLD_MIN}")
    return int(text)


def parse_notice(text: str) -> str:
    """Parse the argument `--notice`. Raises ArgumentTypeError."""
    if len(text) > MAX_NOTICE_LENGTH or not text.isprintable():
        raise ArgumentTypeError(f"it can be a line of up to {MAX_NOTICE_LENGTH} letters")
    return text.strip()
