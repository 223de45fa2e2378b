"""Breaks a site on a Redis Cluster while tables are played, and measures the effects on players.

    python -m tests.cluster.breaks

prints a row for each break: the longest time without an event, in seconds, at the tables that the
break concerns and at the others; the number of acknowledged moves that are lost; the number of
moves that are in a log twice.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()

import msgspec  # noqa: E402
from redis.crc import key_slot  # noqa: E402

from game.tables.errors import TablesUnavailable  # noqa: E402
from game.tables.keys import due_key, shard_of  # noqa: E402
from game.tables.room import Commit, TableId  # noqa: E402
from tests.kit.processes import Site, migrate_database  # noqa: E402
from tests.kit.redises import SLOTS, Cluster, Server  # noqa: E402
from tests.web.players import Client  # noqa: E402
from tests.web.site import RunningSite, SignedPerson, serve  # noqa: E402
from tests.web.tables import AT_ONCE, commits_of, open_table  # noqa: E402

PATIENCE_S: Final = 60.0
UNHURRIED: Final = msgspec.structs.replace(AT_ONCE, reaction_ms=30, bot_min_ms=20, bot_max_ms=60)
_SETTLED: Final = 10
"""The number of events after which a table counts as running normally."""
HEADING: Final = f"{'break':<16}{'affected s':>12}{'others s':>10}{'lost':>6}{'doubled':>9}"


class BreakEffects(NamedTuple):
    """The effects of one break on players."""

    what: str
    affected_s: float
    """The longest time without an event at a table that the break concerns."""
    others_s: float
    """The longest time without an event at all other tables."""
    lost: int
    """Acknowledged moves that are in no log."""
    doubled: int
    """Moves that are in a log twice."""

    def __str__(self) -> str:
        pauses = f"{self.affected_s:>12.2f}{self.others_s:>10.2f}"
        return f"{self.what:<16}{pauses}{self.lost:>6}{self.doubled:>9}"


class RoamingClient(Client):
    """A browser that connects to the next web server each time it connects."""

    urls: Sequence[str] = ()

    async def open_silently(self) -> None:
        self.url, self.urls = self.urls[0], [*self.urls[1:], self.urls[0]]
        await super().open_silently()


class MeasuredTable:
    """A table with one player and three bots, and the longest time without an event there."""

    def __init__(self, table_id: TableId, player: RoamingClient) -> None:
        self.table_id = table_id
        self.player = player
        self.longest_s = 0.0
        self._last = time.monotonic()
        self._tasks = [asyncio.create_task(run()) for run in (player.play, self._watch)]

    def measure(self) -> None:
        """Begin a new measurement of pauses at this table."""
        self.longest_s, self._last = 0.0, time.monotonic()

    async def wait_for_events(self, more: int) -> None:
        """Wait until the player has seen `more` further events."""
        seq, until = self.player.seq + more, time.monotonic() + PATIENCE_S
        while self.player.seq < seq and not self.player.has_ended:
            assert not self._tasks[0].done(), self._tasks[0]
            assert time.monotonic() < until, f"table {self.table_id} does not go on"
            await asyncio.sleep(0.02)

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.player.cut()

    async def _watch(self) -> None:
        seen = self.player.seq
        while not self.player.has_ended:
            await asyncio.sleep(0.01)
            now = time.monotonic()
            self.longest_s = max(self.longest_s, now - self._last)
            if self.player.seq != seen:
                seen, self._last = self.player.seq, now


class Stage:
    """A running site: three masters, two web servers, workers, and tables on every master."""

    def __init__(self, cluster: Cluster, running_site: RunningSite) -> None:
        self.cluster = cluster
        self.running_site = running_site
        self.games: list[MeasuredTable] = []

    async def open(self, tables: int) -> None:
        """Open that many tables on each master, and begin to play."""
        count = tables * len(self.cluster.masters)
        people = self.running_site.sign_in(*(f"P{number}" for number in range(count)))
        for number, person in enumerate(people):
            master = self.cluster.masters[number % len(self.cluster.masters)]
            table_id = await self._opened_on(master, person)
            urls = [self.running_site.socket_url(table_id, server) for server in (0, 1)]
            player = RoamingClient("", person.cookie, seed=number)
            player.urls = urls if number < count // 2 else urls[::-1]
            self.games.append(MeasuredTable(table_id, player))
        await self.wait_for_events()

    async def _opened_on(self, master: Server, person: SignedPerson) -> TableId:
        while True:
            table_id = TableId(secrets.token_urlsafe(12))
            if self.cluster.first_owner(slot_of(table_id)) is master:
                return await open_table(
                    self.running_site.redis.url, [person], UNHURRIED, table_id=table_id
                )

    def games_on(self, master: Server) -> list[MeasuredTable]:
        """Return the games whose tables were on that master from the start."""
        return [
            game
            for game in self.games
            if self.cluster.first_owner(slot_of(game.table_id)) is master
        ]

    async def subscribe_at(self, server: Server) -> None:
        """Break subscriptions elsewhere until at least one web server is subscribed there."""
        until = time.monotonic() + PATIENCE_S
        while not await asyncio.to_thread(count_subscriptions, server):
            assert time.monotonic() < until, "no web server subscribes there"
            for other in self.cluster.masters:
                if other is not server:
                    other.execute("CLIENT", "KILL", "TYPE", "PUBSUB")
            await asyncio.sleep(1)

    async def wait_for_events(self, more: int = _SETTLED) -> None:
        """Wait until every player has seen `more` further events."""
        await asyncio.gather(*(game.wait_for_events(more) for game in self.games))

    def measure(self) -> None:
        """Begin a new measurement of pauses at all tables."""
        for game in self.games:
            game.measure()

    async def row(self, what: str, affected: Sequence[MeasuredTable]) -> BreakEffects:
        """Compare the logs with the acknowledged moves; return the losses and the measured
        pauses."""
        pauses = {game: game.longest_s for game in self.games}
        lost = doubled = 0
        for game in self.games:
            acknowledged = set(game.player.acknowledged)
            commits = await self._read_commits(game.table_id)
            done = Counter(commit.cid for commit in commits if commit.cid)
            lost += len(acknowledged - done.keys())
            doubled += sum(count - 1 for count in done.values())
        return BreakEffects(
            what,
            max((pauses[game] for game in affected), default=0.0),
            max((pauses[game] for game in self.games if game not in affected), default=0.0),
            lost,
            doubled,
        )

    async def _read_commits(self, table_id: TableId) -> list[Commit]:
        """Return the table's log, once the nodes of the cluster agree who has its slot."""
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                return await commits_of(self.running_site.redis.url, table_id)
            except TablesUnavailable:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.5)

    async def close(self) -> None:
        await asyncio.gather(*(game.stop() for game in self.games))


@contextmanager
def site_on_cluster(
    directory: Path, database: Path, *, replicas: bool, workers: int = 1
) -> Iterator[Stage]:
    """Yield a site on a Redis Cluster of three masters, without tables; end it after the block."""
    with tempfile.TemporaryDirectory(prefix="mj-") as short:
        cluster = Cluster(Path(short), replicas=replicas)
        site = Site(cluster, directory, database)  # type: ignore[arg-type]  # needs only the URL
        try:
            cluster.start()
            yield Stage(cluster, serve(site, daphnes=2, workers=workers))
        finally:
            site.stop()
            cluster.kill()


async def hung_master(stage: Stage, *, hung_s: float) -> BreakEffects:
    """Pause a master that has tables and a subscription with SIGSTOP for `hung_s` seconds."""
    broken = stage.cluster.masters[1]
    await stage.subscribe_at(broken)
    await stage.wait_for_events()
    stage.measure()
    broken.pause()
    try:
        await asyncio.sleep(hung_s)
    finally:
        broken.resume()
    await stage.wait_for_events()
    return await stage.row("hung master", stage.games_on(broken))


async def remove_node(stage: Stage, *, unreachable_s: float) -> BreakEffects:
    """Take a master out of the cluster after its slots were moved, while a web server is subscribed
    there. The removed server still runs and answers."""
    broken, successor = stage.cluster.masters[1:]
    await stage.subscribe_at(broken)
    slots = [slot for slot in range(SLOTS) if stage.cluster.first_owner(slot) is broken]
    await asyncio.to_thread(stage.cluster.move_slots, slots, broken, successor)
    await stage.wait_for_events()
    stage.measure()
    await asyncio.to_thread(stage.cluster.forget, broken)
    await asyncio.sleep(unreachable_s)
    await stage.wait_for_events()
    return await stage.row("removed node", stage.games)


async def kill_master(stage: Stage) -> BreakEffects:
    """End a master with SIGKILL; its replica takes over."""
    broken = stage.cluster.masters[1]
    stage.measure()
    broken.kill()
    await stage.wait_for_events()
    row = await stage.row("killed master", stage.games_on(broken))
    await asyncio.to_thread(broken.start)
    return row


async def move_slots(stage: Stage) -> BreakEffects:
    """Move all slots of a master to another."""
    before, after = stage.cluster.masters[1:]
    slots = [slot for slot in range(SLOTS) if stage.cluster.first_owner(slot) is before]
    stage.measure()
    await asyncio.to_thread(stage.cluster.move_slots, slots, before, after)
    await stage.wait_for_events()
    return await stage.row("moved slots", stage.games_on(before))


async def kill_machine(stage: Stage) -> BreakEffects:
    """End a web server and a worker with SIGKILL, as if their machine had failed. Another of each
    goes on."""
    web, worker = stage.running_site.daphnes[0], stage.running_site.workers[0]
    affected = [game for game in stage.games if str(web.port) in game.player.url]
    stage.measure()
    web.kill()
    worker.kill()
    await stage.wait_for_events()
    return await stage.row("killed machine", affected)


BREAKS: Final[dict[str, Callable[[Stage], Awaitable[BreakEffects]]]] = {
    "hung": lambda stage: hung_master(stage, hung_s=15),
    "killed": kill_master,
    "removed": lambda stage: remove_node(stage, unreachable_s=10),
    "moved": move_slots,
    "machine": kill_machine,
}


async def _measure(stage: Stage, name: str, tables: int) -> BreakEffects:
    await stage.open(tables)
    try:
        return await BREAKS[name](stage)
    finally:
        await stage.close()


def main(arguments: Sequence[str]) -> int:
    """Measure each break on a site of its own, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.cluster.breaks", description=__doc__)
    parser.add_argument(
        "breaks", nargs="*", metavar="BREAK", help=f"any of {', '.join(BREAKS)}; all by default"
    )
    parser.add_argument(
        "--tables", type=int, default=4, help="number of tables on each of three masters"
    )
    options = parser.parse_args(arguments)
    print(HEADING, flush=True)
    with tempfile.TemporaryDirectory(prefix="mj-") as directory:
        database = migrate_database(Path(directory))
        for name in options.breaks or BREAKS:
            own = Path(directory) / name
            own.mkdir()
            with site_on_cluster(
                own, database, replicas=name not in ("removed", "moved"), workers=2
            ) as stage:
                print(asyncio.run(_measure(stage, name, options.tables)), flush=True)
    return 0


def slot_of(table_id: TableId) -> int:
    """Return the slot of a table."""
    return key_slot(due_key(shard_of(table_id)).encode())


def count_subscriptions(server: Server) -> int:
    """Count the clients that are subscribed at that server."""
    return int(str(server.execute("CLIENT", "LIST", "TYPE", "PUBSUB")).count("id="))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
