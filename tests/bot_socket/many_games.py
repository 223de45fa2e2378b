"""Whole games of four bridged bots through the socket of bots, several tables at once.

    python -m tests.bot_socket.many_games --games 1000 --tables 4 --python PYTHON

plays until that many games are over or `--minutes` have passed, and prints what the bridges
counted. PYTHON is an interpreter with the package `mjai`, whose example plays by two conventions
beside a stub of a third one. Without PYTHON four stubs play. The exit code is 1 if the site refused
an answer.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()

from msgspec.structs import replace  # noqa: E402

from bench.servers import own_redis  # noqa: E402
from game.engine.rules import TENHOU  # noqa: E402
from game.live.process import Process  # noqa: E402
from game.tables.room import TableId  # noqa: E402
from lobby.play.backend import Backend  # noqa: E402
from tests.bot_socket.bot_client import Bot, bot_table, register_bots  # noqa: E402
from tests.bot_socket.bridges import MJAI, MJAI_LIKE_MORTAL, STUB, Bridge, bridge  # noqa: E402
from tests.kit.processes import Site, migrate_database  # noqa: E402
from tests.web.site import RunningSite, serve  # noqa: E402

_RULES: Final = replace(TENHOU, length="east_south")
_LOOK_EVERY_S: Final = 0.5
_STARTS_WITHIN_S: Final = 120
_REFUSED: Final = ("rejected", "unparseable")
Program = tuple[str, list[str]]


def programs(python: str) -> list[Program]:
    """Return the style and the command of each of the four programs at a table."""
    stubs = [(style, [sys.executable, STUB, style]) for style in ("mjai.app", "mortal", "akochan")]
    if not python:
        return [*stubs, stubs[0]]
    example = ("mjai.app", [python, "-c", MJAI])
    return [example, ("mortal", [python, "-c", MJAI_LIKE_MORTAL]), stubs[2], example]


class Run:
    """The tables of one run."""

    def __init__(self, running_site: RunningSite, games: int, minutes: float) -> None:
        self.running_site = running_site
        self.left = games
        self.over = 0
        self.until = time.monotonic() + 60 * minutes
        self.process = Process(running_site.redis.url)
        self.backend = Backend(self.process)

    async def play(self, bots: Sequence[Bot]) -> None:
        """Play one game after another at one table."""
        while self.left > 0:
            self.left -= 1
            await self._until_connected(bots)
            if not await self._play_game(bots):
                return

    async def _until_connected(self, bots: Sequence[Bot]) -> None:
        until = time.monotonic() + _STARTS_WITHIN_S
        keys = [f"bot-here:{bot.person}" for bot in bots]
        while await self.backend.call("EXISTS", *keys) < len(keys):
            if time.monotonic() > until:
                raise TimeoutError("a bot is not connected")
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _play_game(self, bots: Sequence[Bot]) -> bool:
        """Play one game. Return False if the time of the run ended first."""
        table_id: TableId = await bot_table(self.running_site.redis.url, bots, rules=_RULES)
        while await self.backend.tables.has_seat(table_id, bots[0].person):
            if time.monotonic() > self.until:
                return False
            await asyncio.sleep(_LOOK_EVERY_S)
        self.over += 1
        if self.over % 10 == 0:
            print(f"{self.over} games", flush=True)
        return True


async def play(running_site: RunningSite, asked: argparse.Namespace) -> Counter[str]:
    """Play the games. Return what all bridges counted, with the finished games as `over`."""
    run = Run(running_site, asked.games, asked.minutes)
    tables, bridges = list[list[Bot]](), list[Bridge]()
    counts = Counter[str]()
    try:
        for table in range(asked.tables):
            names = [f"Manue{chr(97 + table)}{letter}" for letter in "kmnp"]
            bots = register_bots(running_site, f"Owner{chr(97 + table)}", *names)
            tables.append(bots)
            for bot, program in zip(bots, programs(asked.python), strict=True):
                server = table % len(running_site.daphnes)
                bridges.append(await bridge(running_site, bot, *program, server))
        await asyncio.gather(*(run.play(bots) for bots in tables))
        for number, running in enumerate(bridges):
            counted, messages = await running.end()
            counts.update(counted)
            if asked.messages:
                (asked.messages / f"{number}.txt").write_text(messages)
    finally:
        for running in bridges:
            running.kill()
        await run.process.stop()
    counts["over"] = run.over
    return counts


def main(arguments: Sequence[str]) -> int:
    """Play, print the counts, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bot_socket.many_games", description=__doc__
    )
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--tables", type=int, default=4, help="number of tables that play at once")
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--daphnes", type=int, default=1)
    parser.add_argument("--python", default="", help="a Python with the package mjai")
    parser.add_argument("--messages", type=Path, help="a folder for the messages of the bridges")
    asked = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mj-") as directory, ExitStack() as stack:
        database = migrate_database(Path(directory))
        own = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mj-")))
        site = Site(stack.enter_context(own_redis()), own, database)
        stack.callback(site.stop)
        site.env["SOCKETS_PER_ADDRESS"] = "0"
        counts = asyncio.run(play(serve(site, daphnes=asked.daphnes, workers=1), asked))
    print(f"{counts.pop('over')} games in {(time.monotonic() - began) / 60:.1f} minutes")
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    return int(any(counts[name] for name in _REFUSED))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
