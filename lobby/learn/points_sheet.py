"""The sheet of points by han and fu, computed by the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from game.engine.by_seat import BySeat
from game.engine.points import win_payments
from game.engine.rules import TENHOU, RuleSet
from game.engine.value import YAKUMAN_BASE, HandValue, limit_of
from game.results.game_text import format_number, table_text

HAN: Final = (1, 2, 3, 4)
FU: Final = (20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110)
LIMIT_HAN: Final = (
    ("5", 5),
    ("6\N{EN DASH}7", 6),
    ("8\N{EN DASH}10", 8),
    ("11\N{EN DASH}12", 11),
    ("13+", 13),
)
_WINNER: Final = 1
_DISCARDER: Final = 2


@dataclass(frozen=True, slots=True)
class Points:
    """The payment for a hand; '' if no hand has this han and fu."""

    ron: str
    tsumo: str
    """The points of a tsumo: '1,000 / 2,000' from each non-dealer and from the dealer; '2,000' from
    each, to the dealer."""


@dataclass(frozen=True, slots=True)
class PointsRow:
    """A row of the sheet, of a number of fu or of a limit."""

    name: str
    cells: tuple[Points, ...]


def points_rows(rules: RuleSet, *, is_dealer: bool) -> list[PointsRow]:
    """Return a row for each number of fu, with a cell for one to four han."""
    return [
        PointsRow(str(fu), tuple(_points(rules, han, fu, is_dealer=is_dealer) for han in HAN))
        for fu in FU
    ]


def limit_rows(rules: RuleSet) -> list[PointsRow]:
    """Return a row for each limit, with the points of a non-dealer and of the dealer."""
    rows = []
    for text, han in LIMIT_HAN:
        limit, base = limit_of(rules, han, 30)
        rows.append((f"{table_text('limits', limit)} ({text})", base))
    rows.append((table_text("limits", "yakuman"), YAKUMAN_BASE))
    return [
        PointsRow(name, tuple(_payment(rules, base, is_dealer=dealer) for dealer in (False, True)))
        for name, base in rows
    ]


def can_have_han_and_fu(han: int, fu: int, *, is_tsumo: bool) -> bool:
    """Return whether a hand can have that han and fu. 20 fu need pinfu by tsumo. 25 fu need seven
    pairs, which have at least two han, by tsumo three.
    """
    if fu == 20:
        return is_tsumo and han > 1
    if fu == 25:
        return han > (2 if is_tsumo else 1)
    return True


def payment_text(value: HandValue, *, is_dealer: bool, is_tsumo: bool) -> str:
    """Return the payment for a win, in the form of the cells of the sheet."""
    paid = _payment(TENHOU, value.base, is_dealer=is_dealer)
    return paid.tsumo if is_tsumo else paid.ron


def _points(rules: RuleSet, han: int, fu: int, *, is_dealer: bool) -> Points:
    _, base = limit_of(rules, han, fu)
    paid = _payment(rules, base, is_dealer=is_dealer)
    return Points(
        paid.ron if can_have_han_and_fu(han, fu, is_tsumo=False) else "",
        paid.tsumo if can_have_han_and_fu(han, fu, is_tsumo=True) else "",
    )


def _payment(rules: RuleSet, base: int, *, is_dealer: bool) -> Points:
    """Return what the winner gets for these base points, as the sheet shows it."""
    dealer = _WINNER if is_dealer else 0
    value = HandValue((), 0, 0, 0, "", base)

    def deltas(target: int) -> BySeat[int]:
        return win_payments(rules, value, _WINNER, target, dealer, 0, 0, ())[0]

    drawn = deltas(_WINNER)
    each = format_number(-drawn[_DISCARDER])
    tsumo = each if is_dealer else f"{each} / {format_number(-drawn[dealer])}"
    return Points(format_number(deltas(_DISCARDER)[_WINNER]), tsumo)
