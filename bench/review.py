"""Measures the CPU time of the review of whole games, without and with curves.

The games are those of bots. ``RECORDS=FOLDER`` adds as many games of at least eight hands, spread
over the records of that folder.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from bench import report
from bench.played_games import play_room
from game.engine.events import Event
from game.engine.rules import TENHOU
from game.records.reading import read_recorded_game, record_paths
from game.records.recorded import RecordError, UnsupportedRecord
from game.records.validate import engine_events, validate_game
from game.reviews.game_review import review_game
from game.reviews.moments import NotFinished, split_hands
from game.reviews.storage import encode_review
from game.tables.room import SeatMeta

GAMES: Final = 8
_MIN_HANDS: Final = 8
_FOLDER: Final = os.environ.get("RECORDS", "")

Events = Sequence[Event]


def run(*, quick: bool) -> None:
    """Print the figures of some games."""
    report.print_heading("review: CPU time for a game from East 1 to the end of the South round")
    number = 1 if quick else GAMES
    _print_review_times("bots", [_bot_game(seed) for seed in range(number)])
    if _FOLDER:
        _print_review_times(_FOLDER, list(_read_games(Path(_FOLDER), number)))


def _print_review_times(label: str, games: Sequence[Events]) -> None:
    sizes: list[float] = []
    for kind, with_curves in (("without curves", False), ("with curves", True)):
        times, decisions = [], 0
        for events in games:
            started = time.process_time()
            review = review_game(events, with_curves=with_curves)
            times.append(time.process_time() - started)
            decisions += len(review.decisions)
            if with_curves:
                sizes.append(len(encode_review(review)) / 1_000)
        spread = report.format_spread([1_000 * seconds for seconds in times], "ms")
        report.print_line(f"{label}: {kind}, {decisions} decisions", spread)
    report.print_line(f"{label}: stored", report.format_spread(sizes, "KB"))


def _bot_game(seed: int) -> Events:
    seats = tuple(SeatMeta(f"bot {seat}", bot="sensible") for seat in range(4))
    _, log = play_room(f"review-{seed}", seats, TENHOU, seed=seed, started_at=0)
    return [event for commit in log for event in commit.events]


def _read_games(folder: Path, number: int) -> Iterator[Events]:
    """Yield up to `number` long finished games, evenly spread over the folder's sorted files."""
    files = list(record_paths([folder]))
    for place in range(number):
        for path in files[place * len(files) // number :]:
            if (events := _read_long_game(path.read_bytes())) is not None:
                yield events
                break


def _read_long_game(content: bytes) -> Events | None:
    """Return the events of a record; None if it has too few hands or does not end."""
    try:
        game = read_recorded_game(content)
        events = engine_events(game, validate_game("", game))
        return events if len(split_hands(events)) >= _MIN_HANDS else None
    except (RecordError, UnsupportedRecord, NotFinished):
        return None
