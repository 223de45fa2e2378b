"""Infers from the payments of a recorded win how many dora the record does not show.

Some records have no ura dora, or no kan dora, so the engine counts none. The difference between its
value and the recorded payments shows their number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.events import Won
from game.engine.points import hand_points, win_payments
from game.engine.rules import RuleSet
from game.engine.value import HandValue, limit_of
from game.records.recorded import RecordedWin

_HIDDEN_DORA: Final = ("dora", "ura", "nukidora")
_MAX_HIDDEN_DORA: Final = 20
"""More hidden dora than this change no payment."""


def with_hidden_dora(
    rules: RuleSet, won: Won, theirs: RecordedWin, dealer: int, *, is_ura: bool
) -> Won:
    """Return the win with the smallest number of hidden dora that gives the recorded value;
    unchanged if no number does."""
    if won.yakuman:
        return won
    for more in _possible_numbers(won, theirs):
        counted = _with_more_dora(rules, won, theirs, more, dealer, is_ura=is_ura)
        if _matches_record(counted, theirs):
            return counted
    return won


def _possible_numbers(won: Won, theirs: RecordedWin) -> Iterable[int]:
    """Return the numbers of hidden dora to try: the recorded number if the record lists yaku, else
    0 to 19."""
    if theirs.yaku is None:
        return range(_MAX_HIDDEN_DORA)
    return (max(0, _count_dora(theirs.yaku) - _count_dora(won.yaku)),)


def _count_dora(yaku: Iterable[tuple[str, int]]) -> int:
    return sum(han for name, han in yaku if name in _HIDDEN_DORA)


def _with_more_dora(
    rules: RuleSet, won: Won, theirs: RecordedWin, more: int, dealer: int, *, is_ura: bool
) -> Won:
    if not more:
        return won
    if theirs.yaku is not None:
        counts = {name: han for name, han in won.yaku if name not in _HIDDEN_DORA}
        counts |= {name: han for name, han in theirs.yaku if name in _HIDDEN_DORA}
    else:
        counts = dict(won.yaku)
        name = "ura" if is_ura else "dora"
        counts[name] = counts.get(name, 0) + more
    fan = won.fan + more
    limit, base = limit_of(rules, fan, won.fu)
    value = HandValue((), fan, won.fu, 0, limit, base)
    plain = HandValue((), won.fan, won.fu, 0, *limit_of(rules, won.fan, won.fu))
    is_tsumo, is_dealer = won.actor == won.target, won.actor == dealer
    extra = [
        now - before
        for now, before in zip(
            _payments(rules, value, won, dealer), _payments(rules, plain, won, dealer), strict=True
        )
    ]
    return replace(
        won,
        yaku=tuple(counts.items()),
        fan=fan,
        limit=limit,
        points=hand_points(rules, value, is_dealer, is_tsumo),
        deltas=tuple(map(sum, zip(won.deltas, extra, strict=True))),
        scores=tuple(map(sum, zip(won.scores, extra, strict=True))),
    )


def _payments(rules: RuleSet, value: HandValue, won: Won, dealer: int) -> BySeat[int]:
    """Return the deltas of the win without honba and sticks."""
    deltas, _ = win_payments(rules, value, won.actor, won.target, dealer, 0, 0, ())
    return deltas


def _matches_record(won: Won, theirs: RecordedWin) -> bool:
    return (
        theirs.fan in (None, won.fan)
        and theirs.points in (None, won.points)
        and theirs.deltas in (None, won.deltas)
    )
