"""Random wins under every preset are compared with `jansou`, a scorer that shares no code with
ours.

`jansou` divides hands, finds waits, counts fu and computes payments with its own code. `comparable`
removes the rules that the preset cannot express there; those switches are tested elsewhere.
`ORACLE_WINS=100000` compares more wins for each preset.
"""

from __future__ import annotations

import os
import random
from typing import Final

import pytest
from jansou.analysis.waits import waits as oracle_waits
from jansou.core.hand import Hand
from jansou.core.tiles import Wind
from jansou.scoring.context import WinContext as OracleContext
from jansou.scoring.score import Payment, ScoreResult, ScoringError, score
from jansou.scoring.yaku import Yaku
from msgspec.structs import replace

from game.engine.hand import waits
from game.engine.points import win_payments
from game.engine.presets import PRESETS
from game.engine.rules import RuleSet
from game.engine.tiles import kind_of, kinds_in
from game.engine.value import WinContext, value_of
from tests.engine.random_wins import EAST, random_win
from tests.kit.oracle import oracle_meld, oracle_rules, oracle_tile

WINS: Final = int(os.environ.get("ORACLE_WINS", "400"))
"""The number of wins for each preset."""
SINGLE: Final = {"kokushi_13": "kokushi", "suuankou_tanki": "suuankou", "junsei_chuuren": "chuuren"}
"""Yakuman to which the oracle gives one name with their rarer form. It counts the rarer form twice
where the rules do."""
NAMES: Final = {
    Yaku.DOUBLE_RIICHI: "daburu",
    Yaku.MENZEN_TSUMO: "tsumo",
    Yaku.YAKUHAI_HAKU: "haku",
    Yaku.YAKUHAI_HATSU: "hatsu",
    Yaku.YAKUHAI_CHUN: "chun",
    Yaku.YAKUHAI_ROUND: "round_wind",
    Yaku.YAKUHAI_SEAT: "seat_wind",
    Yaku.CHIITOITSU: "chiitoi",
    Yaku.SANSHOKU_DOUJUN: "sanshoku",
    Yaku.SANSHOKU_DOUKOU: "doukou",
    Yaku.ITTSU: "ittsuu",
}


def comparable(rules: RuleSet) -> RuleSet:
    """Return the rules without the switches that the oracle does not have."""
    doubles = rules.double_yakuman if len(rules.double_yakuman) == 4 else ()
    return replace(
        rules,
        two_han_minimum_from=0,
        renho="off",
        ryuiso_needs_hatsu=False,
        rinshan_tsumo_fu=True,
        double_yakuman=doubles,
        yakuman_cap=20,
    )


def oracle_hand(context: WinContext) -> Hand:
    """Return the complete hand in the oracle's form."""
    held = (*context.tiles, context.winning_tile)
    return Hand(tuple(map(oracle_tile, held)), tuple(map(oracle_meld, context.melds)))


def by_oracle(context: WinContext, honba: int = 0, sticks: int = 0) -> ScoreResult | None:
    is_last = context.last_tile and not (context.rinshan or context.chankan)
    is_first_draw = context.first_turn and context.is_tsumo
    circumstances = OracleContext(
        rules=oracle_rules(context.rules),
        round_wind=Wind(context.round_wind - EAST),
        seat_wind=Wind(context.seat_wind - EAST),
        is_tsumo=context.is_tsumo,
        riichi=context.riichi,
        double_riichi=context.double_riichi,
        ippatsu=context.ippatsu and context.rules.ippatsu,
        haitei=is_last and context.is_tsumo,
        houtei=is_last and not context.is_tsumo,
        rinshan=context.rinshan,
        chankan=context.chankan,
        tenhou=is_first_draw and context.seat_wind == EAST,
        chiihou=is_first_draw and context.seat_wind != EAST,
        dora_indicators=tuple(map(oracle_tile, context.dora)),
        ura_indicators=tuple(map(oracle_tile, context.ura)),
        honba=honba,
        riichi_sticks=sticks,
    )
    try:
        return score(oracle_hand(context), oracle_tile(context.winning_tile), circumstances)
    except ScoringError:
        return None


def oracle_value(context: WinContext) -> str:
    """Return the oracle's yaku and worth of the hand as a line of text."""
    found = by_oracle(context)
    if found is None:
        return "no win"
    if found.is_yakuman:
        # Where yakuman do not add up, the oracle names only the most expensive one.
        every = by_oracle(replace(context, rules=replace(context.rules, yakuman_add_up=True)))
        assert every is not None
        return f"{_oracle_yaku(every)}, base {found.base}"
    yaku = _oracle_yaku(found)
    bonus = {"dora": found.dora.dora, "ura": found.dora.ura, "aka": found.dora.aka}
    yaku += [(name, han) for name, han in bonus.items() if han]
    return f"{sorted(yaku)}, {found.han} han {found.fu.total} fu, base {found.base}"


def _oracle_yaku(found: ScoreResult) -> list[tuple[str, int]]:
    return sorted((NAMES.get(yaku.yaku, yaku.yaku.name.lower()), yaku.value) for yaku in found.yaku)


def engine_value(context: WinContext) -> str:
    """Return the same line for the value of our engine."""
    value = value_of(context)
    if value is None:
        return "no win"
    yaku = sorted((SINGLE.get(name, name), han) for name, han in value.yaku)
    if value.yakuman:
        return f"{yaku}, base {value.base}"
    return f"{yaku}, {value.fan} han {value.fu} fu, base {value.base}"


def oracle_deltas(payment: Payment, winner: int, target: int, dealer: int) -> tuple[int, ...]:
    """Return the payment of each seat, from the oracle's payments by kind of payer."""
    deltas = [0, 0, 0, 0]
    deltas[winner] = payment.total
    if target != winner:
        deltas[target] = -payment.ron - payment.honba
        return tuple(deltas)
    for seat in range(4):
        if seat != winner:
            share = payment.tsumo_dealer if seat == dealer else payment.tsumo_non_dealer
            deltas[seat] = -share - payment.honba // 3
    return tuple(deltas)


@pytest.mark.parametrize("name", PRESETS)
def test_random_wins_have_the_value_of_the_oracle(name: str) -> None:
    rules = comparable(PRESETS[name])
    rng = random.Random(name)
    for number in range(WINS):
        context = random_win(rng, [rules])
        assert engine_value(context) == oracle_value(context), (number, context)


def test_random_wins_have_the_payments_of_the_oracle() -> None:
    """The seats of the winner and, for a ron, of the discarder are random."""
    rng = random.Random(14)
    for number in range(WINS):
        winner, dealer, honba, sticks = (rng.randrange(4) for _ in range(4))
        rules = comparable(rng.choice(list(PRESETS.values())))
        context = replace(random_win(rng, [rules]), seat_wind=EAST + (winner - dealer) % 4)
        value, found = value_of(context), by_oracle(context, honba, sticks)
        if value is None or found is None:
            assert value is found
            continue
        target = winner if context.is_tsumo else (winner + rng.randint(1, 3)) % 4
        deltas, _ = win_payments(rules, value, winner, target, dealer, honba, sticks, ())
        expected = oracle_deltas(found.payment, winner, target, dealer)
        assert deltas == expected, (number, context)


def test_random_hands_have_the_waits_of_the_oracle() -> None:
    """The hands are tenpai hands, and the same hands with one tile exchanged, most of which are
    noten."""
    rng = random.Random(34)
    seen = {True: 0, False: 0}
    for number in range(WINS):
        context = random_win(rng, [PRESETS["tenhou"]])
        held = sorted(context.tiles)
        if number % 2:
            held[rng.randrange(len(held))] = 2 * rng.randrange(34)
        melded = [tile for meld in context.melds for tile in meld.tiles]
        kinds = [kind_of(tile) for tile in (*held, *melded)]
        if max(map(kinds.count, kinds)) > 4:
            continue
        hand = Hand(tuple(map(oracle_tile, held)), tuple(map(oracle_meld, context.melds)))
        ours = set(kinds_in(waits(tuple(held), context.melds)))
        assert ours == {int(kind) for kind in oracle_waits(hand)}, (number, held, context.melds)
        seen[bool(ours)] += 1
    assert min(seen.values()) > WINS // 10, seen
