"""Counts in recorded games how often seats without riichi are tenpai, and how often discards deal
in to them, compared with the model.

Owns the counts behind the probabilities of `game.analysis.danger` for seats without riichi.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from bench.bots.danger_check import winners_on
from game.analysis.danger import deal_in_probabilities, threats
from game.analysis.shape import shanten
from game.analysis.visible_tiles import count_visible
from game.engine.events import Discarded, Event
from game.engine.evolve import evolve
from game.engine.perspective import view
from game.engine.state import Hand, MeldType, Riichi, Table
from game.engine.tiles import count_kinds, kind_of

_MAX_DISCARDS: Final = 18
RIICHI: Final = -1
"""Stands for a seat in riichi, in place of its number of open melds."""


@dataclass
class _DealInCounts:
    discards: int = 0
    predicted: float = 0.0
    deal_ins: int = 0


@dataclass
class QuietSeats:
    """The counts of some games."""

    tenpai: dict[tuple[int, int], list[int]] = field(default_factory=lambda: defaultdict(list))
    """Whether a seat was tenpai before each discard of another seat, by (open melds, discards) of
    the seat."""
    deal_ins: dict[int, _DealInCounts] = field(default_factory=lambda: defaultdict(_DealInCounts))
    """Counts of the discards against a seat, by its number of open melds, or `RIICHI`."""

    def add(self, events: Sequence[Event]) -> None:
        """Count tenpai before each discard of one game, and deal-ins of players not in riichi."""
        table = Table()
        for at, event in enumerate(events):
            if isinstance(event, Discarded):
                self._count_tenpai(table, event.actor)
                if table.hands[event.actor].riichi == Riichi.NONE:
                    self._count_deal_ins(table, event, winners_on(events[at + 1 :], event.actor))
            table = evolve(table, event)

    def _count_tenpai(self, table: Table, actor: int) -> None:
        for seat in table.seats:
            hand = table.hands[seat]
            if seat != actor and hand.riichi == Riichi.NONE:
                is_tenpai = shanten(count_kinds(hand.tiles), table.rules.players) == 0
                discards = min(len(hand.river), _MAX_DISCARDS)
                self.tenpai[_open_melds(hand), discards].append(is_tenpai)

    def _count_deal_ins(self, table: Table, event: Discarded, winners: frozenset[int]) -> None:
        visible = count_visible(view(table, event.actor), event.actor)
        for threat in threats(visible):
            hand = table.hands[threat.seat]
            melds = RIICHI if hand.riichi != Riichi.NONE else _open_melds(hand)
            counts = self.deal_ins[melds]
            counts.discards += 1
            if_tenpai = deal_in_probabilities(visible, threat)[kind_of(event.pai)]
            counts.predicted += threat.tenpai * if_tenpai
            counts.deal_ins += threat.seat in winners


def _open_melds(hand: Hand) -> int:
    return sum(meld.type != MeldType.ANKAN for meld in hand.melds)


def count_quiet_seats(games: Iterable[Sequence[Event]]) -> QuietSeats:
    """Return the counts of these games."""
    found = QuietSeats()
    for events in games:
        found.add(events)
    return found


def lines_of(found: QuietSeats) -> Iterator[str]:
    """Yield the lines of both tables."""
    shown = range(2, _MAX_DISCARDS + 1, 2)
    yield "tenpai without riichi" + "".join(f"{f'{number}th':>13}" for number in shown)
    for melds in range(5):
        cells = [found.tenpai.get((melds, number), []) for number in shown]
        texts = [f"{sum(cell) / len(cell):.0%} of {len(cell)}" if cell else "-" for cell in cells]
        yield f"{f'{melds} open melds':<21}" + "".join(f"{text:>13}" for text in texts)
    yield f"{'deal-ins to a seat':<21}{'discards':>13}{'predicted':>13}{'real':>13}"
    for melds, counts in sorted(found.deal_ins.items()):
        name = "in riichi" if melds == RIICHI else f"with {melds} open melds"
        yield f"{name:<21}{counts.discards:>13}{counts.predicted:>13.1f}{counts.deal_ins:>13}"
