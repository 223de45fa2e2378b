"""What is on its way to those who watch: handed to a few sockets at a time, and the process rests
between, so that no player waits for a thousand watchers, neither at their table nor at another.
Without the rests whatever else wants a processor would wait too, Redis or the proxy in front.

Each watcher is handed everything in its order. Knows listeners, and nothing of what they are told.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Final, Generic, TypeVar

from game.tables.cancellation import end
from game.tables.room import TableId

log = logging.getLogger(__name__)

AT_ONCE: Final = 8
"""Two tenths of a millisecond's work, after which whatever else there is to do has its turn."""
REST_S: Final = 0.001
RESTS: Final = 150
"""What waits at a table goes at a pace at which so many would do, if `AT_ONCE` are too few."""

Watcher = TypeVar("Watcher")


@dataclass(slots=True)
class _Round(Generic[Watcher]):
    """One thing that is told to everybody."""

    hand: Callable[[Watcher], None]
    is_of_game: bool
    left: dict[Watcher, bool]
    """Who has not been told yet, in the order in which they will be."""


class SpectatorQueue(Generic[Watcher]):
    """The rounds that have not come to their end in this process."""

    def __init__(self) -> None:
        self._lines: dict[TableId, deque[_Round[Watcher]]] = {}
        self._task: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        await end([self._task])

    def tell(
        self,
        table_id: TableId,
        watchers: Iterable[Watcher],
        hand: Callable[[Watcher], None],
        *,
        is_of_game: bool = True,
    ) -> None:
        """Call `hand` with each of these, after all that they are still to be told: at once, if
        they are few and nothing waits at the table. Does not wait. `is_of_game`: it is void for
        who is shown the whole table meanwhile."""
        round_ = _Round(hand, is_of_game, dict.fromkeys(watchers, True))
        line = self._lines.get(table_id)
        if line is None:
            if len(round_.left) <= AT_ONCE:
                _hand_on(table_id, round_)
                return
            line = self._lines[table_id] = deque()
        line.append(round_)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(
                self._empty(), name="spectator queue"
            )

    def has_been_shown(self, table_id: TableId, watcher: Watcher) -> None:
        """The whole table as it is now: nothing older of the game is to follow."""
        self._forget(table_id, watcher, game_only=True)

    def leave(self, table_id: TableId, watcher: Watcher) -> None:
        """They are told nothing more."""
        self._forget(table_id, watcher, game_only=False)

    def has_waiting(self, table_id: TableId, watcher: Watcher) -> bool:
        """Whether something of the game is on its way to them."""
        rounds = self._lines.get(table_id, ())
        return any(round_.is_of_game and watcher in round_.left for round_ in rounds)

    def _forget(self, table_id: TableId, watcher: Watcher, *, game_only: bool) -> None:
        for round_ in self._lines.get(table_id, ()):
            if round_.is_of_game or not game_only:
                round_.left.pop(watcher, None)

    async def _empty(self) -> None:
        """Some at each table, and a rest before."""
        while self._lines:
            await asyncio.sleep(REST_S)
            for table_id, line in list(self._lines.items()):
                waiting = sum(len(round_.left) for round_ in line)
                places = max(AT_ONCE, waiting // RESTS)
                while line and places > 0:
                    places -= _hand_on(table_id, line[0])
                    if not line[0].left:
                        line.popleft()
                    await asyncio.sleep(0)
                if not line:
                    del self._lines[table_id]


def _hand_on(table_id: TableId, round_: _Round[Watcher]) -> int:
    """Tell the next ones; returns how many they were."""
    next_ones = list(islice(round_.left, AT_ONCE))
    for watcher in next_ones:
        if not round_.left.pop(watcher, False):
            continue  # has left since
        try:
            round_.hand(watcher)
        except Exception:
            log.exception("table %s: something was not told to a watcher", table_id)
    return len(next_ones)
