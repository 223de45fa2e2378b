"""Positions of a replay, as their addresses name them: parses a query and finds the table at that
position.

Mirrors `static/js/replay/address.js`, which reads the same query in the browser. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple
from urllib.parse import urlencode

from game.engine.events import Event, GameEnded, HandStarted, Won
from game.engine.evolve import evolve
from game.engine.perspective import OPEN_SPECTATOR, view
from game.engine.state import Table
from game.results.replay_script import is_shown

_NUMBER_PATTERN: Final = re.compile(r"[0-9]{1,6}")


class RankingRow(NamedTuple):
    """One seat's row of the final ranking."""

    place: int
    seat: int
    score: int


class ReplayPosition(NamedTuple):
    """A position of a replay, as an address names it."""

    hand: int = 0
    """The number of the hand, from 0; in the query from 1."""
    step: int = 0
    """The number of events of the hand after its deal."""
    seat: int = 0
    """The seat at the bottom of the board."""
    is_open: bool = True
    """Whether all hands are shown; otherwise the board is shown as that seat saw it."""
    has_names: bool = True
    is_best_win: bool = False
    """Whether the address names no hand: then it is the win with the most points, with its winner
    at the bottom."""

    @property
    def query(self) -> str:
        """The position as the query of an address, without '?'."""
        fields = {"seat": self.seat}
        if not self.is_best_win:
            fields = {"hand": self.hand + 1, "step": self.step, **fields}
        names = {} if self.has_names else {"names": 0}
        return urlencode({**fields, "open": int(self.is_open), **names})


def position_of(query: Mapping[str, str], players: int, seat: int | None = None) -> ReplayPosition:
    """Parse the position in a query, for a game with `players` players. A query without hand and
    step means the best win. Invalid values mean the start of the game, seen from `seat`."""
    own = seat or 0
    wanted = _parse_number(query, "seat", own)
    return ReplayPosition(
        hand=_parse_number(query, "hand", 1, least=1) - 1,
        step=_parse_number(query, "step", 0),
        seat=wanted if wanted < players else own,
        is_open=query.get("open") != "0",
        has_names=query.get("names") != "0",
        is_best_win=query.keys().isdisjoint({"hand", "step"}),
    )


def table_at(
    events: Iterable[Event], position: ReplayPosition
) -> tuple[Table, ReplayPosition] | None:
    """Return the table at the nearest existing position, and that position.

    A hand that does not exist becomes the first deal, a step after the last one the end of the
    hand. None if no hand was dealt.
    """
    events = list(events)
    if position.is_best_win:
        position = _best_win(events, position._replace(is_best_win=False))
    first: Table | None = None
    table, hand, step = Table(), -1, 0
    for event in events:
        if isinstance(event, HandStarted):
            if hand == position.hand:
                break
            hand, step = hand + 1, -1
        step += is_shown(event)
        if hand == position.hand and step > position.step:
            step -= 1
            break
        table = evolve(table, event)
        if first is None and isinstance(event, HandStarted):
            first = table
    if hand == position.hand:
        return table, position._replace(step=step)
    return None if first is None else (first, position._replace(hand=0, step=0))


def _best_win(events: Iterable[Event], usual: ReplayPosition) -> ReplayPosition:
    """Return the position of the win with the most points, the first of equals; `usual` if nobody
    won."""
    best, points, hand, step = usual, 0, -1, 0
    for event in events:
        if isinstance(event, HandStarted):
            hand, step = hand + 1, -1
        step += is_shown(event)
        if isinstance(event, Won) and event.points > points:
            points = event.points
            best = usual._replace(hand=hand, step=step, seat=event.actor)
    return best


def final_ranking(events: Iterable[Event]) -> list[RankingRow]:
    """Return the final ranking of a game, the winner first; [] if the game did not end or was
    broken off."""
    ends = [event for event in events if isinstance(event, GameEnded)]
    if not ends or ends[-1].broken_off:
        return []
    end = ends[-1]
    placed = zip(end.placement, end.scores, strict=True)
    return sorted(RankingRow(place, seat, score) for seat, ((place, _), score) in enumerate(placed))


def visible_table_at(table: Table, position: ReplayPosition) -> Table:
    """Return the table as the position shows it: all hands open, or only the tiles that the seat of
    the position sees."""
    return view(table, OPEN_SPECTATOR if position.is_open else position.seat)


def _parse_number(query: Mapping[str, str], name: str, usual: int, *, least: int = 0) -> int:
    text = query.get(name, "")
    if not _NUMBER_PATTERN.fullmatch(text) or int(text) < least:
        return usual
    return int(text)
