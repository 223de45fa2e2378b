"""Finds frames that showed spectators an open hand too early.

The check compares the log of a table with a spectator's frames and the times at which they arrived.
It uses no code of the server that schedules, hides or writes frames.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from game.engine.events import Answered, Event, GameEnded, HandEnded, HandStarted
from game.engine.evolve import evolve
from game.engine.state import Table
from game.engine.tiles import TILE_TO_TEXT
from game.tables.room import Commit
from tests.web.leak_scan import OPEN, scan
from tests.web.short_forms import full_event

Frame = tuple[int, str]
"""The arrival of a frame in ms since the epoch, and its text."""
Row = tuple[int, tuple[str, ...]]
"""A seat, and its concealed tiles."""
_NEVER_MS: Final = 1 << 62
_MIN_TELLING_TILES: Final = 7
"""The number of equal tiles in two hands that cannot be a coincidence."""


class LoggedHands:
    """The hands of a table's log: for each its events, its concealed tiles, and the time from which
    spectators may see it."""

    def __init__(self, commits: Sequence[Commit], *, delay_ms: int, only_after_game: bool) -> None:
        self.hand_of_event: list[int] = []
        """The hand of each event that spectators get, by the number of the event; -1 before the
        first hand."""
        self.rows: list[set[Row]] = []
        self.visible_from: list[int] = []
        ended_at, table, game_ended_at = list[int](), Table(), _NEVER_MS
        for commit in commits:
            for event in commit.events:
                if isinstance(event, HandStarted):
                    self.rows.append(set())
                    ended_at.append(_NEVER_MS)
                if isinstance(event, HandEnded) and ended_at:
                    ended_at[-1] = commit.at
                if isinstance(event, GameEnded):
                    game_ended_at = commit.at
                    ended_at[-1] = min(ended_at[-1], commit.at)
                table = evolve(table, event)
                if self.rows:
                    self.rows[-1] |= set(_rows_of(table))
                if not isinstance(event, Answered):
                    self.hand_of_event.append(len(self.rows) - 1)
        ends = [game_ended_at] * len(ended_at) if only_after_game else ended_at
        self.visible_from = [end if end == _NEVER_MS else end + delay_ms for end in ends]

    def find_early_hands(self, at: int, text: str) -> str:
        """Describe the tiles of hands in the frame `text` that spectators must not yet see at the
        time `at` (ms); '' if there are none."""
        frame = json.loads(text)
        if frame["t"] not in ("sync", "ev"):
            return ""
        hand_of_seq = self.hand_of_event[frame["seq"] - 1] if frame["seq"] else -1
        if hand_of_seq >= 0 and at < self.visible_from[hand_of_seq]:
            return f"event {frame['seq']} of hand {hand_of_seq}"
        view = frame.get("view")
        if (
            view is not None
            and view["history"]
            and at < self.visible_from[len(view["history"]) - 1]
        ):
            return f"a table with {len(view['history'])} hands dealt"
        shown = set(_rows_in(frame))
        for hand, rows in enumerate(self.rows):
            if at < self.visible_from[hand] and shown & rows:
                return f"concealed tiles of hand {hand}"
        return ""


def _rows_of(table: Table) -> Iterator[Row]:
    for seat, hand in enumerate(table.hands):
        yield from _telling_row(seat, [TILE_TO_TEXT[tile] for tile in hand.tiles])


def _rows_in(frame: dict[str, Any]) -> Iterator[Row]:
    for seat, hand in enumerate(frame.get("view", {}).get("hands", ())):
        yield from _telling_row(seat, hand["tiles"])
    for event in map(full_event, frame.get("e", ())):
        for seat, tiles in enumerate(event.get("tehais", ())):
            yield from _telling_row(seat, tiles)


def _telling_row(seat: int, tiles: Sequence[str]) -> Iterator[Row]:
    if len(tiles) >= _MIN_TELLING_TILES and "?" not in tiles:
        yield seat, tuple(sorted(tiles))


def scan_open_hands(
    frames: Sequence[Frame],
    commits: Sequence[Commit],
    *,
    delay_ms: int,
    only_after_game: bool = False,
) -> int:
    """Check all frames of a spectator who sees open hands. Return how many hands the frames showed.
    Raises AssertionError with the tiles that were shown too early."""
    hands = LoggedHands(commits, delay_ms=delay_ms, only_after_game=only_after_game)
    seen = set[int]()
    for at, text in frames:
        early = hands.find_early_hands(at, text)
        assert not early, f"shown at {at}, before its time: {early} in {text}"
        rows = set(_rows_in(json.loads(text)))
        seen |= {hand for hand, known in enumerate(hands.rows) if rows & known}
    events: list[Event] = [event for commit in commits for event in commit.events]
    scan([text for _, text in frames], events, OPEN)
    return len(seen)
