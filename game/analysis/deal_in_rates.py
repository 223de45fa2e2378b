"""How often a discard against exactly one riichi dealt in, counted in recorded games.

Owns the counts and the classes of discards. The counts come from 203,492 discards in 2,692 games
(28,002 hands) of four players on Tenhou. They cover discards of players who were not in riichi
themselves, while exactly one other player was. They do not distinguish hands: players with good
hands who attacked and players with poor hands who folded count alike.

There are too few records of three players to count them by class and turn. Their rate is that of
four players times a factor of the class (`FACTORS_OF_THREE`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

import msgspec

from game.analysis.visible_tiles import discards_in_order
from game.engine.state import RIVER_RIICHI, RIVER_TILE, Riichi, Table
from game.engine.tiles import EAST, kind_of

GAMES: Final = 2_692
HANDS: Final = 28_002
DISCARDS: Final = 203_492

_KINDS_WITHOUT_RUNS: Final[dict[int, tuple[int, ...]]] = {4: (), 3: (0, 8)}
"""Kinds of suits without neighbours, by the number of players: 1m and 9m at tables of three."""
_LAST_TURNS: Final = (6, 9, 12)
"""Last turn of every column except the last column."""
COLUMNS: Final = ("1-6", "7-9", "10-12", "13+")
"""Turns of each column of `COUNTS_BY_CLASS`."""

COUNTS_BY_CLASS: Final[dict[str, tuple[tuple[int, int], ...]]] = {
    "1/9 no suji": ((1588, 71), (3302, 198), (3238, 235), (2555, 222)),
    "1/9 suji": ((523, 7), (1360, 20), (1678, 26), (1820, 34)),
    "2/8 no suji": ((841, 42), (2433, 173), (2708, 221), (2446, 242)),
    "2/8 suji": ((292, 5), (932, 30), (1469, 59), (1580, 72)),
    "3/7 no suji": ((489, 31), (1716, 132), (2276, 206), (2129, 237)),
    "3/7 suji": ((191, 6), (811, 35), (1272, 85), (1758, 93)),
    "4/5/6 both suji": ((77, 6), (491, 11), (1087, 22), (1678, 45)),
    "4/5/6 half suji": ((200, 14), (1090, 72), (1790, 145), (2157, 216)),
    "4/5/6 no suji": ((293, 31), (995, 117), (1104, 151), (784, 126)),
    "genbutsu": ((10449, 0), (28521, 0), (37750, 0), (51661, 0)),
    "honour, 0 seen": ((2420, 62), (2256, 66), (1369, 49), (754, 39)),
    "honour, 1 seen": ((1735, 15), (3193, 34), (2620, 43), (1579, 50)),
    "honour, 2+ seen": ((542, 0), (1956, 2), (2825, 3), (2709, 4)),
}
"""(discards, deal-ins among them) by class and by column of the discarder's turn."""


class Factor(msgspec.Struct, frozen=True, gc=False):
    """The factor by which tables of three multiply the rate of a class, with its range and the
    counts behind it."""

    value: float
    """The deal-ins in recorded games of three, divided by the number that the rates of four
    predict."""
    least: float
    most: float
    """The 95 % interval of `value`, if deal-ins are independent events (Poisson)."""
    discards: int
    """Counted discards of the class in games of three."""
    deal_ins: int

    @property
    def has_few_cases(self) -> bool:
        """Whether the class has fewer discards than a reliable factor needs."""
        return self.discards < MIN_RELIABLE_CASES


MIN_RELIABLE_CASES: Final = 300
FACTORS_OF_THREE: Final = {
    "1/9 no suji": Factor(1.45, 1.01, 2.03, 362, 34),
    "1/9 suji": Factor(2.18, 0.7, 5.08, 147, 5),
    "2/8 no suji": Factor(1.6, 1.08, 2.29, 251, 30),
    "2/8 suji": Factor(1.29, 0.52, 2.66, 149, 7),
    "3/7 no suji": Factor(1.53, 1.01, 2.23, 203, 27),
    "3/7 suji": Factor(1.09, 0.4, 2.38, 101, 6),
    "4/5/6 both suji": Factor(1.67, 0.45, 4.27, 97, 4),
    "4/5/6 half suji": Factor(1.03, 0.55, 1.76, 157, 13),
    "4/5/6 no suji": Factor(0.99, 0.53, 1.7, 104, 13),
    "honour, 0 seen": Factor(2.02, 1.4, 2.82, 558, 34),
    "honour, 1 seen": Factor(2.19, 1.22, 3.61, 516, 15),
    "honour, 2+ seen": Factor(2.85, 0.04, 15.84, 338, 1),
}
"""By class, except genbutsu, which are safe with three players too. Counted in 216 games (1,943
hands) on Tenhou. 1m and 9m are in no run there and have the class of an honour."""
_FACTORS_BY_PLAYERS: Final[dict[int, dict[str, Factor]]] = {4: {}, 3: FACTORS_OF_THREE}


class Rate(msgspec.Struct, frozen=True, gc=False):
    """The share of discards that dealt in, and the number of cases counted."""

    share: float
    """From 0 to 1."""
    cases: int
    """The counted discards behind the rate; with three players those behind the factor."""
    has_few_cases: bool = False


def riichi_seats(table: Table, seat: int) -> tuple[int, ...]:
    """Return the seats in riichi other than `seat`."""
    return tuple(
        other for other in table.seats if other != seat and table.hands[other].riichi != Riichi.NONE
    )


def genbutsu_mask(table: Table, riichi_seat: int) -> int:
    """Return the mask of the kinds that `riichi_seat` has discarded and of the kinds that any seat
    has discarded since its riichi."""
    mask, has_declared = 0, False
    for seat, entry in discards_in_order(table):
        if seat == riichi_seat or has_declared:
            mask |= 1 << kind_of(entry & RIVER_TILE)
        has_declared = has_declared or (seat == riichi_seat and bool(entry & RIVER_RIICHI))
    return mask


def danger_class_of(kind: int, safe: int, open_copies: int, players: int) -> str:
    """Return the name of the class (a key of `COUNTS_BY_CLASS`) of a discard of `kind`. `safe` is
    the mask of genbutsu, `open_copies` counts the kind in rivers, melds and indicators."""
    if safe >> kind & 1:
        return "genbutsu"
    if kind >= EAST or kind in _KINDS_WITHOUT_RUNS[players]:
        return f"honour, {open_copies} seen" if open_copies < 2 else "honour, 2+ seen"
    rank = kind % 9
    sides = [other for other in (rank - 3, rank + 3) if 0 <= other < 9]
    suji = sum(safe >> (kind - rank + other) & 1 for other in sides)
    if len(sides) == 2:
        return f"4/5/6 {('no', 'half', 'both')[suji]} suji"
    outer = min(rank, 8 - rank)
    return f"{outer + 1}/{9 - outer} {'suji' if suji else 'no suji'}"


def turn_column(turn: int) -> int:
    """Return the index of the column of `COUNTS_BY_CLASS` for the discarder's turn, from 1."""
    return bisect_left(_LAST_TURNS, turn)


def deal_in_rate(name: str, turn: int, players: int) -> Rate:
    """Return the deal-in rate of the class `name` for the discarder's turn, from 1."""
    discards, deal_ins = COUNTS_BY_CLASS[name][turn_column(turn)]
    share = deal_ins / discards
    factor = _FACTORS_BY_PLAYERS[players].get(name)
    if factor is None:
        return Rate(share, discards)
    return Rate(share * factor.value, factor.discards, factor.has_few_cases)


def counted_rates(
    table: Table, seat: int, riichi_seat: int, kinds: Sequence[int], open_copies: Sequence[int]
) -> dict[int, Rate]:
    """Return for each of `kinds` the rate at which a discard by `seat` deals in to `riichi_seat`,
    the only seat in riichi. `open_copies` counts the tiles in rivers, melds and indicators by
    kind."""
    safe = genbutsu_mask(table, riichi_seat)
    turn, players = len(table.hands[seat].river) + 1, table.rules.players
    return {
        kind: deal_in_rate(danger_class_of(kind, safe, open_copies[kind], players), turn, players)
        for kind in kinds
    }
