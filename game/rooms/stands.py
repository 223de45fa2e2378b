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

from game.rooms.endings import end
from game.rooms.room import TableId

log = logging.getLogger(__name__)

AT_ONCE: Final = 8
"""Two tenths of a millisecond's work. With more rounds on their way at a time, more at once."""
REST_S: Final = 0.001

Watcher = TypeVar("Watcher")


@dataclass(slots=True)
class _Round(Generic[Watcher]):
    """One thing that is told to everybody."""

    table_id: TableId
    hand: Callable[[Watcher], None]
    is_of_game: bool
    left: dict[Watcher, bool]
    """Who has not been told yet, in the order in which they will be."""


class Stands(Generic[Watcher]):
    """The rounds that have not come to their end in this process."""

    def __init__(self) -> None:
        self._rounds: deque[_Round[Watcher]] = deque()
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
        """Call `hand` with each of these, after all that they are still to be told. Does not
        wait. `is_of_game`: it is void for who is shown the whole table meanwhile."""
        round_ = _Round(table_id, hand, is_of_game, dict.fromkeys(watchers, True))
        is_small = len(round_.left) <= AT_ONCE
        if is_small and all(other.table_id != table_id for other in self._rounds):
            _hand_on(round_, AT_ONCE)
            return
        self._rounds.append(round_)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._empty(), name="stands")

    def has_been_shown(self, table_id: TableId, watcher: Watcher) -> None:
        """The whole table as it is now: nothing older of the game is to follow."""
        self._forget(table_id, watcher, game_only=True)

    def leave(self, table_id: TableId, watcher: Watcher) -> None:
        """They are told nothing more."""
        self._forget(table_id, watcher, game_only=False)

    def _forget(self, table_id: TableId, watcher: Watcher, *, game_only: bool) -> None:
        for round_ in self._rounds:
            if round_.table_id == table_id and (round_.is_of_game or not game_only):
                round_.left.pop(watcher, None)

    async def _empty(self) -> None:
        """As many at a time as there are rounds, times `AT_ONCE`: no round waits for long, however
        many begin meanwhile."""
        while self._rounds:
            await asyncio.sleep(REST_S)
            places = AT_ONCE * len(self._rounds)
            while places > 0 and self._rounds:
                places -= _hand_on(self._rounds[0], places)
                if not self._rounds[0].left:
                    self._rounds.popleft()


def _hand_on(round_: _Round[Watcher], at_most: int) -> int:
    """Tell so many of them; returns how many it was."""
    next_ones = list(islice(round_.left, at_most))
    for watcher in next_ones:
        if not round_.left.pop(watcher, False):
            continue  # has left since
        try:
            round_.hand(watcher)
        except Exception:
            log.exception("table %s: something was not told to a watcher", round_.table_id)
    return len(next_ones)
