"""Measures recorded games replayed and compared per CPU-second (`validate_records`).

The records are whole games of our own bots, written in each format. ``RECORDS=FOLDER`` adds the
records of that folder.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from bench import report
from bench.bots.games import play_game
from game.bots import bot_named
from game.records.formats import FORMATS
from game.records.own import own_game
from game.records.reading import read_recorded_game, record_paths
from game.records.recorded import RecordError, UnsupportedRecord
from game.records.validate import validate_game

_NAMES: Final = ("A", "B", "C", "D")
_FOLDER: Final = os.environ.get("RECORDS", "")


def run(*, quick: bool) -> None:
    """Print a figure for each format."""
    games, runs = (1, 1) if quick else (6, 5)
    report.print_heading("records: games replayed and compared per CPU-second, one process")
    for name, records in _bot_records(games).items():
        _print_rates(f"{name}, games of bots", records, runs)
    if _FOLDER:
        for name, records in _folder_records(Path(_FOLDER)).items():
            _print_rates(f"{name}, {len(records)} in {_FOLDER}", records, 1)


def _print_rates(label: str, records: Sequence[bytes], runs: int) -> None:
    measured = [_measure_rates(records) for _ in range(runs)]
    report.print_line(label, report.format_spread([games for games, _ in measured], "games/CPU-s"))
    report.print_line(
        f"{label}, their hands",
        report.format_spread([hands for _, hands in measured], "hands/CPU-s"),
    )


def _measure_rates(records: Sequence[bytes]) -> tuple[float, float]:
    """Return games and hands per CPU-second."""
    started = time.process_time()
    hands = sum(len(validate_game("", read_recorded_game(record)).hands) for record in records)
    spent = time.process_time() - started
    return len(records) / spent, hands / spent


def _bot_records(count: int) -> dict[str, list[bytes]]:
    """Return `count` games over East and South, in every format."""
    written = defaultdict(list)
    choose = bot_named("sensible").choose
    for seed in range(count):
        events = play_game(seed, [choose] * 4).events
        game = replace(own_game(events, _NAMES, is_broken_off=False), is_marked=False)
        for name, form in FORMATS.items():
            written[name].append(form.write(game).encode())
    return written


def _folder_records(folder: Path) -> dict[str, list[bytes]]:
    """Return the records that can be replayed, by format."""
    found = defaultdict(list)
    for path in record_paths([folder]):
        content = path.read_bytes()
        try:
            found[read_recorded_game(content).format].append(content)
        except (RecordError, UnsupportedRecord):
            continue
    return found
