"""Compares the cost of a commit at an old table with that at a new table.

Players who discard what they draw play many hands at one table. Then late hands of that table and
first hands of new tables are played in turn, so that both are measured in the same minutes.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Final

from bench import report
from bench.commits import own_redis
from game.engine.legal import pending
from game.live.process import Process
from game.tables.room import Room, TableMeta
from mahjong_site.interpreter import collect_seldom
from tests.kit.traffic import Meter, Traffic
from tests.tables.staging import AT_ONCE, NEVER_OVER, answer_without_end, people, submit_answer

_OLD: Final = 60
"""Number of hands played at the old table before the measurement, about four long games."""
_MEASURED: Final = 12
"""Number of measured hands of the old table, and number of measured new tables."""


@dataclass
class Cost:
    """The costs of the commits of some hands."""

    cpu_s: list[float] = field(default_factory=list)
    wall_s: list[float] = field(default_factory=list)
    traffic: Traffic = field(default_factory=Traffic)


def run(*, quick: bool) -> None:
    """Print the cost of a commit in first hands and in late hands of a long game."""
    old, measured = (3, 2) if quick else (_OLD, _MEASURED)
    report.heading(f"age: commits of a first hand, and of one after {old} others")
    collect_seldom()
    with own_redis() as redis:
        asyncio.run(_compare(redis.url, old, measured))


async def _compare(url: str, old: int, measured: int) -> None:
    process, meter = Process(url), Meter(url)
    try:
        aged = await _open_table(process)
        for _ in range(old):
            aged = await _play_hand(process, aged, Cost())
        events, first, last = aged.seq(-1), Cost(), Cost()
        for _ in range(measured):
            fresh = await _open_table(process)
            with meter.reading(first.traffic):
                await _play_hand(process, fresh, first)
            with meter.reading(last.traffic):
                aged = await _play_hand(process, aged, last)
    finally:
        meter.close()
        await process.stop()
    report.line("the old table", f"{events:>7,} events, {aged.version:,} commits")
    for label, first_s, last_s in (
        ("CPU of the process per commit", first.cpu_s, last.cpu_s),
        ("from answer to commit", first.wall_s, last.wall_s),
    ):
        for name, share in (("median", 0.5), ("p99", 0.99)):
            early, late = (report.percentile(values, share) * 1e6 for values in (first_s, last_s))
            report.line(f"{label}, {name}", _format_pair(early, late, "us"))
    commits = [len(spent.cpu_s) for spent in (first, last)]
    for label, name in (
        ("sent to Redis", "bytes_to_redis"),
        ("read from Redis", "bytes_from_redis"),
    ):
        each = [getattr(spent.traffic, name) for spent in (first, last)]
        early, late = (total / count for total, count in zip(each, commits, strict=True))
        report.line(f"bytes {label} per commit", _format_pair(early, late, "  "))
    asked = [spent.traffic.commands for spent in (first, last)]
    early, late = (total / count for total, count in zip(asked, commits, strict=True))
    report.line("commands to Redis per commit", _format_pair(early, late, "  "))


def _format_pair(first: float, last: float, unit: str) -> str:
    digits = 0 if first >= 10 else 2
    early, late = (f"{figure:>8.{digits}f} {unit}" for figure in (first, last))
    return f"{early} first {late} last  ({last / first:.2f} times)"


async def _open_table(process: Process) -> Room:
    table_id = await process.service.open_table(
        TableMeta(seats=people(), clock=AT_ONCE), NEVER_OVER
    )
    return await process.service.read_room(table_id)


async def _play_hand(process: Process, room: Room, spent: Cost) -> Room:
    """Play one hand, up to the next deal."""
    dealt = room.table.hands_dealt
    while room.table.hands_dealt == dealt:
        action = answer_without_end(room, pending(room.table)[0])
        began, cpu = time.perf_counter(), time.process_time()
        room = await submit_answer(process, room, action)
        spent.cpu_s.append(time.process_time() - cpu)
        spent.wall_s.append(time.perf_counter() - began)
    return room
