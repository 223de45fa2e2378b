"""Measures what every value of every switch of the rules costs, with players who choose at random.

The cost is the CPU time of the engine for each applied event, as in `bench.engine`, with the list
of choices of each seat that is asked. It is compared with the default rules, which are played in
turn with each value, so that both have the same share of a busy machine.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Iterator
from random import Random
from typing import Any, Final, Literal, get_args, get_origin

from msgspec.structs import replace

from bench import report
from bench.engine import RandomGame
from game.engine.consistency import contradiction_texts
from game.engine.events import Event
from game.engine.legal import choices, pending
from game.engine.rules import TENHOU, RuleSet, switch_type
from game.engine.state import Table
from mahjong_site.interpreter import collect_seldom

LIMIT: Final = 3.0
"""A value that costs more than this times the default is marked."""
_EVERY_PAO: Final = {
    name: True
    for name in RuleSet.__struct_fields__
    if name[:4] == "pao_" and switch_type(name) is bool
}
_NUMBERS: Final[dict[str, tuple[Any, ...]]] = {
    "start_points": (0, 100_000),
    "return_points": (40_000,),
    "goal_points": (0, 1_000_000),
    "oka": (0,),
    "uma": ((30, 10, -10, -30),),
    "floating_uma": (
        ((0, 0, 0, 0), (12, -1, -3, -8), (8, 4, -4, -8), (8, 3, 1, -12), (0, 0, 0, 0)),
    ),
    "honba_points": (0, 1_500),
    "two_han_minimum_from": (1, 5),
    "red_fives": ((0, 0, 0), (3, 3, 3)),
    "riichi_tiles_left": (0, 69),
    "noten_payments": ((0, 0, 0), (1_300, 2_000, 3_900)),
    "yakuman_cap": (1, 1_000_000),
    "double_yakuman": (("kokushi_13", "suuankou_tanki", "junsei_chuuren", "daisuushi"),),
    "chombo_points": (20_000,),
    "chombo_honba": (1,),
}
"""Values of the switches that are numbers or rows: usual ones and extreme ones."""
_WITH: Final[dict[str, dict[str, Any]]] = {
    "start_points": {"return_points": 100_000, "oka": 0},
    "return_points": {"oka": 0},
    "ura_dora": {"kan_ura": False},
    "kan_dora": {"kan_ura": False},
    "tobi_at_zero": {"tobi": True},
    "false_declarations": {"chombo": "reverse_mangan"},
    "chombo_points": {"chombo": "after_game"},
    "chombo_honba": {"chombo": "reverse_mangan"},
    "pao_suukantsu_by": {"pao_suukantsu": True},
    "pao_composite": _EVERY_PAO,
    "pao_honba": _EVERY_PAO,
}
"""The other switches that a value needs to be allowed, or to play a part."""


def run(*, quick: bool) -> None:
    """Print what each value costs, as a multiple of the default."""
    collect_seldom()
    rounds, seconds = (1, 0.02) if quick else (3, 0.1)
    report.heading("rules: CPU of each value of each switch, as a multiple of the default rules")
    dear = []
    for name, value, rules in values():
        factor = _factor(rules, rounds, seconds)
        mark = f"   more than {LIMIT:g} times" if factor > LIMIT else ""
        report.line(f"{name} = {value}", f"{factor:.2f}{mark}")
        if factor > LIMIT:
            dear.append(f"{name} = {value}")
    report.line(f"values above {LIMIT:g}", ", ".join(dear) or "none")


def values() -> Iterator[tuple[str, Any, RuleSet]]:
    """Yield every switch with each of its values that is not the default, and rules with it."""
    for name in RuleSet.__struct_fields__:
        if name in ("name", "version"):
            continue
        hint = switch_type(name)
        if get_origin(hint) is Literal:
            possible = get_args(hint)
        elif hint is bool:
            possible = (False, True)
        else:
            possible = _NUMBERS[name]
        for value in possible:
            needed = _WITH.get(name, {})
            if value == getattr(TENHOU, name) and not needed:
                continue
            rules = replace(TENHOU, **{**needed, name: value})
            if not contradiction_texts(rules):
                yield name, value, rules


def _factor(rules: RuleSet, rounds: int, seconds: float) -> float:
    """Return the CPU time of an event under these rules, divided by that under the default."""
    factors = []
    for seed in range(rounds):
        usual = _cost(TENHOU, seed, seconds)
        factors.append(_cost(rules, seed, seconds) / usual)
    return statistics.median(factors)


def _cost(rules: RuleSet, seed: int, seconds: float) -> float:
    rng = Random(seed)
    applied = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds or not applied:
        applied += RandomGame(rng, _list_choices, rules).play()
    gc.collect()
    return spent / applied


def _list_choices(table: Table, events: tuple[Event, ...]) -> None:
    """List what each seat that is asked can choose, as the server does for its page."""
    for seat in pending(table):
        choices(table, seat)
