"""Payments and the final ranking agree with worked examples and with the tables of the game."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest

from game.engine.by_seat import BySeat
from game.engine.consistency import contradictions
from game.engine.points import (
    final_bonus,
    final_placement,
    hand_points,
    nagashi_payments,
    noten_payments,
    win_payments,
)
from game.engine.presets import preset
from game.engine.rules import RuleSet
from game.engine.value import HandValue, limit_of, value_of
from tests.engine.scoring_rows import ScoringRow, read_rows

ROWS = read_rows()

# Each cell: non-dealer ron, non-dealer tsumo (others/dealer), dealer ron, dealer tsumo (each).
TABLE = """
fu  | 1 han                   | 2 han                     | 3 han                      | 4 han
20  | -                       | - 400/700 - 700           | - 700/1300 - 1300          | - 1300/2600 - 2600
25  | -                       | 1600 - 2400 -             | 3200 800/1600 4800 1600    | 6400 1600/3200 9600 3200
30  | 1000 300/500 1500 500   | 2000 500/1000 2900 1000   | 3900 1000/2000 5800 2000   | 7700 2000/3900 11600 3900
40  | 1300 400/700 2000 700   | 2600 700/1300 3900 1300   | 5200 1300/2600 7700 2600   | mangan
50  | 1600 400/800 2400 800   | 3200 800/1600 4800 1600   | 6400 1600/3200 9600 3200   | mangan
60  | 2000 500/1000 2900 1000 | 3900 1000/2000 5800 2000  | 7700 2000/3900 11600 3900  | mangan
70  | 2300 600/1200 3400 1200 | 4500 1200/2300 6800 2300  | mangan                     | mangan
80  | 2600 700/1300 3900 1300 | 5200 1300/2600 7700 2600  | mangan                     | mangan
90  | 2900 800/1500 4400 1500 | 5800 1500/2900 8700 2900  | mangan                     | mangan
100 | 3200 800/1600 4800 1600 | 6400 1600/3200 9600 3200  | mangan                     | mangan
110 | 3600 900/1800 5300 1800 | 7100 1800/3600 10600 3600 | mangan                     | mangan
"""  # noqa: E501
LIMITS = {
    "mangan": "8000 2000/4000 12000 4000",
    "haneman": "12000 3000/6000 18000 6000",
    "baiman": "16000 4000/8000 24000 8000",
    "sanbaiman": "24000 6000/12000 36000 12000",
    "kazoe_yakuman": "32000 8000/16000 48000 16000",
}
CELLS = [
    (int(line.split("|")[0]), han, cell.strip())
    for line in TABLE.strip().splitlines()[1:]
    for han, cell in enumerate(line.split("|")[1:], start=1)
    if cell.strip() != "-"
]
HAN_OF_LIMITS = [
    (5, "mangan"),
    (6, "haneman"),
    (7, "haneman"),
    (8, "baiman"),
    (10, "baiman"),
    (11, "sanbaiman"),
    (12, "sanbaiman"),
    (13, "kazoe_yakuman"),
    (20, "kazoe_yakuman"),
]
OPEN_RULES = RuleSet()


def ordinary(fan: int, fu: int, rules: RuleSet = OPEN_RULES) -> HandValue:
    limit, base = limit_of(rules, fan, fu)
    return HandValue((), fan, fu, 0, limit, base)


def paid(value: HandValue, *, winner: int, target: int, honba: int = 0, sticks: int = 0) -> str:
    deltas, _ = win_payments(OPEN_RULES, value, winner, target, 0, honba, sticks, ())
    return " ".join(str(change) for change in deltas)


def cell_of(value: HandValue) -> str:
    """Return the payments of a hand as a cell of the table. Seat 0 deals."""
    ron = -int(paid(value, winner=1, target=2).split()[2])
    dealer, _, other, _ = (-int(x) for x in paid(value, winner=1, target=1).split())
    dealer_ron = -int(paid(value, winner=0, target=2).split()[2])
    each = -int(paid(value, winner=0, target=0).split()[2])
    return f"{ron} {other}/{dealer} {dealer_ron} {each}"


def agrees(cell: str, expected: str) -> bool:
    """Return whether the cells are equal wherever a value is expected."""
    return all(want in ("-", got) for want, got in zip(expected.split(), cell.split(), strict=True))


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_worked_example(row: ScoringRow) -> None:
    value = value_of(row.context)
    if not row.yaku:
        assert value is None, f"{row.id} may not be won with, but is {value}"
        return
    assert value is not None, f"{row.id} has no value"
    assert sorted(value.yaku) == sorted(row.yaku), row.id
    worth = f"{value.yakuman} yakuman" if value.yakuman else f"{value.fan}/{value.fu}"
    assert worth == row.worth, row.id
    deltas, liable = win_payments(
        row.rules,
        value,
        row.winner,
        row.target,
        0,
        row.context.honba,
        row.sticks,
        row.liable,
    )
    assert deltas == row.deltas, row.id
    assert liable == row.applied, row.id


def test_no_worked_example_is_doubled() -> None:
    ids = [row.id for row in ROWS]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(("fu", "han", "expected"), CELLS)
def test_points_table(fu: int, han: int, expected: str) -> None:
    value = ordinary(han, fu)
    assert value.limit == ("mangan" if expected == "mangan" else "")
    assert agrees(cell_of(value), LIMITS.get(expected, expected))


@pytest.mark.parametrize(("han", "limit"), HAN_OF_LIMITS)
def test_limits_table(han: int, limit: str) -> None:
    value = ordinary(han, 30)
    assert value.limit == limit
    assert cell_of(value) == LIMITS[limit]


def test_a_yakuman_pays_as_a_counted_one() -> None:
    value = HandValue((("daisangen", 1),), 0, 40, 1, "yakuman", 8_000)
    assert cell_of(value) == LIMITS["kazoe_yakuman"]


def test_counted_yakuman_may_be_held_to_sanbaiman() -> None:
    assert limit_of(RuleSet(kazoe="sanbaiman"), 14, 30) == ("sanbaiman", 6_000)


@pytest.mark.parametrize(("fan", "fu"), [(4, 30), (3, 60)])
def test_rounding_up_to_mangan(fan: int, fu: int) -> None:
    assert limit_of(RuleSet(), fan, fu) == ("", 1_920)
    assert limit_of(RuleSet(kiriage_mangan=True), fan, fu) == ("mangan", 2_000)


def test_more_han_or_fu_never_pay_less() -> None:
    for fan in range(1, 15):
        by_fu = [limit_of(OPEN_RULES, fan, fu)[1] for fu in range(20, 140, 10)]
        assert all(less <= more for less, more in pairwise(by_fu))
    by_fan = [limit_of(OPEN_RULES, fan, 30)[1] for fan in range(1, 15)]
    assert all(less <= more for less, more in pairwise(by_fan))


@pytest.mark.parametrize(("fan", "fu"), [(1, 30), (2, 25), (3, 40), (4, 30), (5, 30), (13, 30)])
@pytest.mark.parametrize("winner", range(4))
@pytest.mark.parametrize("target", range(4))
def test_a_win_moves_points_and_takes_sticks(fan: int, fu: int, winner: int, target: int) -> None:
    value = ordinary(fan, fu)
    deltas, liable = win_payments(OPEN_RULES, value, winner, target, 0, 2, 3, ())
    assert liable == -1
    assert sum(deltas) == 3_000
    gain = hand_points(OPEN_RULES, value, winner == 0, winner == target) + 600 + 3_000
    assert deltas[winner] == gain
    losers = [seat for seat in range(4) if deltas[seat] < 0]
    expected = [target] if target != winner else [seat for seat in range(4) if seat != winner]
    assert losers == expected


def test_value_of_a_counter_follows_the_rules() -> None:
    rules = RuleSet(honba_points=1_500)
    deltas, _ = win_payments(rules, ordinary(1, 30), 1, 1, 0, 2, 0, ())
    assert deltas == (-500 - 1_000, 1_100 + 3_000, -300 - 1_000, -300 - 1_000)


def test_two_winners_each_with_honba() -> None:
    """P21: the nearest winner gets the sticks, each winner the honba."""
    first, _ = win_payments(OPEN_RULES, ordinary(1, 30), 1, 0, 2, 2, 1, ())
    second, _ = win_payments(OPEN_RULES, ordinary(2, 30), 2, 0, 2, 2, 0, ())
    assert first == (-1_600, 2_600, 0, 0)
    assert second == (-3_500, 0, 3_500, 0)


def test_two_winners_with_honba_for_the_nearest_only() -> None:
    """P22: the second winner gets neither honba nor sticks."""
    second, _ = win_payments(OPEN_RULES, ordinary(2, 30), 2, 0, 2, 0, 0, ())
    assert second == (-2_900, 0, 2_900, 0)


DAISANGEN = HandValue((("daisangen", 1),), 0, 40, 1, "yakuman", 8_000)
TWO_YAKUMAN = HandValue((("daisangen", 1), ("suukantsu", 1)), 0, 40, 2, "yakuman", 16_000)


def test_nobody_is_liable_for_a_yakuman_not_scored() -> None:
    """T41: pao applies only if the hand scores the yakuman of the liability."""
    deltas, liable = win_payments(OPEN_RULES, ordinary(5, 30), 1, 2, 0, 0, 0, (("daisangen", 3),))
    assert (deltas, liable) == ((0, 8_000, -8_000, 0), -1)


def test_a_liable_seat_that_deals_in_pays_all_once() -> None:
    """T39: a seat that is both liable and the discarder pays the hand once."""
    for honba_payer in ("discarder", "pao_player"):
        rules = msgspec.structs.replace(OPEN_RULES, pao_honba=honba_payer)
        deltas, liable = win_payments(rules, DAISANGEN, 1, 3, 0, 2, 1, (("daisangen", 3),))
        assert (deltas, liable) == ((0, 33_600, 0, -32_600), 3)


def test_two_liable_seats_pay_their_own_yakuman() -> None:
    """T40: under separate responsibility each liable seat pays for its own yakuman."""
    rules = RuleSet(pao_composite="own_yakuman", pao_suukantsu=True)
    liable = (("daisangen", 2), ("suukantsu", 3))
    assert win_payments(rules, TWO_YAKUMAN, 1, 1, 0, 1, 0, liable) == (
        (0, 64_300, -32_300, -32_000),
        2,
    )
    assert win_payments(rules, TWO_YAKUMAN, 1, 0, 0, 0, 0, liable) == (
        (-32_000, 64_000, -16_000, -16_000),
        2,
    )


def test_one_liable_seat_pays_all_and_two_their_own() -> None:
    """T40 and T44 in the classic rules: one liable seat pays all, two pay their own yakuman
    each."""
    rules = preset("classic")
    alone = (("daisangen", 2),)
    pays_all = ((0, 64_300, -64_300, 0), 2)
    assert win_payments(rules, TWO_YAKUMAN, 1, 1, 0, 1, 0, alone) == pays_all
    halves = ((-32_300, 64_300, -32_000, 0), 2)
    assert win_payments(rules, TWO_YAKUMAN, 1, 0, 0, 1, 0, alone) == halves
    same_seat = (("daisangen", 2), ("suukantsu", 2))
    assert win_payments(rules, TWO_YAKUMAN, 1, 1, 0, 1, 0, same_seat) == pays_all
    two = (("daisangen", 2), ("suukantsu", 3))
    each = ((0, 64_000, -32_000, -32_000), 2)
    assert win_payments(rules, TWO_YAKUMAN, 1, 1, 0, 0, 0, two) == each


def test_first_liable_seat_pays_the_whole_hand() -> None:
    """T40 and T44: with several liable seats, the first one pays the whole hand."""
    rules = RuleSet(pao_composite="whole_hand", pao_suukantsu=True)
    liable = (("daisuushi", 0), ("suukantsu", 3), ("daisangen", 2))
    deltas, seat = win_payments(rules, TWO_YAKUMAN, 1, 1, 0, 1, 0, liable)
    assert (deltas, seat) == ((0, 64_300, 0, -64_300), 3)


def test_first_liable_seat_pays_yakuman_that_do_not_add_up() -> None:
    rules = RuleSet(pao_composite="own_yakuman", yakuman_add_up=False)
    single = msgspec.structs.replace(TWO_YAKUMAN, yakuman=1, base=8_000)
    liable = (("daisangen", 2), ("suukantsu", 3))
    assert win_payments(rules, single, 1, 1, 0, 0, 0, liable) == ((0, 32_000, -32_000, 0), 2)


@pytest.mark.parametrize(
    ("tenpais", "deltas"),
    [
        ((False, False, False, False), (0, 0, 0, 0)),
        ((False, True, False, False), (-1_000, 3_000, -1_000, -1_000)),
        ((True, True, False, False), (1_500, 1_500, -1_500, -1_500)),
        ((True, True, False, True), (1_000, 1_000, -3_000, 1_000)),
        ((True, True, True, True), (0, 0, 0, 0)),
    ],
)
def test_noten_payments(tenpais: tuple[bool, ...], deltas: tuple[int, ...]) -> None:
    """P19: noten seats pay 3,000 together, tenpai seats share them."""
    assert noten_payments(OPEN_RULES, tenpais) == deltas
    assert noten_payments(RuleSet(noten_payments=(0, 0, 0)), tenpais) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    "payments",
    [(300, 500, 900), (500, 700, 1_500), (600, 1_000, 1_800), (1_300, 2_000, 3_900)],
)
def test_each_noten_seat_pays_its_number(payments: tuple[int, int, int]) -> None:
    rules, (one, two, three) = RuleSet(noten_payments=payments), payments
    assert not contradictions(rules)
    assert noten_payments(rules, (True, False, False, False)) == (3 * one, -one, -one, -one)
    assert noten_payments(rules, (False, True, False, True)) == (-two, two, -two, two)
    third = three // 3
    assert noten_payments(rules, (True, True, False, True)) == (third, third, -three, third)


def test_nagashi_mangan_is_paid_as_a_self_drawn_mangan() -> None:
    """P23: nagashi mangan moves the points of a self-drawn mangan."""
    assert nagashi_payments(RuleSet(), 0, (1,)) == (-4_000, 8_000, -2_000, -2_000)
    assert nagashi_payments(RuleSet(), 0, (0,)) == (12_000, -4_000, -4_000, -4_000)


def test_two_nagashi_mangan_offset_each_other() -> None:
    assert nagashi_payments(RuleSet(), 0, (1, 2)) == (-8_000, 6_000, 6_000, -4_000)


PLAIN = RuleSet(uma=(15, 5, -5, -15), oka=0, rounding="none", ties="share")


def points_of(rules: RuleSet, *scores: int, kyotaku: int = 0) -> list[tuple[int, float]]:
    east, south, west, north = scores
    return list(final_placement(rules, (east, south, west, north), kyotaku)[1])


def test_ranking_with_oka_and_uma() -> None:
    ranked = points_of(OPEN_RULES, 32_000, 21_000, 24_000, 23_000)
    assert ranked == [(1, 42.0), (4, -29.0), (2, 4.0), (3, -17.0)]


def test_ranking_without_rounding_keeps_hundreds() -> None:
    ranked = points_of(PLAIN, 30_100, 45_300, 29_900, 14_700)
    assert ranked == [(2, 5.1), (1, 30.3), (3, -5.1), (4, -30.3)]


def test_half_rounds_away_from_zero_and_first_place_balances() -> None:
    rules = RuleSet(rounding="half_up")
    ranked = points_of(rules, 41_500, 27_500, 25_600, 5_400)
    assert ranked == [(1, 51.0), (2, 8.0), (3, -14.0), (4, -45.0)]
    below_zero = points_of(rules, 61_000, 30_000, 10_500, -1_500)
    assert below_zero == [(1, 71.0), (2, 10.0), (3, -29.0), (4, -52.0)]


def test_five_hundred_may_round_down() -> None:
    rules = RuleSet(rounding="five_down_six_up")
    ranked = points_of(rules, 41_500, 27_500, 25_600, 5_400)
    assert ranked == [(1, 52.0), (2, 7.0), (3, -14.0), (4, -45.0)]
    below_zero = points_of(rules, 61_000, 30_000, 10_500, -1_500)
    assert below_zero == [(1, 71.0), (2, 10.0), (3, -30.0), (4, -51.0)]


@pytest.mark.parametrize(
    ("score", "half_up", "five_down"),
    [
        (12_000, 12, 12),
        (25_400, 25, 25),
        (25_500, 26, 25),
        (25_600, 26, 26),
        (-400, 0, 0),
        (-500, -1, 0),
        (-15_500, -16, -15),
        (-15_600, -16, -16),
    ],
)
def test_scores_round_alike_on_both_sides_of_zero(score: int, half_up: int, five_down: int) -> None:
    for rounding, thousands in (("half_up", half_up), ("five_down_six_up", five_down)):
        rules = msgspec.structs.replace(OPEN_RULES, rounding=rounding)
        ranked = points_of(rules, 73_000 - score, 27_000, 0, score)
        bonus = {2: 10, 3: -10, 4: -20}[ranked[3][0]]
        assert ranked[3][1] == thousands - 30 + bonus
        assert sum(points for _, points in ranked) == 0


def test_an_earlier_seat_ranks_higher_in_a_tie() -> None:
    ranked = points_of(OPEN_RULES, 25_000, 25_000, 25_000, 25_000)
    assert ranked == [(1, 35.0), (2, 5.0), (3, -15.0), (4, -25.0)]


def test_tied_seats_share_their_places() -> None:
    """P20: tied seats share their places and the uma of these places."""
    rules = RuleSet(uma=(30, 10, -10, -30), oka=0, rounding="none", ties="share")
    ranked = points_of(rules, 35_000, 20_000, 35_000, 30_000)
    assert ranked == [(1, 25.0), (4, -40.0), (1, 25.0), (3, -10.0)]


def test_tied_first_seats_share_the_oka() -> None:
    rules = RuleSet(uma=(20, 10, -10, -20), oka=20_000, rounding="none", ties="share")
    ranked = points_of(rules, 30_000, 30_000, 25_000, 15_000)
    assert ranked == [(1, 25.0), (1, 25.0), (3, -15.0), (4, -35.0)]


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((41_200, 30_500, 27_300, 21_000), [8, 4, -4, -8]),
        ((30_500, 41_200, 30_000, 18_300), [3, 8, 1, -12]),
        ((62_000, 20_000, 19_000, 19_000), [12, -1, -3, -8]),
    ],
)
def test_floating_uma_depends_on_the_number_of_floaters(
    scores: BySeat[int], expected: list[int]
) -> None:
    """P25: the uma depends on the number of floating seats."""
    rows = ((0,) * 4, (12, -1, -3, -8), (8, 4, -4, -8), (8, 3, 1, -12), (0,) * 4)
    rules = RuleSet(floating_uma=rows, oka=0, rounding="none")
    ranked = points_of(rules, *scores)
    uma = [
        points - (score - 30_000) / 1_000 for (_, points), score in zip(ranked, scores, strict=True)
    ]
    assert uma == pytest.approx(expected)


@pytest.mark.parametrize(
    ("leftover", "expected"),
    [
        ("winner", (31_000, 31_000, 31_000, 10_000)),
        ("split_tied", (31_000, 31_000, 31_000, 10_000)),
        ("void", (30_000, 30_000, 30_000, 10_000)),
    ],
)
def test_leftover_sticks(leftover: str, expected: tuple[int, ...]) -> None:
    rules = msgspec.structs.replace(PLAIN, leftover_sticks=leftover)
    final, _ = final_placement(rules, (30_000, 30_000, 30_000, 10_000), 3)
    assert final == expected


def test_leftover_sticks_go_to_the_earliest_of_tied_seats() -> None:
    final, placement = final_placement(OPEN_RULES, (10_000, 29_000, 29_000, 29_000), 3)
    assert final == (10_000, 32_000, 29_000, 29_000)
    assert [place for place, _ in placement] == [4, 1, 2, 3]


@pytest.mark.parametrize(
    ("sticks", "shares"),
    [(1, (400, 300, 300)), (2, (700, 700, 600)), (3, (1_000, 1_000, 1_000))],
)
def test_sticks_between_three_are_split_in_hundreds(
    sticks: int, shares: tuple[int, int, int]
) -> None:
    rules = RuleSet(leftover_sticks="split_tied")
    final, _ = final_placement(rules, (10_000, 29_000, 29_000, 29_000), sticks)
    assert final == (10_000, *(29_000 + share for share in shares))


def test_decimals_of_a_shared_stick_are_lost_in_ema_2025() -> None:
    final, placement = final_placement(preset("ema-2025"), (30_000, 30_000, 30_000, 29_000), 1)
    assert final == (30_333, 30_333, 30_333, 29_000)
    assert placement == ((1, 5.333), (1, 5.333), (1, 5.333), (4, -16.0))


def test_leftover_sticks_break_no_m_league_tie_of_three() -> None:
    """Three seats share uma of 30 and oka of 20: each gets 10, and 6.7, 6.7 or 6.6."""
    final, placement = final_placement(preset("m-league"), (26_000, 26_000, 26_000, 20_000), 2)
    assert final == (26_700, 26_700, 26_600, 20_000)
    assert placement == ((1, 13.4), (1, 13.4), (1, 13.2), (4, -40.0))
    assert sum(round(1_000 * points) for _, points in placement) == 0


def test_leftover_sticks_given_to_winner_break_no_tie() -> None:
    rules = msgspec.structs.replace(PLAIN, leftover_sticks="winner")
    final, placement = final_placement(rules, (35_000, 35_000, 29_000, 20_000), 1)
    assert final == (35_500, 35_500, 29_000, 20_000)
    assert placement == ((1, 15.5), (1, 15.5), (3, -6.0), (4, -25.0))


def test_two_tied_first_share_oka_despite_a_leftover_stick() -> None:
    """P20, from document 001, 3.6.1."""
    rules = preset("ema-2012")
    scores = (35_000, 35_000, 29_000, 20_000)
    _, placement = final_placement(rules, scores, 1)
    assert placement[:2] == ((1, 5.5 + 20.0), (1, 5.5 + 20.0))
    assert [uma for uma, _ in final_bonus(rules, scores)] == [20.0, 20.0, -10.0, -30.0]


def test_leftover_sticks_lift_nobody_over_the_floating_line() -> None:
    rows = ((0,) * 4, (12, -1, -3, -8), (8, 4, -4, -8), (8, 3, 1, -12), (0,) * 4)
    rules = RuleSet(floating_uma=rows, oka=0, rounding="none", leftover_sticks="winner")
    ranked = points_of(rules, 29_500, 29_400, 29_300, 29_200, kyotaku=1)
    assert [points for _, points in ranked] == [0.5, -0.6, -0.7, -0.8]


@pytest.mark.parametrize("rounding", ["none", "half_up", "five_down_six_up"])
@pytest.mark.parametrize("leftover", ["winner", "split_tied"])
@pytest.mark.parametrize(
    "scores",
    [
        (26_000, 26_000, 26_000, 20_000),
        (20_000, 26_000, 26_000, 26_000),
        (24_500, 24_500, 24_500, 24_500),
        (38_300, 19_900, 19_900, 19_900),
        (41_100, 20_500, 20_500, 15_900),
    ],
)
def test_points_sum_to_zero_and_tied_seats_share_evenly(
    scores: BySeat[int], leftover: str, rounding: str
) -> None:
    changes = {"leftover_sticks": leftover, "rounding": rounding, "uma": (20, 10, -5, -25)}
    rules = msgspec.structs.replace(preset("m-league"), **changes)
    _, placement = final_placement(rules, scores, 2)
    assert sum(round(1_000 * points) for _, points in placement) == 0
    bonus = final_bonus(rules, scores)
    for seat, score in enumerate(scores):
        tied = [other for other in range(4) if scores[other] == score]
        assert {placement[other][0] for other in tied} == {placement[seat][0]}
        for share in zip(*(bonus[other] for other in tied), strict=True):
            assert max(share) - min(share) < 0.11
            assert list(share) == sorted(share, reverse=True)


def test_leftover_sticks_go_to_the_leader_without_them() -> None:
    final, placement = final_placement(OPEN_RULES, (20_000, 39_500, 20_000, 18_500), 2)
    assert final == (20_000, 41_500, 20_000, 18_500)
    assert placement[1][0] == 1
    assert sum(points for _, points in placement) == 0


def test_liable_seat_pays_for_rinshan_after_an_open_kan() -> None:
    """S28: the seat that discarded the tile of the kan pays the value of a self-draw alone."""
    mangan = HandValue((("rinshan", 1), ("chinitsu", 5)), 5, 30, 0, "mangan", 2_000)
    rules = RuleSet(pao_rinshan=True)
    deltas, liable = win_payments(rules, mangan, 1, 1, 0, 0, 0, (("rinshan", 3),))
    assert (deltas, liable) == ((0, 8_000, 0, -8_000), 3)


def test_liable_seat_and_discarder_share_an_ordinary_hand() -> None:
    """If half of the points is no multiple of 100, the discarder pays the larger part."""
    value = HandValue((("houtei", 1), ("chun", 1), ("dora", 1)), 3, 30, 0, "", 960)
    liable = (("risky_last_tiles", 2),)
    deltas, _ = win_payments(RuleSet(), value, 1, 3, 0, 0, 0, liable)
    assert deltas == (0, 3_900, -1_900, -2_000)
    deltas, _ = win_payments(RuleSet(), value, 1, 2, 0, 0, 0, liable)
    assert deltas == (0, 3_900, -3_900, 0)


def test_pao_for_chinitsu_needs_a_hand_that_scores_it() -> None:
    plain = HandValue((("honitsu", 2),), 2, 30, 0, "", 480)
    deltas, liable = win_payments(RuleSet(), plain, 1, 1, 0, 0, 0, (("chinitsu", 3),))
    assert (deltas, liable) == ((-1_000, 2_000, -500, -500), -1)
