"""The estimated cost of discards follows the rules of players: genbutsu, suji, walls, and honours
without copies left."""

from __future__ import annotations

import pytest

from bench.bots.games import play_game
from bench.bots.quiet_seats import RIICHI, count_quiet_seats, lines_of
from game.analysis.danger import discard_costs, threats, wait_shares
from game.analysis.visible_tiles import count_visible, discards_in_order, safe_masks
from game.bots import bot_named
from game.engine.state import (
    RIVER_RIICHI,
    RIVER_TAKEN,
    RIVER_TILE,
    RIVER_TSUMOGIRI,
    Hand,
    Riichi,
    Table,
)
from game.engine.tiles import kind_of, tile_to_text
from tests.bots.staging import ME, on_turn, other, pon, tile

ALL_UNSEEN = [4] * 34


def kind(text: str) -> int:
    return kind_of(tile(text))


def mask(*texts: str) -> int:
    return sum(1 << kind(text) for text in texts)


def test_genbutsu_cost_nothing() -> None:
    shares = wait_shares(ALL_UNSEEN, mask("5p"))
    assert shares[kind("5p")] == 0


def test_suji_tile_is_safer_than_other_tiles() -> None:
    shares = wait_shares(ALL_UNSEEN, mask("5p"))
    assert shares[kind("2p")] < 0.6 * shares[kind("2s")]
    assert shares[kind("8p")] < 0.6 * shares[kind("8s")]


def test_four_is_safe_only_with_suji_on_both_sides() -> None:
    one_side = wait_shares(ALL_UNSEEN, mask("1p"))
    both_sides = wait_shares(ALL_UNSEEN, mask("1p", "7p"))
    assert both_sides[kind("4p")] < 0.6 * one_side[kind("4p")] < 0.6 * one_side[kind("4s")]


def test_tile_behind_a_wall_has_no_two_sided_wait() -> None:
    unseen = ALL_UNSEEN.copy()
    unseen[kind("7s")] = 0
    shares = wait_shares(unseen, 0)
    assert shares[kind("9s")] < 0.5 * shares[kind("9m")]
    assert shares[kind("8s")] < 0.5 * shares[kind("8m")]


def test_a_middle_tile_costs_more_than_a_terminal() -> None:
    shares = wait_shares(ALL_UNSEEN, 0)
    assert shares[kind("5m")] > shares[kind("2m")] > shares[kind("1m")]


def test_honour_is_safer_with_each_visible_copy() -> None:
    costs = []
    for left in (3, 2, 1, 0):
        unseen = ALL_UNSEEN.copy()
        unseen[kind("W")] = left
        costs.append(wait_shares(unseen, 0)[kind("W")])
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > costs[-1] == 0


def test_deal_in_probability_stays_plausible() -> None:
    river = mask("9m", "E", "1p", "8p", "7s", "2s")
    shares = wait_shares(ALL_UNSEEN, river)
    assert 0.06 < shares[kind("5m")] < 0.16
    assert max(shares) < 0.2


def test_riichi_is_a_serious_threat_unlike_a_fresh_closed_hand() -> None:
    table = on_turn("159m2468p357s1sWN", "5p", others={2: other("9m E 1p", riichi=True)})
    (threat,) = threats(count_visible(table, ME))
    assert (threat.seat, threat.is_serious) == (2, True)


def test_three_open_sets_are_a_serious_threat_unlike_one() -> None:
    river = "9m E 1p 8p 7s 2s 1s 9p 3m 3p"
    one = other(river, melds=[pon("222m")])
    three = other(river, melds=[pon("222m"), pon("444p"), pon("666s")])
    table = on_turn("159m2468p357s1sWN", "5p", others={1: one, 3: three})
    serious = [threat.seat for threat in threats(count_visible(table, ME)) if threat.is_serious]
    assert serious == [3]


def test_open_sets_of_one_suit_make_that_suit_dangerous() -> None:
    flush = other("9m E 1p 8p 2m 3p 4m 6p", melds=[pon("222s"), pon("777s"), pon("WWW")])
    visible = count_visible(on_turn("159m2468p359s1sWN", "5p", others={2: flush}), ME)
    costs = discard_costs(visible, threats(visible))
    assert costs[kind("5s")] > 3 * costs[kind("5m")]


def test_the_threat_of_the_dealer_costs_more() -> None:
    riichi = {2: other("9m E 1p", riichi=True)}
    as_dealer = count_visible(on_turn("159m2468p357s1sWN", "5p", others=riichi, kyoku=2), ME)
    otherwise = count_visible(on_turn("159m2468p357s1sWN", "5p", others=riichi, kyoku=1), ME)
    assert threats(as_dealer)[0].loss > threats(otherwise)[0].loss


def _table_after_a_call() -> Table:
    """Return the table after these moves: East discards 1m. South discards 2m in riichi. West
    discards 3m, which East takes as pon, then discards 4m. South discards the drawn 5m. West
    discards 6m."""
    hands = (
        Hand(river=(tile("1m"), tile("4m")), melds=(pon("333m", target=2),)),
        Hand(
            river=(tile("2m") | RIVER_RIICHI, tile("5m") | RIVER_TSUMOGIRI),
            riichi=Riichi.ACCEPTED,
        ),
        Hand(river=(tile("3m") | RIVER_TAKEN, tile("6m"))),
        Hand(),
    )
    return Table(hands=hands)


def test_order_of_discards_is_read_from_rivers_and_calls() -> None:
    order = discards_in_order(_table_after_a_call())
    assert [(seat, tile_to_text(entry & RIVER_TILE)) for seat, entry in order] == [
        (0, "1m"),
        (1, "2m"),
        (2, "3m"),
        (0, "4m"),
        (1, "5m"),
        (2, "6m"),
    ]


def test_tiles_are_safe_once_discarded_after_a_riichi() -> None:
    safe = safe_masks(_table_after_a_call())[1]
    assert safe == mask("2m", "3m", "4m", "5m", "6m")


def test_changed_hand_ends_the_safety_of_passed_tiles() -> None:
    safe = safe_masks(_table_after_a_call())[2]
    assert safe == mask("3m", "6m")


@pytest.mark.parametrize(
    ("melds", "discards", "counted"), [(0, 10, 0.06), (1, 10, 0.33), (2, 8, 0.42), (3, 12, 0.85)]
)
def test_tenpai_probability_without_riichi_is_the_counted_one(
    melds: int, discards: int, counted: float
) -> None:
    river = " ".join(
        ["9m", "E", "1p", "8p", "7s", "2s", "1s", "9p", "3m", "3p", "W", "N"][:discards]
    )
    open_melds = [pon("222m"), pon("444p"), pon("666s")][:melds]
    seat = other(river, melds=open_melds)
    table = on_turn("159m2468p357s1sSN", "5p", others={3: seat})
    (threat,) = [
        threat_of_seat
        for threat_of_seat in threats(count_visible(table, ME))
        if threat_of_seat.seat == 3
    ]
    assert threat.tenpai == pytest.approx(counted)
    assert threat.wait_factor < 1


def test_open_games_give_counts_of_tenpai_and_deal_ins() -> None:
    choose = bot_named("sensible").choose
    found = count_quiet_seats([play_game(seed, [choose] * 4).events for seed in (1, 2)])
    first = [*found.tenpai[0, 1], *found.tenpai[0, 2]]
    assert len(first) > 50
    assert sum(first) < 0.1 * len(first)
    late = [
        sample for (melds, at), cell in found.tenpai.items() for sample in cell if at > 8 and melds
    ]
    assert sum(late) > 0.1 * len(late)
    assert found.deal_ins[RIICHI].discards > 50
    assert "in riichi" in "".join(lines_of(found))
