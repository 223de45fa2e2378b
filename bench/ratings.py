"""``python -m bench.ratings [--postgresql] [--games N]``: measures what it costs to rate games.

Games arrive once in order of their ends, once shuffled. In both orders they are rated one by one as
they arrive, and in batches, as the worker rates a queue. The ladder has 1,000 players. The database
is an SQLite file, or a PostgreSQL of its own.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.core.management import call_command
from django.db import connections, transaction
from django.utils import timezone

from bench import report
from bench.databases import use_database
from game.models import Game, Ladder
from game.results.ratings import queue_for_rating, rate_due_games
from tests.kit.unrated_games import write_games
from tools import postgresql

_ONE_BY_ONE: Final = (100, 200)
"""Numbers of games that are rated one by one."""


@dataclass(frozen=True)
class Cost:
    """The time and the CPU time of rating one game, in ms."""

    wall_ms: float
    cpu_ms: float

    def __str__(self) -> str:
        rate = f"{1000 / self.wall_ms:>6,.0f} games/s"
        return f"{self.wall_ms:>8.2f} ms a game {rate} {self.cpu_ms:>8.2f} ms CPU of this process"


class Meter:
    """A meter of time and CPU time, which starts when it is created."""

    def __init__(self) -> None:
        self._start, self._cpu_start = time.perf_counter(), time.process_time()

    def cost(self, games: int) -> Cost:
        spent, cpu = time.perf_counter() - self._start, time.process_time() - self._cpu_start
        return Cost(spent * 1000 / games, cpu * 1000 / games)


def main() -> None:
    """Measure each order and each way of rating, and print the costs."""
    parser = argparse.ArgumentParser(prog="python -m bench.ratings", description=__doc__)
    parser.add_argument(
        "--postgresql", action="store_true", help="use PostgreSQL instead of an SQLite file"
    )
    parser.add_argument(
        "--games", type=int, default=5_000, help="number of games in the longest queue"
    )
    arguments = parser.parse_args()
    with _address(use_postgresql=arguments.postgresql) as url:
        use_database(url)
        call_command("migrate", verbosity=0)
        report.heading("ratings: games of one ladder")
        for shuffled in (False, True):
            order = "shuffled" if shuffled else "in order"
            for count in _ONE_BY_ONE:
                spent = _rate_one_by_one(count, shuffled=shuffled)
                report.line(f"{count} games, {order}, one by one", str(spent))
            for count in (*_ONE_BY_ONE, arguments.games):
                spent = _rate_queue(count, shuffled=shuffled)
                report.line(f"{count} games, {order}, in batches", str(spent))
        connections.close_all()


@contextmanager
def _address(*, use_postgresql: bool) -> Iterator[str]:
    """Yield the address of an empty database, which lasts until the block ends."""
    if use_postgresql:
        with postgresql.running() as url:
            yield url
    else:
        with tempfile.TemporaryDirectory(prefix="mj-") as directory:
            yield f"sqlite:///{Path(directory) / 'db.sqlite3'}"


def _rate_one_by_one(count: int, *, shuffled: bool) -> Cost:
    """Return the cost of a game if each game is rated as soon as it has been archived."""
    _clear()
    games = write_games(count, shuffled=shuffled, queued=False)
    meter = Meter()
    for game in games:
        with transaction.atomic():
            queue_for_rating(game)
        _rate_all()
    return meter.cost(count)


def _rate_queue(count: int, *, shuffled: bool) -> Cost:
    """Return the cost of a game if all games are queued first. Queueing is not counted."""
    _clear()
    for game in write_games(count, shuffled=shuffled, queued=False):
        queue_for_rating(game)
    meter = Meter()
    _rate_all()
    return meter.cost(count)


def _rate_all() -> None:
    while rate_due_games(timezone.now() + timedelta(days=1)):
        pass


def _clear() -> None:
    Ladder.objects.all().delete()
    Game.objects.all().delete()


if __name__ == "__main__":
    main()
