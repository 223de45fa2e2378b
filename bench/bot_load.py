"""Measures how much the tables of people's own bots delay the tables of people.

Periods without and with tables of bots alternate in one run: the bots' process is paused, and its
tables wait. All sockets are at the same web server, or the bots' sockets are at a separate server
with lower priority.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from statistics import median
from typing import Final

import psutil

from bench import report
from bench.bot_players import READY
from bench.loaded_site import Load, fill_tables, sign_in_fours
from bench.socket_clients import Counts, abort_sockets, keep_pinging
from game.engine.clock import ClockSettings
from tests.bot_socket.bot_client import Bot, bot_table, register_bots_of
from tests.kit.processes import Daphne
from tests.web.site import RunningSite

_SETTLES_S: Final = 2.0
_LOWEST_PRIORITY: Final = 19
_NICENESS_OF_BOT_SERVER: Final = 10
"""As docs/operations.md recommends."""
_CLOCK: Final = ClockSettings(base_ms=120_000, bank_ms=0)
"""The pauses of any table; a paused bot is not late."""
_NAME_LETTERS: Final = "abdefghkpx"
"""Names of these letters do not look alike. They suffice for 25 tables."""
_BOTS_OF_OWNER: Final = 40
"""Bots of one owner: fewer than a person may register in a day."""


def measure(running_site: RunningSite, load: Load, bot_tables: int, rounds: int) -> None:
    """Measure a running site `rounds` times with and without `bot_tables` tables of bots."""
    where = " at a web server of their own" if load.bot_server else ""
    report.print_heading(
        f"bots: {load.tables} tables of people, a discard every {load.pace} s at each; "
        f"{bot_tables} tables of four bots{where}, "
        f"{rounds} times {load.seconds:.0f} s without and with"
    )
    asyncio.run(_measure(running_site, load, bot_tables, rounds))


async def _measure(running_site: RunningSite, load: Load, bot_tables: int, rounds: int) -> None:
    bots = await asyncio.to_thread(_register_bots, running_site, 4 * bot_tables)
    bot_server = running_site.daphnes[-1 if load.bot_server else 0]
    if load.bot_server:
        os.setpriority(os.PRIO_PROCESS, bot_server.pid, _NICENESS_OF_BOT_SERVER)
    counts = Counts()
    fours = await asyncio.to_thread(sign_in_fours, running_site, load.tables)
    clients, _ = await fill_tables(running_site, load, fours, [counts] * load.tables)
    pings = asyncio.create_task(keep_pinging(clients))
    playing = await _start_bots(bot_server, bots)
    waits: dict[bool, list[float]] = {False: [], True: []}
    p99s: dict[bool, list[float]] = {False: [], True: []}
    server_s = {False: 0.0, True: 0.0}
    try:
        for first in range(0, len(bots), 4):
            await bot_table(running_site.redis.url, bots[first : first + 4], _CLOCK)
        await asyncio.sleep(load.warm_up)
        for _ in range(rounds):
            for has_bots in (False, True):
                os.kill(playing.pid, signal.SIGCONT if has_bots else signal.SIGSTOP)
                await asyncio.sleep(min(_SETTLES_S, load.seconds))
                before = _server_cpu_s(running_site)
                counts.latencies_s.clear()
                counts.received_at.clear()
                counts.is_counting = True
                await asyncio.sleep(load.seconds)
                counts.is_counting = False
                server_s[has_bots] += _server_cpu_s(running_site) - before
                waits[has_bots] += counts.latencies_s
                p99s[has_bots].append(report.percentile(counts.latencies_s, 0.99))
        if playing.returncode is not None:
            raise RuntimeError("the bots have ended")
    finally:
        pings.cancel()
        playing.kill()
        await playing.wait()
        abort_sockets(clients)
    for has_bots, how in ((False, "without"), (True, "with")):
        middle = f"{median(p99s[has_bots]) * 1000:.1f} ms p99 of the middle round"
        label = f"from a discard to the others' receipt, {how} bots"
        report.print_line(label, f"{report.format_latency(waits[has_bots])}  {middle}")
    seconds = load.seconds * rounds
    used = " / ".join(f"{spent / seconds:.0%}" for spent in server_s.values())
    report.print_line("web servers, of one processor: without / with", used)


def _register_bots(running_site: RunningSite, count: int) -> list[Bot]:
    names = [f"Load{first}{second}" for first in _NAME_LETTERS for second in _NAME_LETTERS][:count]
    running_site.site.env["BOTS_PER_ACCOUNT"] = str(_BOTS_OF_OWNER)
    owners = {
        f"Owner{chr(97 + at)}": names[_BOTS_OF_OWNER * at : _BOTS_OF_OWNER * (at + 1)]
        for at in range(-(-count // _BOTS_OF_OWNER))
    }
    return register_bots_of(running_site, owners)


async def _start_bots(bot_server: Daphne, bots: list[Bot]) -> Process:
    playing = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.bot_players"), stdin=PIPE, stdout=PIPE
    )
    # Bots run on other machines: their computing must not take time from the server here.
    os.setpriority(os.PRIO_PROCESS, playing.pid, _LOWEST_PRIORITY)
    assert playing.stdin is not None
    assert playing.stdout is not None
    url = f"{bot_server.websocket_url}/ws/bots/"
    asked = {"url": url, "tokens": [bot.token for bot in bots]}
    playing.stdin.write(json.dumps(asked).encode() + b"\n")
    if (await playing.stdout.readline()).decode().strip() != READY:
        raise RuntimeError("the bots could not connect")
    return playing


def _server_cpu_s(running_site: RunningSite) -> float:
    times = [psutil.Process(daphne.pid).cpu_times() for daphne in running_site.daphnes]
    return sum(spent.user + spent.system for spent in times)
