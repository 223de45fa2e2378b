"""`manage.py validate_records`: replay games that other systems recorded and compare."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandParser

from game.management.record_files import add_paths, find_records
from game.records.summary import Summary, report_lines
from game.records.validate import FileReport, validate_file

_FILES_PER_TASK = 4
_BAR = 30


class Command(BaseCommand):
    requires_system_checks = ()
    help = (
        "Replays recorded games (Tenhou mjlog, tenhou.net/6 JSON, mjai, majiang) through the "
        "engine and prints every difference. The exit status is 1 if there is any, or a damaged "
        "file."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_paths(parser)
        parser.add_argument(
            "--json",
            action="store_true",
            help="one line a hand with what the engine computed; all else goes to stderr",
        )
        parser.add_argument(
            "--versions",
            action="store_true",
            help="one line for each file with the versions of the rules that it agrees with",
        )
        parser.add_argument("--jobs", type=int, default=1, help="processes (1)")

    def handle(self, *args: Any, **options: Any) -> None:
        files = find_records(options["paths"])
        report_to = self.stderr if options["json"] else self.stdout
        summary = Summary()
        began = time.monotonic()
        for report in _show_progress(_validate_files(files, options["jobs"]), len(files)):
            summary.add(report)
            if options["json"]:
                for hand in report.hands:
                    self.stdout.write(msgspec.json.encode(hand).decode())
            for line in report_lines(report, with_versions=options["versions"]):
                report_to.write(line)
        for line in summary.lines(time.monotonic() - began):
            report_to.write(line)
        if not summary.is_clean:
            sys.exit(1)


def _validate_files(files: Sequence[Path], jobs: int) -> Iterator[FileReport]:
    """Compare the files in `jobs` processes. Yield the reports in the order of the files."""
    if jobs < 2:
        yield from map(validate_file, files)
        return
    with multiprocessing.Pool(min(jobs, len(files))) as pool:
        yield from pool.imap(validate_file, files, chunksize=_FILES_PER_TASK)


def _show_progress(reports: Iterable[FileReport], total: int) -> Iterator[FileReport]:
    """Yield the same reports; show a progress bar meanwhile if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield from reports
        return
    for done, report in enumerate(reports, start=1):
        sys.stderr.write("\r\x1b[K")
        yield report
        filled = _BAR * done // total
        bar = "#" * filled + "." * (_BAR - filled)
        sys.stderr.write(f"\r{bar} {done}/{total} files")
        sys.stderr.flush()
    sys.stderr.write("\r\x1b[K")
