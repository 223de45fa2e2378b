"""Tables with events in the past: the test sets the clock of the process that plays."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Final

from game.engine.clock import ClockSettings
from game.engine.rules import TENHOU, RuleSet
from game.live.process import Process
from game.tables.errors import TableError
from game.tables.room import SeatMeta, TableId, TableMeta
from game.tables.settings import OpensAfter, TableSettings, Watch
from tests.web.tables import AT_ONCE

DELAY_S: Final = 180
DELAY_MS: Final = 1000 * DELAY_S


def now_ms() -> int:
    """Return the real time."""
    return int(time.time() * 1000)


class BackdatedTables:
    """The tables of a process whose clock the test sets; its commits have that time."""

    def __init__(self, url: str) -> None:
        self.now = now_ms()
        self.process = Process(url, now_ms=lambda: self.now)

    async def open_table(
        self,
        watch: Watch,
        *,
        people: tuple[str, ...] = (),
        clock: ClockSettings = AT_ONCE,
        opens_after: OpensAfter = "hand",
        rules: RuleSet = TENHOU,
        bot: str = "tsumogiri",
    ) -> TableId:
        """Open a table with these people, and bots in the other seats."""
        seats = [SeatMeta(f"p{at}", person) for at, person in enumerate(people)]
        seats += [SeatMeta(f"b{at}", bot=bot) for at in range(len(seats), rules.players)]
        return await self.process.service.open_table(
            TableMeta(
                seats=tuple(seats),
                clock=clock,
                settings=TableSettings(
                    rules=rules,
                    watch=watch,
                    watch_delay_s=DELAY_S if watch in ("open_delayed", "closed_delayed") else 0,
                    may_join=True,
                    opens_after=opens_after,
                ),
            )
        )

    async def play(self, table_id: TableId, until: int, step_ms: int = 200) -> None:
        """Let the bots play until that time."""
        while self.now < until:
            self.now += step_ms
            await self.process.due_work.run(table_id)

    async def play_live(self, table_id: TableId, seconds: float) -> None:
        """Let the bots play for `seconds` of real time. Their clock is behind by the delay and a
        second, so that every event is old enough to be shown at once."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.now = max(self.now, now_ms() - DELAY_MS - 1_000)
            with contextlib.suppress(TableError):  # Redis may be down meanwhile
                await self.process.due_work.run(table_id)
            await asyncio.sleep(0.02)
