"""Shows whether the memory of the processes levels off while games end and begin.

``python -m bench.memory --tables 150 --minutes 60`` plays short games, each with four players, a
spectator and some chat. After a game two of its players go on at a new table, one plays again later
and one leaves for good; new people sign in for those who leave. The memory of the web servers, the
workers and Redis is sampled.

Exits with 1 if a process holds more than 3 % more at the end of the second half than at the end of
the first half, with 2 if a table stopped playing.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter, deque
from collections.abc import Sequence
from random import Random
from statistics import median
from typing import Final, NamedTuple

import psutil
import redis as redis_client
from msgspec.structs import replace

from bench import report
from bench.loaded_site import Load, open_table, start_site
from bench.socket_clients import (
    Counts,
    Pace,
    PlayerClient,
    SpectatorClient,
    TableClient,
    abort_sockets,
    keep_pinging,
    open_socket,
)
from game.engine.clock import ClockSettings
from game.engine.rules import TENHOU
from game.live.process import Process
from tests.web.site import RunningSite, SignedPerson

MAX_GROWTH: Final = 0.03
_SHORT_RULES: Final = replace(
    TENHOU,
    name="short",
    length="east",
    start_points=2_000,
    return_points=2_000,
    oka=0,
    extra_round=False,
)
"""Rules under which the first large payment ends the game."""
_CLOCK: Final = ClockSettings(
    lead_ms=0, deal_ms=0, reaction_ms=50, result_ms=1_000, result_pause_ms=0, lag_ms=5_000
)
_END_WITHIN_S: Final = 60.0
"""Seconds after the vote within which a game must end."""
_SIGNED_IN_AT_ONCE: Final = 40
_END_SHARE: Final = 0.2
"""Share of each half, at its end, whose samples give the median."""
_SPARKLINE_BARS: Final = "▁▂▃▄▅▆▇█"
_MIB: Final = 1024 * 1024


class Sample(NamedTuple):
    """The memory of the processes at one moment, in bytes."""

    at_s: float
    resident: dict[str, int]
    proportional: dict[str, int]
    """Proportional set size (PSS): a page that several processes share is divided among them."""


class Growth(NamedTuple):
    """The medians of the memory at the end of each half, in bytes."""

    first: float
    second: float

    @property
    def share(self) -> float:
        return self.second / self.first - 1

    @property
    def is_held(self) -> bool:
        return self.second <= self.first * (1 + MAX_GROWTH)


def growth(samples: Sequence[tuple[float, int]], length_s: float) -> Growth:
    """Return the median memory at the end of each half of the run. `samples` are (seconds,
    bytes)."""

    def at_end(of_s: float) -> float:
        since = of_s - _END_SHARE * length_s / 2
        return median(size for at_s, size in samples if since <= at_s <= of_s)

    return Growth(at_end(length_s / 2), at_end(length_s))


def sparkline(values: Sequence[float], width: int = 40) -> str:
    """Draw the values as bars of eight heights, scaled from the least to the greatest value."""
    step = max(1, -(-len(values) // width))
    shown = values[::step]
    least, most = min(shown), max(shown)
    span = (most - least) or 1
    return "".join(
        _SPARKLINE_BARS[int((value - least) / span * (len(_SPARKLINE_BARS) - 1))] for value in shown
    )


class People:
    """The people who are signed in and play at no table."""

    def __init__(self, running_site: RunningSite) -> None:
        self._running_site = running_site
        self._waiting: deque[SignedPerson] = deque()
        self._asking = asyncio.Lock()
        self.count = 0

    async def sign_in(self, count: int) -> None:
        """Sign in `count` new people."""
        names = [f"p{self.count + number}" for number in range(count)]
        self.count += count
        self._waiting.extend(await asyncio.to_thread(self._running_site.sign_in, *names))

    async def take(self, count: int) -> list[SignedPerson]:
        """Take the `count` people who have waited longest. Sign in new people if there are too
        few."""
        while len(self._waiting) < count:
            async with self._asking:
                if len(self._waiting) < count:
                    await self.sign_in(_SIGNED_IN_AT_ONCE)
        return [self._waiting.popleft() for _ in range(count)]

    def give_back(self, people: Sequence[SignedPerson]) -> None:
        self._waiting.extend(people)


class Watcher(SpectatorClient):
    """A spectator who notices the end of the game."""

    def __init__(self, counts: Counts) -> None:
        super().__init__(counts)
        self.has_ended = asyncio.Event()

    def take(self, payload: bytes) -> None:
        super().take(payload)
        if b'"end_game"' in payload or b'"phase":"ended"' in payload:
            self.has_ended.set()


class Play:
    """Plays one game after another at each place. A place is one table of the load."""

    def __init__(self, running_site: RunningSite, load: Load, game_s: float) -> None:
        self._running_site = running_site
        self._load = load
        self._game_s = game_s
        self._people = People(running_site)
        self._process = Process(running_site.redis.url)
        self._rng = Random(1)
        self.games: Counter[str] = Counter()

    async def run(self, length_s: float) -> None:
        """Play for `length_s`."""
        await self._people.sign_in(4 * self._load.tables)
        places = [asyncio.create_task(self._play_on(n)) for n in range(self._load.tables)]
        try:
            done, _ = await asyncio.wait(
                places, timeout=length_s, return_when=asyncio.FIRST_EXCEPTION
            )
            for place in done:
                place.result()
        finally:
            for place in places:
                place.cancel()
            await asyncio.gather(*places, return_exceptions=True)
            await self._process.stop()

    @property
    def people(self) -> int:
        return self._people.count

    async def _play_on(self, place: int) -> None:
        await asyncio.sleep(self._rng.uniform(0, 20))
        four = await self._people.take(4)
        while True:
            try:
                await self._play_game(place, four)
                self.games["ended"] += 1
            except TimeoutError:
                self.games["stopped"] += 1
            except OSError as error:
                self.games[f"lost: {error}"] += 1
            self._people.give_back(four[2:3])
            four = [*four[:2], *await self._people.take(2)]

    async def _play_game(self, place: int, four: Sequence[SignedPerson]) -> None:
        table_id = await open_table(self._process, four, _CLOCK, _SHORT_RULES)
        self._process.rooms.forget(table_id)
        counts, pace, sent_at = Counts(), Pace(self._load.pace, self._rng), [0.0] * 4
        watcher = Watcher(counts)
        clients: list[TableClient] = [
            *(PlayerClient(seat, sent_at, pace, counts) for seat in range(4)),
            watcher,
        ]
        pings = asyncio.create_task(keep_pinging(clients))
        try:
            for number, client in enumerate(clients):
                url = self._running_site.socket_url(table_id, place % self._load.daphnes)
                await open_socket(url, four[number].cookie if number < 4 else "", client)
            for client in clients[:2]:
                assert client.socket is not None
                client.socket.send(b'{"t":"say","phrase":"luck"}')
            await self._end(clients, watcher)
        finally:
            pings.cancel()
            abort_sockets(clients)

    async def _end(self, clients: Sequence[TableClient], watcher: Watcher) -> None:
        """Wait until the game ends. If it takes long, its players vote to end it."""
        seconds = self._game_s * self._rng.uniform(0.5, 1.5)
        try:
            async with asyncio.timeout(seconds):
                await watcher.has_ended.wait()
        except TimeoutError:
            for client in clients[:4]:
                assert client.socket is not None
                client.socket.send(b'{"t":"vote","motion":"end"}')
            async with asyncio.timeout(_END_WITHIN_S):
                await watcher.has_ended.wait()


async def _take_samples(running_site: RunningSite, length_s: float, play: Play) -> list[Sample]:
    """Take samples for `length_s` and show the progress."""
    every_s, began = max(1.0, length_s / 360), time.monotonic()
    processes = _processes(running_site)
    samples = list[Sample]()
    while (at_s := time.monotonic() - began) < length_s:
        resident, proportional = dict[str, int](), dict[str, int]()
        for name, process in processes.items():
            memory = await asyncio.to_thread(process.memory_full_info)
            resident[name], proportional[name] = memory.rss, memory.pss
        resident["Redis's data"] = proportional["Redis's data"] = _redis_bytes(running_site)
        samples.append(Sample(at_s, resident, proportional))
        _show_progress(at_s / length_s, play)
        await asyncio.sleep(every_s)
    return samples


def _processes(running_site: RunningSite) -> dict[str, psutil.Process]:
    pids = {
        f"web server {number}": daphne.pid for number, daphne in enumerate(running_site.daphnes, 1)
    }
    pids |= {
        f"worker {number}": worker.pid for number, worker in enumerate(running_site.workers, 1)
    }
    pids["Redis"] = running_site.redis.pid
    return {name: psutil.Process(pid) for name, pid in pids.items()}


def _redis_bytes(running_site: RunningSite) -> int:
    with redis_client.Redis.from_url(running_site.redis.url) as connection:
        return int(connection.info("memory")["used_memory"])


def _show_progress(share: float, play: Play) -> None:
    if sys.stderr.isatty():
        bar = "#" * round(40 * share)
        print(f"\r[{bar:<40}] {share:4.0%}, games {dict(play.games)}", end="", file=sys.stderr)


async def measure(load: Load, minutes: float, game_s: float) -> int:
    """Play for `minutes`, print the memory, and return the exit code."""
    length_s = minutes * 60
    report.print_heading(
        f"memory: {load.tables} tables of short games for {minutes:g} minutes; "
        f"{load.daphnes} web server, {load.workers} worker, Redis"
    )
    with start_site(load) as running_site:
        play = Play(running_site, load, game_s)
        samples, _ = await asyncio.gather(
            _take_samples(running_site, length_s, play), play.run(length_s)
        )
    return _print_memory(samples, play, length_s)


def _print_memory(samples: Sequence[Sample], play: Play, length_s: float) -> int:
    games = ", ".join(f"{count} {how}" for how, count in sorted(play.games.items()))
    report.print_line("games", f"{games}; {play.people} people")
    is_held = True
    for name in samples[0].resident:
        sizes = [sample.resident[name] for sample in samples]
        found = growth([(sample.at_s, sample.resident[name]) for sample in samples], length_s)
        is_held = is_held and found.is_held
        proportional = samples[-1].proportional[name] / _MIB
        report.print_line(
            f"{name}, MiB: start, end of each half, PSS at the end",
            f"{sizes[0] / _MIB:>7.1f} {found.first / _MIB:>7.1f} {found.second / _MIB:>7.1f} "
            f"{proportional:>7.1f}  {found.share:>+6.1%}  "
            f"{'held' if found.is_held else 'NOT HELD'}",
        )
        print(f"    {sparkline(sizes, 72)}", flush=True)
    rule = f"the end of the second half at most {MAX_GROWTH:.0%} above the first"
    report.print_line(rule, "held" if is_held else "NOT HELD")
    if set(play.games) != {"ended"}:
        return 2
    return 0 if is_held else 1


def main() -> int:
    """Measure one load from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__)
    parser.add_argument("--tables", type=int, default=150)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between two discards")
    parser.add_argument(
        "--game", type=float, default=90.0, help="mean seconds until a vote ends it"
    )
    parser.add_argument("--daphnes", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    load = Load(options.tables, options.pace, daphnes=options.daphnes, workers=options.workers)
    return asyncio.run(measure(load, options.minutes, options.game))


if __name__ == "__main__":
    sys.exit(main())
