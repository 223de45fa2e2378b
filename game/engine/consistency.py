"""Whether the switches of a rule set go together. A game is not begun under rules that
contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from game.engine.rules import RuleSet

_DOUBLES: Final = frozenset({"kokushi_13", "suuankou_tanki", "junsei_chuuren", "daisuushi"})


def contradictions(rules: RuleSet) -> list[str]:
    """Why these rules cannot be played, one sentence each; empty if they can."""
    return [*_of_points(rules), *_of_the_ranking(rules), *_of_play(rules)]


def _of_points(rules: RuleSet) -> Iterator[str]:
    for name in ("start_points", "return_points", "goal_points", "oka"):
        value = getattr(rules, name)
        if value < 0 or value % 100:
            yield f"{name} is {value}: points are whole hundreds and not negative"
    if rules.honba_points < 0 or rules.honba_points % 300:
        yield f"honba_points is {rules.honba_points}: three players pay whole hundreds of it"
    if rules.noten_payments < 0 or rules.noten_payments % 600:
        yield f"noten_payments is {rules.noten_payments}: it is split among one, two or three"
    if rules.two_han_minimum_from < 0:
        yield "two_han_minimum_from is negative"
    if rules.yakuman_cap < 1:
        yield "yakuman_cap leaves no yakuman at all"
    if unknown := sorted(set(rules.double_yakuman) - _DOUBLES):
        known = ", ".join(sorted(_DOUBLES))
        yield f"double_yakuman names {', '.join(unknown)}; it may name {known}"
    if rules.chombo == "impossible" and (rules.chombo_points or rules.chombo_honba):
        yield "chombo is impossible, yet it costs something"
    if rules.chombo == "impossible" and rules.false_declarations:
        yield "false_declarations lead to chombo, which is impossible"
    if rules.chombo != "after_game" and rules.chombo_points:
        yield "chombo_points are taken off after_game, and chombo is not"


def _of_the_ranking(rules: RuleSet) -> Iterator[str]:
    if sum(rules.uma):
        yield f"uma adds up to {sum(rules.uma)}, not to 0"
    if rules.floating_uma and len(rules.floating_uma) != 5:
        yield f"floating_uma has {len(rules.floating_uma)} rows, not one for each of 0 to 4 players"
    for row in rules.floating_uma:
        if sum(row):
            yield f"a row of floating_uma adds up to {sum(row)}, not to 0"
    if 4 * (rules.return_points - rules.start_points) != rules.oka:
        yield "oka is not what four players pay in: return_points less start_points, four times"


def _of_play(rules: RuleSet) -> Iterator[str]:
    if not rules.atozuke:
        yield "atozuke: no rules that we know forbid it, so there is nothing to play by"
    if any(not 0 <= count <= 4 for count in rules.red_fives):
        yield "red_fives: of each suit there are four fives"
    if not 0 <= rules.riichi_tiles_left < 70:
        yield f"riichi_tiles_left is {rules.riichi_tiles_left}: the wall has 70"
    if rules.kan_ura and not rules.ura_dora:
        yield "kan_ura counts ura dora, and ura_dora are not played"
    if rules.kan_ura and not rules.kan_dora:
        yield "kan_ura lies under kan_dora, which are not played"
    if rules.pending_dora_at_robbery and rules.open_kan_dora == "before_replacement":
        yield "pending_dora_at_robbery: with open_kan_dora before_replacement none is ever due"
    if rules.fifth_kan == "use_ura" and not rules.ura_dora:
        yield "fifth_kan uses ura indicators, and ura_dora are not played"
