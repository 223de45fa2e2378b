"""A house with tables that are being played, whose every part a test may strike.

Two web servers, two workers and one Redis, each process with a line of its own to Redis. At the
tables sit players on both servers; a game that ends is compared with the archive and followed by
another.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final, TypeVar

import msgspec

from game.engine.clock import ClockSettings
from game.engine.perspective import WATCHER
from game.engine.rules import TENHOU
from game.live.process import Process
from game.tables.errors import TablesUnavailable
from game.tables.room import SeatMeta, TableId
from tests.faults.ledger import (
    Books,
    Picture,
    archived,
    books_of,
    deeds_of,
    faults_of_log,
    not_seen,
    time_burnt,
)
from tests.faults.lines import Line, Lines
from tests.faults.player import Steadfast
from tests.faults.tally import Tally
from tests.kit.processes import Daphne, RedisServer, Site, Worker
from tests.web.players import keen
from tests.web.site import Served, Signed

PACE: Final = ClockSettings(
    base_ms=3_900,
    bank_ms=800,
    lead_ms=100,
    deal_ms=100,
    pause_ms=80,
    result_ms=5_000,
    result_pause_ms=100,
    bot_min_ms=20,
    bot_max_ms=80,
)
"""Slower than any player here, and quicker than any calamity: a deadline that passes in one is
burnt unless the house gives the time back."""
CALAMITY_S: Final = 5.4
"""Longer than a worker's lease, and than all the time that a player has."""
SHORT_GAME: Final = msgspec.structs.replace(
    TENHOU,
    name="short",
    length="east",
    start_points=1_000,
    return_points=1_000,
    goal_points=1_000,
    oka=0,
)
"""Somebody is soon below zero."""
PATIENCE_S: Final = 30.0
GOES_ON_WITH: Final = 6
"""Commits at each table after a fault."""
OWN_STALL_S: Final = 1.5
"""A test that stood still for so long has itself made its players late."""

Struck = TypeVar("Struck", Daphne, Worker)


@dataclass
class Sitting:
    """A game at a table, and who is at it."""

    table_id: TableId
    players: list[Steadfast]
    watcher: Steadfast
    log: Books | None = None
    """As it was looked at last."""
    is_excused: bool = False
    """The test itself has stood still during this game, and may have made its players late."""
    is_told_late: bool = False
    """That time was burnt has been found."""

    @property
    def everybody(self) -> list[Steadfast]:
        return [*self.players, self.watcher]


@dataclass
class Floor:
    """The house, its tables, and what is known of them."""

    site: Site
    lines: Lines
    rng: Random
    tally: Tally = field(default_factory=Tally)
    web: list[Daphne] = field(default_factory=list)
    workers: list[Worker] = field(default_factory=list)
    line_of: dict[str, Line] = field(default_factory=dict)
    """By the name of the process."""
    sittings: list[Sitting] = field(default_factory=list)
    """The games under way."""

    def __post_init__(self) -> None:
        self._process = Process(self.redis.url)
        self._tasks: list[asyncio.Task[None]] = []
        self._looking = asyncio.Lock()

    @property
    def redis(self) -> RedisServer:
        return self.site.redis

    @property
    def database(self) -> Path:
        return Path(self.site.env["DATABASE_URL"].removeprefix("sqlite:///"))

    def start(self) -> None:
        """Start the processes."""
        self.site.env["SOCKETS_PER_ADDRESS"] = "0"
        self.workers = [self._with_line(f"worker {n}", self.site.worker) for n in range(2)]
        self.web = [self._with_line(f"web {n}", self.site.daphne) for n in range(2)]

    def _with_line(self, name: str, start: Callable[[], Struck]) -> Struck:
        line = self.line_of[name] = self.lines.new()
        self.site.env["REDIS_URL"] = line.url
        return start()

    def seat(self, tables: int) -> None:
        """Let people play at so many tables from now on. At every other two of them are bots."""
        served = Served(self.site, self.web, self.workers)
        people = served.sign_in(*(f"p{number}" for number in range(4 * tables)))
        for number in range(tables):
            four = people[4 * number : 4 * number + 4]
            playing = self._games(four[:2] if number % 2 else four)
            self._tasks.append(asyncio.create_task(playing))
        self._tasks.append(asyncio.create_task(self._mind_ourselves()))

    async def stop(self) -> None:
        """Everybody gets up."""
        for task in self._tasks:
            task.cancel()
        ended = await asyncio.gather(*self._tasks, return_exceptions=True)
        self.tally.other += [repr(error) for error in ended if isinstance(error, Exception)]
        for sitting in self.sittings:
            self._counted(sitting)
        self.sittings.clear()
        self.tally.pokes = self.lines.meddled()
        await self._process.stop()

    async def has_gone_on(self, *kinds: str) -> None:
        """Wait until every table has gone on after these faults, and compare all of them with
        what is known."""
        began = time.monotonic()
        while not self.sittings:
            self._see_that_all_play()
            await asyncio.sleep(0.05)
        sittings = list(self.sittings)
        before = await self._versions(sittings)
        waiting = dict(zip(map(id, sittings), before, strict=True))
        while waiting:
            for sitting, version in zip(sittings, await self._versions(sittings), strict=True):
                if sitting not in self.sittings or version >= (
                    waiting.get(id(sitting), version) + GOES_ON_WITH
                ):
                    waiting.pop(id(sitting), None)
            if time.monotonic() - began > PATIENCE_S:
                stuck = [one.table_id for one in sittings if id(one) in waiting]
                self.tally.other.append(f"after {', '.join(kinds)}: {stuck} stand still")
                break
            await asyncio.sleep(0.05)
        self.tally.recovered(kinds, time.monotonic() - began)
        self._see_that_all_play()
        for sitting in self.sittings[:]:
            await self._look_at(sitting, ", ".join(kinds))

    async def has_archived(self, games: int) -> None:
        """Wait until so many games have come to their ends."""
        until = time.monotonic() + PATIENCE_S
        while self.tally.archived < games and time.monotonic() < until:
            self._see_that_all_play()
            await asyncio.sleep(0.1)

    def _see_that_all_play(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()

    async def _versions(self, sittings: Sequence[Sitting]) -> list[int]:
        while True:
            with contextlib.suppress(TablesUnavailable):
                heads = await self._process.store.heads([one.table_id for one in sittings])
                return [int(head.partition(":")[0] or 0) for head in heads]
            await asyncio.sleep(0.1)

    async def _games(self, people: Sequence[Signed]) -> None:
        """One game after another, for as long as the house is open."""
        while True:
            sitting = await self._sat_down(people)
            self.sittings.append(sitting)
            self.tally.tables += 1
            async with asyncio.TaskGroup() as games:
                for one in sitting.everybody:
                    games.create_task(self._played(one))
            await self._archived(sitting)
            await self._look_at(sitting, "the end of the game")
            self.sittings.remove(sitting)
            self._counted(sitting)

    async def _played(self, player: Steadfast) -> None:
        try:
            await player.play()
        finally:
            await player.cut()

    async def _sat_down(self, people: Sequence[Signed]) -> Sitting:
        seats = [SeatMeta(name=f"p{seat}", person=who.person) for seat, who in enumerate(people)]
        seats += [SeatMeta(name=f"b{seat}", bot="tsumogiri") for seat in range(len(seats), 4)]
        table_id = TableId(secrets.token_urlsafe(12))
        while True:
            try:
                await self._process.service.open_table(
                    seats=(seats[0], seats[1], seats[2], seats[3]),
                    rules=SHORT_GAME,
                    clock=PACE,
                    table_id=table_id,
                )
                break
            except TablesUnavailable:
                await asyncio.sleep(0.2)
        urls = [f"{web.websocket_url}/ws/table/{table_id}/" for web in self.web]
        players = [
            self._player(urls, who.cookie, seat, twice=seat % 2 == 0)
            for seat, who in enumerate(people)
        ]
        return Sitting(table_id, players, self._player(urls, "", 4))

    def _player(self, urls: list[str], cookie: str, seat: int, *, twice: bool = False) -> Steadfast:
        return Steadfast(
            "",
            cookie=cookie,
            seed=self.rng.randrange(2**32),
            choose=keen,
            urls=urls[seat % 2 :] + urls[: seat % 2],
            sends_twice=twice,
        )

    async def _archived(self, sitting: Sitting) -> None:
        """Wait until the game is in the archive, and see that it is there as it was played."""
        until = time.monotonic() + PATIENCE_S
        table_id = sitting.table_id
        try:
            while (kept := archived(self.database, table_id)) is None:
                if time.monotonic() > until:
                    self.tally.other.append(f"table {table_id} is not archived")
                    return
                await asyncio.sleep(0.2)
        except AssertionError as error:
            self.tally.other.append(str(error))
            return
        self.tally.archived += 1
        books = await self._books(sitting)
        if kept != books.commits:
            self.tally.other.append(f"table {table_id} is archived otherwise than it was played")

    async def _books(self, sitting: Sitting) -> Books:
        while True:
            with contextlib.suppress(TablesUnavailable):
                return await books_of(self._process, sitting.table_id)
            await asyncio.sleep(0.2)

    async def _look_at(self, sitting: Sitting, when: str) -> None:
        """Compare the table's log with itself, with how it was, and with what everybody there
        has been told and shown."""
        async with self._looking:
            pictures = [
                Picture(WATCHER if one.you is None else one.you, one.seq, one.view)
                for one in sitting.everybody
                if one.is_in_step and one.view is not None
            ]
            books = await self._books(sitting)
            told = f"table {sitting.table_id} after {when}: "
            tally, before, sitting.log = self.tally, sitting.log, books
            if before is not None and books.commits[: len(before.commits)] != before.commits:
                tally.lost.append(f"{told}what had happened has been forgotten")
            tally.other += [told + line for line in faults_of_log(books)]
            tally.other += [told + line for line in not_seen(books, pictures)]
            tally.compared += len(pictures)
            deeds = deeds_of(books, sitting.players)
            tally.lost += [told + line for line in deeds.lost]
            tally.doubled += [told + line for line in deeds.doubled]
            if not (sitting.is_excused or sitting.is_told_late):
                burnt = time_burnt(books, len(sitting.players))
                tally.burnt += [told + line for line in burnt]
                sitting.is_told_late = bool(burnt)
            for one in sitting.everybody:
                tally.other += [told + line for line in one.complaints]
                one.complaints.clear()

    def _counted(self, sitting: Sitting) -> None:
        self.tally.excused += sitting.is_excused
        if sitting.log is not None:
            self.tally.commits += len(sitting.log.commits)
            self.tally.actions += deeds_of(sitting.log, sitting.players).done
        for one in sitting.everybody:
            self.tally.connections += one.connections
            self.tally.slowest_ms = max(self.tally.slowest_ms, one.slowest_ms)

    async def _mind_ourselves(self) -> None:
        """Who is kept from answering by this test's own slowness is not late by the house's."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.1)
            if time.monotonic() - before > OWN_STALL_S:
                for sitting in self.sittings:
                    sitting.is_excused = True
