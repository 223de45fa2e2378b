"""Checks whether the switches of a rule set are consistent.

Owns the list of contradictions. A game does not start under rules that have one. Must not know what
a switch does in play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from game.engine.rules import RuleSet

_MAX_RED_FIVES: Final = 3
_DOUBLES: Final = frozenset({"kokushi_13", "suuankou_tanki", "junsei_chuuren", "daisuushi"})


class Contradiction(NamedTuple):
    """A reason why rules cannot be played: a code (the key of translated texts), the switch to
    change, and an English sentence."""

    code: str
    switch: str
    text: str
    nearest: tuple[int, ...] = ()
    """The nearest numbers that can be played, where there are such."""


def contradiction_texts(rules: RuleSet) -> list[str]:
    """Return why these rules cannot be played, one sentence for each reason."""
    return [found.text for found in contradictions(rules)]


def contradictions(rules: RuleSet) -> list[Contradiction]:
    """Return why these rules cannot be played, each reason with its code and its switch."""
    return [
        *_points_contradictions(rules),
        *_ranking_contradictions(rules),
        *_play_contradictions(rules),
    ]


def _points_contradictions(rules: RuleSet) -> Iterator[Contradiction]:
    for name in ("start_points", "return_points", "goal_points", "oka"):
        value = getattr(rules, name)
        if value < 0 or value % 100:
            yield Contradiction(
                "points_uneven",
                name,
                f"{name} is {value}: it must be a multiple of 100, from 0",
            )
    if rules.honba_points < 0 or rules.honba_points % 300:
        yield Contradiction(
            "honba_uneven",
            "honba_points",
            f"honba_points is {rules.honba_points}: it must be a multiple of 300, from 0",
        )
    yield from _noten_contradictions(rules)
    if rules.two_han_minimum_from < 0:
        yield Contradiction("negative", "two_han_minimum_from", "two_han_minimum_from is negative")
    if rules.yakuman_cap < 1:
        yield Contradiction("no_yakuman", "yakuman_cap", "yakuman_cap leaves no yakuman at all")
    if unknown := sorted(set(rules.double_yakuman) - _DOUBLES):
        known = ", ".join(sorted(_DOUBLES))
        yield Contradiction(
            "unknown_double",
            "double_yakuman",
            f"double_yakuman names {', '.join(unknown)}; it may name {known}",
        )
    if rules.chombo == "impossible" and (rules.chombo_points or rules.chombo_honba):
        yield Contradiction("chombo_costs", "chombo", "chombo is impossible, but has a cost")
    if rules.chombo == "impossible" and rules.false_declarations:
        yield Contradiction(
            "no_chombo",
            "false_declarations",
            "false_declarations lead to chombo, which is impossible",
        )
    if rules.chombo != "after_game" and rules.chombo_points:
        yield Contradiction(
            "chombo_not_after",
            "chombo_points",
            "chombo_points are subtracted only if chombo is after_game",
        )


def _noten_contradictions(rules: RuleSet) -> Iterator[Contradiction]:
    """Check that each payment is whole hundreds and gives whole hundreds to each tenpai player:
    three share the last one, the others are not divided."""
    payments = rules.noten_payments
    assert isinstance(payments, tuple)  # `RuleSet` converts the number of stored games
    one, two, three = payments
    nearest = (_nearest(one, 100), _nearest(two, 100), _nearest(three, 300))
    if payments != nearest:
        yield Contradiction(
            "noten_uneven",
            "noten_payments",
            f"noten_payments is {_listed(payments)}: each must be whole hundreds, and the last one "
            f"is divided by three; the nearest that can be paid are {_listed(nearest)}",
            nearest,
        )


def _nearest(points: int, unit: int) -> int:
    """Return the multiple of `unit`, from 0, that is nearest; of two equally near, the greater."""
    return max(0, (points + unit // 2) // unit * unit)


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


def _ranking_contradictions(rules: RuleSet) -> Iterator[Contradiction]:
    if sum(rules.uma):
        yield Contradiction("uma_sum", "uma", f"uma adds up to {sum(rules.uma)}, not to 0")
    if rules.floating_uma and len(rules.floating_uma) != 5:
        yield Contradiction(
            "floating_rows",
            "floating_uma",
            f"floating_uma has {len(rules.floating_uma)} rows, not one for each of 0 to 4 players",
        )
    for row in rules.floating_uma:
        if sum(row):
            yield Contradiction(
                "floating_sum",
                "floating_uma",
                f"a row of floating_uma adds up to {sum(row)}, not to 0",
            )
    paid_in = 4 * (rules.return_points - rules.start_points)
    if paid_in < 0:
        yield Contradiction(
            "return_below_start", "return_points", "return_points are fewer than start_points"
        )
    elif rules.oka not in (0, paid_in):
        yield Contradiction(
            "oka_sum",
            "oka",
            "oka is neither 0 nor four times the difference of return_points and start_points",
        )


def _play_contradictions(rules: RuleSet) -> Iterator[Contradiction]:
    if any(not 0 <= count <= _MAX_RED_FIVES for count in rules.red_fives):
        yield Contradiction(
            "red_fives", "red_fives", "red_fives: at most three fives of each suit can be red"
        )
    if not 0 <= rules.riichi_tiles_left < 70:
        yield Contradiction(
            "tiles_left",
            "riichi_tiles_left",
            f"riichi_tiles_left is {rules.riichi_tiles_left}: the live wall has 70 tiles",
        )
    if rules.kan_ura and not rules.ura_dora:
        yield Contradiction("kan_ura_without_ura", "kan_ura", "kan_ura needs ura_dora")
    if rules.kan_ura and not rules.kan_dora:
        yield Contradiction(
            "kan_ura_without_kan_dora",
            "kan_ura",
            "kan_ura needs kan_dora",
        )
    if rules.pending_dora_at_robbery and rules.open_kan_dora == "before_replacement":
        yield Contradiction(
            "never_pending",
            "pending_dora_at_robbery",
            "pending_dora_at_robbery: under open_kan_dora before_replacement no dora is ever due",
        )
    if rules.fifth_kan == "use_ura" and not rules.ura_dora:
        yield Contradiction(
            "fifth_without_ura",
            "fifth_kan",
            "fifth_kan use_ura needs ura_dora",
        )
