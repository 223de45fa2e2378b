"""Checks whether the switches of a rule set are consistent.

Owns the list of contradictions. A game does not start under rules that have one. Must not know what
a switch does in play.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from game.engine.rules import RuleSet, unused_switches
from game.engine.tiles import NOT_IN_PLAY, RED_FIVES
from game.engine.wall import LAYOUTS

_MAX_RED_FIVES: Final = {4: 3, 3: 4}
"""How many fives of a suit can be red, by the number of players."""
_NUMBER_WORDS: Final = {2: "two", 3: "three", 4: "four"}
_DOUBLE_YAKUMAN: Final = frozenset({"kokushi_13", "suuankou_tanki", "junsei_chuuren", "daisuushi"})


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
    if counts := player_count_contradictions(rules):
        return counts
    return [
        *_points_contradictions(rules),
        *_ranking_contradictions(rules),
        *_play_contradictions(rules),
    ]


def player_count_contradictions(rules: RuleSet) -> list[Contradiction]:
    """Return the contradictions with the number of players: tuples of a wrong length, and switches
    that do not exist for so many players."""
    return list(_player_count_contradictions(rules))


def _player_count_contradictions(rules: RuleSet) -> Iterator[Contradiction]:
    players = rules.players
    assert isinstance(rules.noten_payments, tuple)  # `RuleSet` converts the number of stored games
    rows = [
        ("uma", rules.uma, players),
        *(("floating_uma", r, players) for r in rules.floating_uma),
    ]
    for name, numbers, count in (*rows, ("noten_payments", rules.noten_payments, players - 1)):
        if len(numbers) != count:
            text = f"{name} has a row of {len(numbers)} numbers; {players} players need {count}"
            yield Contradiction("number_count", name, text)
    for name, value in unused_switches(players).items():
        if getattr(rules, name) != value:
            text = f"{name} does not exist with {players} players"
            yield Contradiction("not_with_players", name, text)


def _points_contradictions(rules: RuleSet) -> Iterator[Contradiction]:
    for name in ("start_points", "return_points", "goal_points", "oka"):
        value = getattr(rules, name)
        if value < 0 or value % 100:
            yield Contradiction(
                "points_uneven",
                name,
                f"{name} is {value}: it must be a multiple of 100, from 0",
            )
    payers = 1 if rules.honba_at_tsumo == "whole_from_each" else rules.players - 1
    if rules.honba_points < 0 or rules.honba_points % (100 * payers):
        yield Contradiction(
            "honba_uneven",
            "honba_points",
            f"honba_points is {rules.honba_points}: it must be a multiple of {100 * payers}, "
            "from 0",
            (_nearest_multiple(rules.honba_points, 100 * payers),),
        )
    yield from _noten_contradictions(rules)
    if rules.two_han_minimum_from < 0:
        yield Contradiction("negative", "two_han_minimum_from", "two_han_minimum_from is negative")
    if rules.yakuman_cap < 1:
        yield Contradiction("no_yakuman", "yakuman_cap", "yakuman_cap leaves no yakuman at all")
    if unknown := sorted(set(rules.double_yakuman) - _DOUBLE_YAKUMAN):
        known = ", ".join(sorted(_DOUBLE_YAKUMAN))
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
    """Check that each payment is whole hundreds and can be divided among the tenpai players in
    whole hundreds. Only the last payment is divided by all seats but one; the others are fixed
    shares."""
    payments = rules.noten_payments
    assert isinstance(payments, tuple)  # `RuleSet` converts the number of stored games
    last = rules.players - 1
    units = [100 * ready // math.gcd(ready, rules.players - ready) for ready in range(1, last + 1)]
    nearest = tuple(map(_nearest_multiple, payments, units))
    if payments != nearest:
        yield Contradiction(
            "noten_uneven",
            "noten_payments",
            f"noten_payments is {_join_numbers(payments)}: each must be whole hundreds, and the "
            f"last one is divided by {_NUMBER_WORDS[last]}; the nearest that can be paid are "
            f"{_join_numbers(nearest)}",
            nearest,
        )


def _nearest_multiple(points: int, unit: int) -> int:
    """Return the multiple of `unit` (0 or more) that is nearest to `points`. Of two equally near,
    return the greater."""
    return max(0, (points + unit // 2) // unit * unit)


def _join_numbers(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


def _ranking_contradictions(rules: RuleSet) -> Iterator[Contradiction]:
    if sum(rules.uma):
        yield Contradiction("uma_sum", "uma", f"uma adds up to {sum(rules.uma)}, not to 0")
    players = rules.players
    if rules.floating_uma and len(rules.floating_uma) != players + 1:
        yield Contradiction(
            "floating_rows",
            "floating_uma",
            f"floating_uma has {len(rules.floating_uma)} rows, not one for each of 0 to {players} "
            "players",
        )
    for row in rules.floating_uma:
        if sum(row):
            yield Contradiction(
                "floating_sum",
                "floating_uma",
                f"a row of floating_uma adds up to {sum(row)}, not to 0",
            )
    paid_in = players * (rules.return_points - rules.start_points)
    if paid_in < 0:
        yield Contradiction(
            "return_below_start", "return_points", "return_points are fewer than start_points"
        )
    elif rules.oka not in (0, paid_in):
        yield Contradiction(
            "oka_sum",
            "oka",
            f"oka is neither 0 nor {_NUMBER_WORDS[players]} times the difference of return_points "
            "and start_points",
        )


def _play_contradictions(rules: RuleSet) -> Iterator[Contradiction]:
    most = _MAX_RED_FIVES[rules.players]
    if any(not 0 <= count <= most for count in rules.red_fives):
        text = f"red_fives: at most {_NUMBER_WORDS[most]} fives of each suit can be red"
        yield Contradiction("red_fives", "red_fives", text, (most,))
    for kind, reds in zip(RED_FIVES, rules.red_fives, strict=True):
        if reds and NOT_IN_PLAY[rules.players] >> kind & 1:
            yield Contradiction(
                "no_such_five", "red_fives", "red_fives: three players have no 5m, red or not"
            )
    layout = LAYOUTS[rules.players]
    live = layout.live
    if not 0 <= rules.riichi_tiles_left < live:
        yield Contradiction(
            "tiles_left",
            "riichi_tiles_left",
            f"riichi_tiles_left is {rules.riichi_tiles_left}: the live wall has {live} tiles",
            (live - 1,),
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
    ura_places = {place - 1 for place in layout.indicators}
    if rules.fifth_kan == "use_ura" and not ura_places & set(layout.replacements):
        yield Contradiction(
            "fifth_with_three",
            "fifth_kan",
            "fifth_kan use_ura: the wall of three players has other replacement tiles",
        )
    if rules.fifth_kan == "use_ura" and not rules.ura_dora:
        yield Contradiction(
            "fifth_without_ura",
            "fifth_kan",
            "fifth_kan use_ura needs ura_dora",
        )
