"""Sends the queues of spectators, a few sockets at a time.

The process pauses between groups of sockets, so that no player waits for a thousand spectators, and
other programs such as Redis or the proxy get processor time. Must not know what the frames contain.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from itertools import islice
from typing import Final, Protocol

from game.live.loop_lag import LoopLag
from game.redis.cancellation import cancel_and_wait
from game.tables.room import TableId

log = logging.getLogger(__name__)

AT_ONCE: Final = 8
"""The number of sockets that are served without a pause: about 0.2 ms of work."""
PAUSE_S: Final = 0.001
BEHIND_PAUSE_S: Final = 1.0
"""The pause of a process that is behind: players come first, and a spectator gets the frames of a
second in one write."""
WAITING_PER_TURN: Final = 150
"""After each short pause, a table sends to one in `WAITING_PER_TURN` of its waiting sockets, but to
at least `AT_ONCE`."""


class Paced(Protocol):
    """A spectator's socket with queued frames."""

    def flush(self) -> None:
        """Send the queued frames. Must not wait."""


class SpectatorPacer:
    """Sends the queued frames of this process's spectators, table by table."""

    def __init__(self, lag: LoopLag | None = None) -> None:
        """With `lag`, spectators wait longer while the process is behind."""
        self._lag = lag or LoopLag(0)
        self._waiting: dict[TableId, dict[Paced, None]] = {}
        self._task: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        await cancel_and_wait([self._task])

    def send(self, table_id: TableId, spectators: Sequence[Paced]) -> None:
        """Send the queued frames of these spectators: at once if they are few, no others of the
        table wait and the process is not behind; otherwise in turn. Returns at once."""
        waiting = self._waiting.get(table_id)
        if waiting is not None:
            waiting.update(dict.fromkeys(spectators))
        elif len(spectators) <= AT_ONCE and not self._lag.is_behind:
            _flush(table_id, spectators)
        else:
            self._waiting[table_id] = dict.fromkeys(spectators)
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._run(), name="spectator pacer")

    async def _run(self) -> None:
        """Pause, then send to the next few spectators of each table (to all if the process is
        behind), until none waits."""
        while self._waiting:
            is_behind = self._lag.is_behind
            await asyncio.sleep(BEHIND_PAUSE_S if is_behind else PAUSE_S)
            for table_id, waiting in list(self._waiting.items()):
                few = max(AT_ONCE, len(waiting) // WAITING_PER_TURN)
                places = len(waiting) if is_behind else few
                for _ in range(0, places, AT_ONCE):
                    next_ones = list(islice(waiting, AT_ONCE))
                    for spectator in next_ones:
                        del waiting[spectator]
                    _flush(table_id, next_ones)
                    await asyncio.sleep(0)
                if not waiting:
                    del self._waiting[table_id]


def _flush(table_id: TableId, spectators: Sequence[Paced]) -> None:
    for spectator in spectators:
        try:
            spectator.flush()
        except Exception:
            log.exception("table %s: frames were not sent to a spectator", table_id)
