"""Computes when spectators of a delayed view may see each hand, with open or closed hands. Pure: no
Redis, no clock.

A hand is shown only after it has ended. The schedule follows from the log alone, so that all
processes show the same hand at the same time:

- A hand may be shown `delay_ms` after its end, or after the end of the game where the table
  says so.
- It is shown at the speed at which it was played, after the showing of the hand before it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from game.engine.events import GameEnded, HandEnded, HandStarted
from game.tables.room import Commit, TableMeta
from game.tables.settings import MIN_DELAY_S, OpensAfter

MIN_DELAY_MS: Final = 1000 * MIN_DELAY_S
MAX_GAP_MS: Final = 60_000
"""The longest gap between commits. A longer one, such as a pause, is shortened to this."""


def delay_ms(meta: TableMeta) -> int:
    """Return for how many milliseconds after its end a hand of this table stays hidden."""
    return max(1000 * meta.settings.watch_delay_s, MIN_DELAY_MS)


def delay_minutes(watch_delay_s: int) -> int:
    """Return the delay of a table in whole minutes, for texts. The table's own page rounds in the
    same way."""
    return (watch_delay_s + 30) // 60


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A hand that has ended: its commits, from the one after the previous hand's end."""

    first: int
    """Version of the first commit."""
    last: int
    """Version of the commit that ends the hand."""
    token: bytes
    """Token of that commit."""
    before_at: int
    """Time of the commit before the first one."""
    ended_at: int
    length_ms: int
    """How long the hand is shown."""


def gap_ms(before_at: int, at: int) -> int:
    """Return the pause between two commits in the delayed view: the played one, at most
    `MAX_GAP_MS`."""
    return min(max(0, at - before_at), MAX_GAP_MS)


def show_times(hand: FinishedHand, commits: Iterable[Commit], starts_at: int) -> list[int]:
    """Return for each of the hand's commits when (ms) it is shown if the hand starts at
    `starts_at`."""
    times, at, before_at = list[int](), starts_at, hand.before_at
    for commit in commits:
        at += gap_ms(before_at, commit.at)
        before_at = commit.at
        times.append(at)
    return times


class HandSchedule:
    """The finished hands of one log that are still to be shown.

    Keeps a few numbers for each hand instead of its commits.
    """

    def __init__(self, delay_ms: int, opens_after: OpensAfter) -> None:
        self._delay_ms = delay_ms
        self._opens_after = opens_after
        self.waiting: deque[FinishedHand] = deque()
        """The hands that have not been shown, in the order in which they were played."""
        self._game_ended_at: int | None = None
        self._free_at = 0
        """When the hand before the waiting ones has been shown to its end."""
        self._is_playing = False
        self._first = 0
        self._before_at = 0
        self._last_at = 0
        self._length_ms = 0

    def add(self, commit: Commit) -> None:
        """Add the next commit of the log."""
        if not self._first:
            self._first, self._length_ms = commit.version, 0
            self._before_at = self._last_at = self._last_at or commit.at
        self._length_ms += gap_ms(self._last_at, commit.at)
        self._last_at = commit.at
        if self._ends_hand(commit):
            hand = FinishedHand(
                first=self._first,
                last=commit.version,
                token=commit.token,
                before_at=self._before_at,
                ended_at=commit.at,
                length_ms=self._length_ms,
            )
            self.waiting.append(hand)
            self._first = 0

    def _ends_hand(self, commit: Commit) -> bool:
        """Return whether a hand or the game ends with this commit, and the commit does not deal the
        next hand."""
        has_end = False
        for event in commit.events:
            match event:
                case HandStarted():
                    self._is_playing = True
                case HandEnded():
                    self._is_playing, has_end = False, True
                case GameEnded():
                    self._is_playing, has_end = False, True
                    self._game_ended_at = commit.at
                case _:
                    pass
        return has_end and not self._is_playing

    def next_start(self) -> int | None:
        """Return when (ms) the next hand is shown; None if no hand may be shown yet."""
        return self._starts_at(self.waiting[0], self._free_at) if self.waiting else None

    def take(self) -> tuple[FinishedHand, int]:
        """Remove the next hand and return it with the time (ms) at which it is shown.

        Raises ValueError if `next_start` is None.
        """
        starts_at = self.next_start()
        if starts_at is None:
            raise ValueError("no hand may be shown as yet")
        hand = self.waiting.popleft()
        self._free_at = starts_at + hand.length_ms
        return hand, starts_at

    def _starts_at(self, hand: FinishedHand, free_at: int) -> int | None:
        over_at = hand.ended_at if self._opens_after == "hand" else self._game_ended_at
        return None if over_at is None else max(over_at + self._delay_ms, free_at)

    def ends_at(self) -> int:
        """Return when (ms) the last of the hands that may be shown by now is over."""
        free_at = self._free_at
        for hand in self.waiting:
            starts_at = self._starts_at(hand, free_at)
            if starts_at is None:
                break
            free_at = starts_at + hand.length_ms
        return free_at


def schedule_of(meta: TableMeta, commits: Sequence[Commit]) -> HandSchedule:
    """Return the schedule of a table with that log."""
    schedule = HandSchedule(delay_ms(meta), meta.settings.opens_after)
    for commit in commits:
        schedule.add(commit)
    return schedule
