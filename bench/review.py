"""Measures the CPU time of the review of whole games that bots played, without and with curves."""

from __future__ import annotations

import time

from bench import report
from bench.played_games import play_room
from game.engine.events import Event
from game.engine.rules import TENHOU
from game.reviews.game_review import review_game
from game.reviews.storage import encode_review
from game.tables.room import SeatMeta, four


def run(*, quick: bool) -> None:
    """Print the figures of a few games."""
    report.heading("review: CPU time for a game from East 1 to the end of the South round")
    games = [_events(seed) for seed in range(1 if quick else 4)]
    sizes: list[float] = []
    for label, with_curves in (("without curves", False), ("with curves", True)):
        times, decisions = [], 0
        for events in games:
            started = time.process_time()
            review = review_game(events, with_curves=with_curves)
            times.append(1_000 * (time.process_time() - started))
            decisions += len(review.decisions)
            if with_curves:
                sizes.append(len(encode_review(review)) / 1_000)
        report.line(f"{label}, {decisions} decisions", report.spread(times, "ms"))
    report.line("stored", report.spread(sizes, "KB"))


def _events(seed: int) -> list[Event]:
    seats = four(SeatMeta(f"bot {seat}", bot="sensible") for seat in range(4))
    _, log = play_room(f"review-{seed}", seats, TENHOU, seed=seed, started_at=0)
    return [event for commit in log for event in commit.events]
