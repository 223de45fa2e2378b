"""Compares the deal-in rates that the model predicts with those counted in recorded games.

Owns the discards of recorded games that are like those in `game.analysis.deal_in_rates`: by players
who are not in riichi, while exactly one other player is. The prediction of a class and turn is the
mean of the model over the recorded positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from game.analysis.danger import riichi_deal_in_probabilities
from game.analysis.deal_in_rates import COLUMNS, COUNTS, class_of, column_of, genbutsu, riichi_seats
from game.analysis.visible_tiles import count_visible
from game.engine.events import Answered, Discarded, DoraRevealed, Event, RiichiAccepted, Won
from game.engine.evolve import evolve
from game.engine.perspective import view
from game.engine.state import Riichi, Table
from game.engine.tiles import kind_of
from game.records.files import records_in
from game.records.reading import read
from game.records.recorded import RecordError, UnsupportedRecord
from game.records.validate import events_of, validate_game

MIN_COUNTED: Final = 1_500
"""A class and turn with fewer counted discards is not judged."""
_NEAR_SHARE: Final = 0.15
_NEAR_POINTS: Final = 0.01


class DiscardAgainstRiichi(msgspec.Struct, frozen=True):
    """A discard against exactly one riichi, with what its player saw."""

    kind: int
    turn: int
    """The number of the player's discard, from 1."""
    safe: int
    """Mask of the kinds on which the seat in riichi cannot win."""
    unseen: list[int]
    """Copies of each kind that the player did not see."""
    open_copies: list[int]
    """Copies of each kind in rivers, melds and indicators."""
    has_dealt_in: bool

    @property
    def name(self) -> str:
        """The class of the tile."""
        return class_of(self.kind, self.safe, self.open_copies[self.kind])

    @property
    def predicted(self) -> float:
        """Probability that the discard deals in, by the model."""
        return riichi_deal_in_probabilities(self.unseen, self.open_copies, self.safe, self.turn)[
            self.kind
        ]


@dataclass
class _Cell:
    discards: int = 0
    deal_ins: int = 0
    predicted: float = 0.0


@dataclass(frozen=True)
class Row:
    """A line of the table. The rates are from 0 to 1."""

    name: str
    turns: str
    counted_discards: int
    counted: float
    predicted: float
    """Mean of the model over the discards in the games given; 0 without any."""
    discards: int
    deal_ins: int
    """Discards of the games given that dealt in."""

    @property
    def is_judged(self) -> bool:
        return self.counted_discards >= MIN_COUNTED

    @property
    def is_near(self) -> bool:
        """Whether the prediction is within 15 % or one percentage point of the counted rate."""
        off = abs(self.predicted - self.counted)
        return off <= max(_NEAR_POINTS, _NEAR_SHARE * self.counted)


def games_in(paths: Iterable[Path]) -> Iterator[Sequence[Event]]:
    """Yield the events of the records in these files and folders. Skip files that cannot be
    read."""
    for path in records_in(paths):
        try:
            game = read(path.read_bytes())
            yield events_of(game, validate_game(str(path), game))
        except (RecordError, UnsupportedRecord):
            continue


def discards_in(games: Iterable[Sequence[Event]]) -> Iterator[DiscardAgainstRiichi]:
    """Yield the discards of these games against exactly one riichi."""
    for events in games:
        table = Table()
        for at, event in enumerate(events):
            if isinstance(event, Discarded):
                riichi = riichi_seats(table, event.actor)
                if len(riichi) == 1 and table.hands[event.actor].riichi == Riichi.NONE:
                    has_dealt_in = riichi[0] in winners_on(events[at + 1 :], event.actor)
                    yield _discard(table, event, riichi[0], has_dealt_in)
            table = evolve(table, event)


def _discard(
    table: Table, event: Discarded, riichi_seat: int, has_dealt_in: bool
) -> DiscardAgainstRiichi:
    seat = event.actor
    visible = count_visible(view(table, seat), seat)
    return DiscardAgainstRiichi(
        kind=kind_of(event.pai),
        turn=len(visible.hand.river) + 1,
        safe=genbutsu(visible.table, riichi_seat),
        unseen=visible.unseen,
        open_copies=visible.open_copies,
        has_dealt_in=has_dealt_in,
    )


def rows_of(discards: Iterable[DiscardAgainstRiichi]) -> list[Row]:
    """Return a row for each class and range of turns, with the prediction for these discards."""
    cells = {(name, column): _Cell() for name in COUNTS for column in range(len(COLUMNS))}
    for discard in discards:
        cell = cells[discard.name, column_of(discard.turn)]
        cell.discards += 1
        cell.predicted += discard.predicted
        cell.deal_ins += discard.has_dealt_in
    return [
        Row(
            name=name,
            turns=COLUMNS[column],
            counted_discards=COUNTS[name][column][0],
            counted=COUNTS[name][column][1] / COUNTS[name][column][0],
            predicted=cell.predicted / max(1, cell.discards),
            discards=cell.discards,
            deal_ins=cell.deal_ins,
        )
        for (name, column), cell in cells.items()
    ]


def winners_on(later: Iterable[Event], seat: int) -> frozenset[int]:
    """Return the seats that win on a discard of `seat`, from the events after it."""
    winners: set[int] = set()
    for event in later:
        if isinstance(event, Won):
            winners |= {event.actor} if event.target == seat != event.actor else set()
        elif not isinstance(event, Answered | DoraRevealed | RiichiAccepted):
            break
    return frozenset(winners)


def lines_of(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield (
        f"{'class':<18}{'turns':<8}{'counted':>9}{'of':>8}{'predicted':>11}"
        f"{'discards here':>15}{'dealt in here':>15}"
    )
    for row in rows:
        note = "" if not row.is_judged or row.is_near else "  off"
        yield (
            f"{row.name:<18}{row.turns:<8}{row.counted:>9.2%}{row.counted_discards:>8}"
            f"{row.predicted:>11.2%}{row.discards:>15}{row.deal_ins:>15}{note}"
        )
