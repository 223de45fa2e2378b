"""Compares the deal-in rates that the model predicts with those counted in recorded games.

Selects from recorded games the discards that `deal_in_rates` counts: by players who are not in
riichi, while exactly one other player is. The prediction of a class and turn is the mean of the
model over these discards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from game.analysis.danger import riichi_deal_in_probabilities
from game.analysis.deal_in_rates import (
    COLUMNS,
    COUNTS_BY_CLASS,
    Factor,
    danger_class_of,
    genbutsu_mask,
    riichi_seats,
    turn_column,
)
from game.analysis.visible_tiles import count_visible
from game.engine.events import Answered, Discarded, DoraRevealed, Event, RiichiAccepted, Won
from game.engine.evolve import evolve
from game.engine.perspective import view
from game.engine.state import Riichi, Table
from game.engine.tiles import kind_of
from game.records.reading import read_recorded_game, record_paths
from game.records.recorded import RecordError, UnsupportedRecord
from game.records.validate import engine_events, validate_game

MIN_COUNTED: Final = 1_500
"""Fewest counted discards at which the prediction of a class and turn is judged."""
_NORMAL_95: Final = 1.96
_MAX_RELATIVE_ERROR: Final = 0.15
_MAX_ABSOLUTE_ERROR: Final = 0.01


class DiscardAgainstRiichi(msgspec.Struct, frozen=True):
    """A discard against exactly one riichi, with the tiles that its player saw."""

    kind: int
    turn: int
    """The number of the player's discard, from 1."""
    safe: int
    """Mask of the genbutsu of the seat in riichi."""
    unseen: list[int]
    """Number of copies of each kind that the player did not see."""
    open_copies: list[int]
    """Number of copies of each kind in rivers, melds and indicators."""
    has_dealt_in: bool
    players: int = 4

    @property
    def name(self) -> str:
        """Class of the discard, as in `deal_in_rates.COUNTS_BY_CLASS`."""
        return danger_class_of(self.kind, self.safe, self.open_copies[self.kind], self.players)

    @property
    def predicted(self) -> float:
        """Probability that the discard deals in, by the model."""
        return riichi_deal_in_probabilities(
            self.unseen, self.open_copies, self.safe, self.turn, players=self.players
        )[self.kind]


@dataclass
class _Cell:
    discards: int = 0
    deal_ins: int = 0
    predicted: float = 0.0


@dataclass(frozen=True)
class DangerRow:
    """A class and a range of turns as a line of the table. Rates are from 0 to 1."""

    name: str
    turns: str
    reference_discards: int
    """Number of discards in `deal_in_rates.COUNTS_BY_CLASS`."""
    reference_rate: float
    """Share of them that dealt in."""
    predicted: float
    """Mean of the model over the discards of the given games; 0 without discards."""
    given_discards: int
    """Number of discards in the given games."""
    given_deal_ins: int
    """Number of them that dealt in."""

    @property
    def is_judged(self) -> bool:
        """Whether enough discards are counted to judge the prediction."""
        return self.reference_discards >= MIN_COUNTED

    @property
    def is_near(self) -> bool:
        """Whether the prediction is within 15 % or one percentage point of the counted rate."""
        off = abs(self.predicted - self.reference_rate)
        return off <= max(_MAX_ABSOLUTE_ERROR, _MAX_RELATIVE_ERROR * self.reference_rate)


def games_in(paths: Iterable[Path]) -> Iterator[Sequence[Event]]:
    """Yield the events of each record in these files and folders. Skip files that cannot be
    read."""
    for path in record_paths(paths):
        try:
            game = read_recorded_game(path.read_bytes())
            yield engine_events(game, validate_game(str(path), game))
        except (RecordError, UnsupportedRecord):
            continue


def discards_in(games: Iterable[Sequence[Event]]) -> Iterator[DiscardAgainstRiichi]:
    """Yield the discards of these games against exactly one riichi."""
    for events in games:
        table = Table()
        for at, event in enumerate(events):
            if isinstance(event, Discarded):
                in_riichi = riichi_seats(table, event.actor)
                if len(in_riichi) == 1 and table.hands[event.actor].riichi == Riichi.NONE:
                    has_dealt_in = in_riichi[0] in winners_on(events[at + 1 :], event.actor)
                    yield _discard(table, event, in_riichi[0], has_dealt_in)
            table = evolve(table, event)


def _discard(
    table: Table, event: Discarded, riichi_seat: int, has_dealt_in: bool
) -> DiscardAgainstRiichi:
    seat = event.actor
    visible = count_visible(view(table, seat), seat)
    return DiscardAgainstRiichi(
        kind=kind_of(event.pai),
        turn=len(visible.hand.river) + 1,
        safe=genbutsu_mask(visible.table, riichi_seat),
        unseen=visible.unseen,
        open_copies=visible.open_copies,
        has_dealt_in=has_dealt_in,
        players=visible.players,
    )


def rows_of(discards: Iterable[DiscardAgainstRiichi]) -> list[DangerRow]:
    """Return a row for each class and range of turns. `discards` are those of the given games."""
    cells = {(name, column): _Cell() for name in COUNTS_BY_CLASS for column in range(len(COLUMNS))}
    for discard in discards:
        cell = cells[discard.name, turn_column(discard.turn)]
        cell.discards += 1
        cell.predicted += discard.predicted
        cell.deal_ins += discard.has_dealt_in
    return [
        DangerRow(
            name=name,
            turns=COLUMNS[column],
            reference_discards=COUNTS_BY_CLASS[name][column][0],
            reference_rate=COUNTS_BY_CLASS[name][column][1] / COUNTS_BY_CLASS[name][column][0],
            predicted=cell.predicted / max(1, cell.discards),
            given_discards=cell.discards,
            given_deal_ins=cell.deal_ins,
        )
        for (name, column), cell in cells.items()
    ]


@dataclass(frozen=True)
class FactorRow:
    """A class in games of three, compared with games of four (`deal_in_rates.COUNTS_BY_CLASS`)."""

    name: str
    discards: int
    deal_ins: int
    expected: float
    """The deal-ins that the rates of four expect of these discards."""
    predicted: float
    """The deal-ins that the model for three predicts."""

    @property
    def factor(self) -> Factor:
        """The factor for three, with its 95 % interval by Byar's approximation of Poisson's."""
        count = self.deal_ins
        least = count and count * (1 - 1 / (9 * count) - _NORMAL_95 / (3 * count**0.5)) ** 3
        above = count + 1
        most = above * (1 - 1 / (9 * above) + _NORMAL_95 / (3 * above**0.5)) ** 3
        value, least, most = (number / self.expected for number in (count, least, most))
        return Factor(value, least, most, self.discards, count)


def factors_of(discards: Iterable[DiscardAgainstRiichi]) -> list[FactorRow]:
    """Return a row for each class but genbutsu that has a discard. `discards` are those of games of
    three."""
    cells = {name: _Cell() for name in COUNTS_BY_CLASS if name != "genbutsu"}
    expected = dict.fromkeys(cells, 0.0)
    for discard in discards:
        if (cell := cells.get(discard.name)) is None:
            continue
        cell.discards += 1
        cell.predicted += discard.predicted
        cell.deal_ins += discard.has_dealt_in
        number, deal_ins = COUNTS_BY_CLASS[discard.name][turn_column(discard.turn)]
        expected[discard.name] += deal_ins / number
    return [
        FactorRow(name, cell.discards, cell.deal_ins, expected[name], cell.predicted)
        for name, cell in cells.items()
        if cell.discards
    ]


def factor_lines(rows: Iterable[FactorRow]) -> Iterator[str]:
    """Yield the lines of the table of factors."""
    yield (
        f"{'class':<18}{'discards':>9}{'dealt in':>9}{'by four':>9}{'factor':>8}{'95 %':>14}"
        f"{'predicted':>11}"
    )
    for row in rows:
        factor = row.factor
        interval = f"{factor.least:.2f} to {factor.most:.2f}"
        yield (
            f"{row.name:<18}{row.discards:>9}{row.deal_ins:>9}{row.expected:>9.1f}"
            f"{factor.value:>8.2f}{interval:>14}{row.predicted:>11.1f}"
            f"{'  few' if factor.has_few_cases else ''}"
        )


def winners_on(later: Iterable[Event], seat: int) -> frozenset[int]:
    """Return the seats that win on a discard of `seat`. `later` are the events after this
    discard."""
    winners: set[int] = set()
    for event in later:
        if isinstance(event, Won):
            winners |= {event.actor} if event.target == seat != event.actor else set()
        elif not isinstance(event, Answered | DoraRevealed | RiichiAccepted):
            break
    return frozenset(winners)


def lines_of(rows: Iterable[DangerRow]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield (
        f"{'class':<18}{'turns':<8}{'counted':>9}{'of':>8}{'predicted':>11}"
        f"{'discards here':>15}{'dealt in here':>15}"
    )
    for row in rows:
        note = "" if not row.is_judged or row.is_near else "  off"
        yield (
            f"{row.name:<18}{row.turns:<8}{row.reference_rate:>9.2%}{row.reference_discards:>8}"
            f"{row.predicted:>11.2%}{row.given_discards:>15}{row.given_deal_ins:>15}{note}"
        )
