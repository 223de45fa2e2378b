"""A running site with games under way, for tests to inject faults into.

The site has two web servers, two workers and one Redis, with a proxy between each process and
Redis. Players sit at both servers. When a game ends, it is compared with the archive and the next
one begins.
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

from game.archive.game_log import decode_log, encode_log, entries_of
from game.engine.clock import ClockSettings
from game.engine.perspective import SPECTATOR
from game.engine.presets import preset
from game.engine.rules import TENHOU, RuleSet
from game.live.process import Process
from game.tables.errors import TablesUnavailable
from game.tables.room import SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings
from tests.faults.player import PersistentPlayer
from tests.faults.redis_proxy import RedisProxies, RedisProxy
from tests.faults.report import FaultReport
from tests.faults.table_checks import (
    SeenView,
    StoredTable,
    check_actions,
    count_logged,
    count_norths,
    find_log_errors,
    find_lost_time,
    find_view_errors,
    read_archived_log,
    read_stored_table,
)
from tests.kit.processes import Daphne, RedisServer, Site, Worker
from tests.web.players import choose_to_win
from tests.web.short_forms import with_version
from tests.web.site import RunningSite, SignedPerson

CLOCK: Final = ClockSettings(
    base_ms=3_900,
    bank_ms=800,
    lead_ms=100,
    deal_ms=100,
    reaction_ms=80,
    result_ms=5_000,
    result_pause_ms=100,
    bot_min_ms=20,
    bot_max_ms=80,
)
"""A clock with more time than a player here needs for an answer, and less than `PAUSE_S`. A player
whose time runs during a pause is therefore late unless the server gives the time back."""
PAUSE_S: Final = 5.4
"""A pause longer than a worker's lease and than all the time of a player."""
SHORT_GAME: Final = msgspec.structs.replace(
    TENHOU,
    name="short",
    length="east",
    start_points=1_000,
    return_points=1_000,
    goal_points=1_000,
    oka=0,
)
"""Rules under which somebody soon has fewer than zero points."""
SHORT_GAME_OF_THREE: Final = msgspec.structs.replace(
    preset("tenhou-3"),
    name="short",
    length="east",
    start_points=1_000,
    return_points=1_000,
    goal_points=1_000,
    oka=0,
)
TIMEOUT_S: Final = 30.0
COMMITS_AFTER_FAULT: Final = 6
"""Commits that each table has to make after a fault."""
TEST_STALL_S: Final = 1.5
"""A stall of the test process that may itself have made its players late."""

ServerProcess = TypeVar("ServerProcess", Daphne, Worker)


@dataclass
class PlayedGame:
    """A game at a table, with its players and a spectator."""

    table_id: TableId
    rules: RuleSet
    players: list[PersistentPlayer]
    spectator: PersistentPlayer
    stored: StoredTable | None = None
    """The table as it was last checked."""
    is_unjudged: bool = False
    """Whether the test process stalled during this game and may have made its players late."""
    has_lost_time: bool = False
    """Whether lost time has been reported for this game."""

    @property
    def clients(self) -> list[PersistentPlayer]:
        return [*self.players, self.spectator]


@dataclass
class FaultSite:
    """The processes, their games and the report on the faults."""

    processes: Site
    proxies: RedisProxies
    rng: Random
    report: FaultReport = field(default_factory=FaultReport)
    web: list[Daphne] = field(default_factory=list)
    workers: list[Worker] = field(default_factory=list)
    proxy_of: dict[str, RedisProxy] = field(default_factory=dict)
    """The proxy of each process, by the name of the process."""
    games: list[PlayedGame] = field(default_factory=list)
    """The games under way."""

    def __post_init__(self) -> None:
        self._process = Process(self.redis.url)
        self._tasks: list[asyncio.Task[None]] = []
        self._check_lock = asyncio.Lock()

    @property
    def redis(self) -> RedisServer:
        return self.processes.redis

    @property
    def database(self) -> Path:
        return Path(self.processes.env["DATABASE_URL"].removeprefix("sqlite:///"))

    @property
    def players(self) -> list[PersistentPlayer]:
        """Return the players of all games under way."""
        return [player for game in self.games for player in game.players]

    def start(self) -> None:
        """Start the processes, each with a proxy to Redis."""
        self.processes.env["SOCKETS_PER_ADDRESS"] = "0"
        self.workers = [
            self._start_with_proxy(f"worker {n}", self.processes.start_worker) for n in range(2)
        ]
        self.web = [
            self._start_with_proxy(f"web {n}", self.processes.start_daphne) for n in range(2)
        ]

    def _start_with_proxy(self, name: str, start: Callable[[], ServerProcess]) -> ServerProcess:
        proxy = self.proxy_of[name] = self.proxies.add_proxy()
        self.processes.env["REDIS_URL"] = proxy.url
        return start()

    def start_games(self, tables: int) -> None:
        """Play at so many tables at once. Every third table has three players; of the others, every
        other one has two bots."""
        running_site = RunningSite(self.processes, self.web, self.workers)
        people = running_site.sign_in(*(f"p{number}" for number in range(4 * tables)))
        for number in range(tables):
            four = people[4 * number : 4 * number + 4]
            if number % 3 == 2:
                playing = self._play_games(four[:3], SHORT_GAME_OF_THREE)
            else:
                playing = self._play_games(four[:2] if number % 2 else four, SHORT_GAME)
            self._tasks.append(asyncio.create_task(playing))
        self._tasks.append(asyncio.create_task(self._watch_for_test_stalls()))

    async def stop(self) -> None:
        """End all games, and count them in the report."""
        for task in self._tasks:
            task.cancel()
        ended = await asyncio.gather(*self._tasks, return_exceptions=True)
        self.report.other += [repr(error) for error in ended if isinstance(error, Exception)]
        for game in self.games:
            self._count_game(game)
        self.games.clear()
        self.report.notifications = self.proxies.count_changed()
        await self._process.stop()

    async def wait_for_progress(self, *kinds: str) -> None:
        """Wait until every table has gone on after these faults, then check all tables."""
        began = time.monotonic()
        while not self.games:
            self._raise_task_errors()
            await asyncio.sleep(0.05)
        games = list(self.games)
        before = await self._versions(games)
        waiting = dict(zip(map(id, games), before, strict=True))
        while waiting:
            for game, version in zip(games, await self._versions(games), strict=True):
                if game not in self.games or version >= (
                    waiting.get(id(game), version) + COMMITS_AFTER_FAULT
                ):
                    waiting.pop(id(game), None)
            if time.monotonic() - began > TIMEOUT_S:
                stuck = [game.table_id for game in games if id(game) in waiting]
                self.report.other.append(f"after {', '.join(kinds)}: {stuck} do not go on")
                break
            await asyncio.sleep(0.05)
        self.report.record_recovery(kinds, time.monotonic() - began)
        self._raise_task_errors()
        for game in self.games[:]:
            await self._check_game(game, ", ".join(kinds))

    async def wait_for_archive(self, games: int) -> None:
        """Wait until that many games have been archived."""
        until = time.monotonic() + TIMEOUT_S
        while self.report.archived < games and time.monotonic() < until:
            self._raise_task_errors()
            await asyncio.sleep(0.1)

    def _raise_task_errors(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()

    async def _versions(self, games: Sequence[PlayedGame]) -> list[int]:
        while True:
            with contextlib.suppress(TablesUnavailable):
                heads = await self._process.store.read_heads([game.table_id for game in games])
                return [int(head.partition(":")[0] or 0) for head in heads]
            await asyncio.sleep(0.1)

    async def _play_games(self, people: Sequence[SignedPerson], rules: RuleSet) -> None:
        """Play one game after another at one table until cancelled."""
        while True:
            game = await self._open_table(people, rules)
            self.games.append(game)
            self.report.tables += 1
            async with asyncio.TaskGroup() as tasks:
                for client in game.clients:
                    tasks.create_task(self._play(client))
            await self._check_archive(game)
            await self._check_game(game, "the end of the game")
            self.games.remove(game)
            self._count_game(game)

    async def _play(self, player: PersistentPlayer) -> None:
        try:
            await player.play()
        finally:
            await player.cut()

    async def _open_table(self, people: Sequence[SignedPerson], rules: RuleSet) -> PlayedGame:
        seats = [
            SeatMeta(name=f"p{seat}", person=person.person) for seat, person in enumerate(people)
        ]
        bots = range(len(seats), rules.players)
        seats += [SeatMeta(name=f"b{seat}", bot="tsumogiri") for seat in bots]
        table_id = TableId(secrets.token_urlsafe(12))
        while True:
            try:
                await self._process.service.open_table(
                    TableMeta(seats=tuple(seats), clock=CLOCK, settings=TableSettings(rules=rules)),
                    table_id=table_id,
                )
                break
            except TablesUnavailable:
                await asyncio.sleep(0.2)
        urls = [with_version(f"{web.websocket_url}/ws/table/{table_id}/") for web in self.web]
        players = [
            self._player(urls, person.cookie, seat, twice=seat % 2 == 0)
            for seat, person in enumerate(people)
        ]
        return PlayedGame(table_id, rules, players, self._player(urls, "", rules.players))

    def _player(
        self, urls: list[str], cookie: str, seat: int, *, twice: bool = False
    ) -> PersistentPlayer:
        return PersistentPlayer(
            "",
            cookie=cookie,
            seed=self.rng.randrange(2**32),
            choose=choose_to_win,
            urls=urls[seat % 2 :] + urls[: seat % 2],
            sends_twice=twice,
        )

    async def _check_archive(self, game: PlayedGame) -> None:
        """Wait until the game is in the archive, and compare the archived log with the log in
        Redis."""
        until = time.monotonic() + TIMEOUT_S
        table_id = game.table_id
        try:
            while (
                archived := read_archived_log(self.database, table_id, game.rules.players)
            ) is None:
                if time.monotonic() > until:
                    self.report.other.append(f"table {table_id} is not archived")
                    return
                await asyncio.sleep(0.2)
        except AssertionError as error:
            self.report.other.append(str(error))
            return
        self.report.archived += 1
        stored = await self._read_table(game)
        if archived != decode_log(encode_log(entries_of(stored.commits))):
            self.report.other.append(f"the archive of table {table_id} differs from its log")

    async def _read_table(self, game: PlayedGame) -> StoredTable:
        while True:
            with contextlib.suppress(TablesUnavailable):
                return await read_stored_table(self._process, game.table_id)
            await asyncio.sleep(0.2)

    async def _check_game(self, game: PlayedGame, when: str) -> None:
        """Compare the table's log with itself, with its earlier state, and with what its
        clients sent and saw."""
        async with self._check_lock:
            seen_views = [
                SeenView(SPECTATOR if client.you is None else client.you, client.seq, client.view)
                for client in game.clients
                if client.is_synced and client.view is not None
            ]
            acknowledged = [set(player.acknowledged) for player in game.players]
            stored = await self._read_table(game)
            place = f"table {game.table_id} after {when}: "
            report, before, game.stored = self.report, game.stored, stored
            if before is not None and stored.commits[: len(before.commits)] != before.commits:
                report.lost.append(f"{place}earlier commits are gone")
            report.other += [place + line for line in find_log_errors(stored)]
            report.other += [place + line for line in find_view_errors(stored, seen_views)]
            report.compared += len(seen_views)
            actions = check_actions(stored, game.players, acknowledged)
            report.lost += [place + line for line in actions.lost]
            report.doubled += [place + line for line in actions.doubled]
            if not (game.is_unjudged or game.has_lost_time):
                lost_time = find_lost_time(stored, len(game.players))
                report.lost_time += [place + line for line in lost_time]
                game.has_lost_time = bool(lost_time)
            for client in game.clients:
                report.other += [place + line for line in client.unexpected_errors]
                client.unexpected_errors.clear()

    def _count_game(self, game: PlayedGame) -> None:
        self.report.unjudged += game.is_unjudged
        if game.stored is not None:
            self.report.commits += len(game.stored.commits)
            self.report.actions += len(count_logged(game.stored))
            self.report.norths += count_norths(game.stored)
        for client in game.clients:
            self.report.connections += client.connections
            self.report.slowest_ms = max(self.report.slowest_ms, client.slowest_ms)

    async def _watch_for_test_stalls(self) -> None:
        """Mark the games during which the test process itself stalled."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.1)
            if time.monotonic() - before > TEST_STALL_S:
                for game in self.games:
                    game.is_unjudged = True
