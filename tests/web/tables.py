"""Opens tables for clients as the lobby does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from game.engine.clock import ClockSettings
from game.engine.events import Event
from game.engine.rules import TENHOU, RuleSet
from game.live.process import Process
from game.tables.codec import decode_commit
from game.tables.room import Commit, SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings
from tests.web.site import SignedPerson

AT_ONCE: Final = ClockSettings(
    base_ms=60_000,
    bank_ms=60_000,
    lead_ms=0,
    deal_ms=0,
    reaction_ms=0,
    result_ms=60_000,
    result_pause_ms=0,
    bot_min_ms=0,
    bot_max_ms=10,
)
"""A clock by which nobody is ever late, without pauses for viewers."""


async def open_table(
    url: str,
    players: Sequence[SignedPerson],
    clock: ClockSettings = AT_ONCE,
    *,
    public: bool = True,
    rules: RuleSet = TENHOU,
    bot: str = "tsumogiri",
    help: bool = True,
    table_id: TableId | None = None,
    draws_wall: bool = False,
) -> TableId:
    """Open a table with these players, and bots in the seats after them."""
    seats = [SeatMeta(name=f"p{seat}", person=person.person) for seat, person in enumerate(players)]
    seats += [SeatMeta(name=f"b{seat}", bot=bot) for seat in range(len(seats), rules.players)]
    process = Process(url)
    try:
        return await process.service.open_table(
            TableMeta(
                seats=tuple(seats),
                clock=clock,
                settings=TableSettings(public=public, help=help, rules=rules),
            ),
            table_id=table_id,
            draws_wall=draws_wall,
        )
    finally:
        await process.stop()


async def commits_of(url: str, table_id: TableId) -> list[Commit]:
    """Return the table's log as it is in the store; nothing is hidden."""
    process = Process(url)
    try:
        rows = await process.store.read_entries(table_id, 1)
    finally:
        await process.stop()
    return [decode_commit(data) for _, data in rows]


def events_of(commits: list[Commit]) -> list[Event]:
    return [event for commit in commits for event in commit.events]


async def log_of(url: str, table_id: TableId) -> list[Event]:
    """Return every event of the table."""
    return events_of(await commits_of(url, table_id))
