"""The rules of three players, at staged hands: norths set aside, payments, aborts, the deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from game.engine import actions
from game.engine.by_seat import BySeat
from game.engine.consistency import contradictions
from game.engine.events import DoraRevealed, Drawn, NorthSetAside
from game.engine.legal import legal
from game.engine.perspective import SPECTATOR, view
from game.engine.points import final_placement, nagashi_payments, noten_payments, win_payments
from game.engine.presets import PRESETS_OF_THREE, preset
from game.engine.progress import Deal, next_deal
from game.engine.rules import RuleSet
from game.engine.state import Phase
from game.engine.value import HandValue
from tests.kit.play import Play, stage

RULES = preset("tenhou-3")
MANGAN = HandValue((("riichi", 5),), 5, 30, 0, "mangan", 2_000)
YAKUMAN = HandValue((("daisangen", 1),), 0, 30, 1, "yakuman", 8_000)
NO_HAND = "19m46p147s26sEWPF"
OTHER = "19m24p36s8s369pSWC"
"""Hands that are not near tenpai."""


def of_three(
    hands: Sequence[str],
    draws: str = "",
    *,
    rules: RuleSet = RULES,
    scores: BySeat[int] = (35_000, 35_000, 35_000),
    **more: Any,
) -> Play:
    return stage(hands, draws, rules=rules, scores=scores, **more)


def north_that_riichi_waits_for(rules: RuleSet = RULES) -> Play:
    """Let East set a north aside in its second turn. South, in riichi since its first, waits for
    it."""
    hands = ("19m147p147s2sESWN", "123p456p789p99sNN", "")
    play = of_three(hands, "9s E 9m 9m", rules=rules)
    play.discard(0, "9s")
    play.riichi(1, "E")
    play.discard_in_turn("9m")
    play.set_north_aside(0)
    return play


# Norths set aside


def test_north_is_set_aside_for_a_replacement_tile() -> None:
    play = of_three(("19m147p147s2sESWN",), "9s", rinshan="F")
    assert "north" in play.offered(0)
    play.set_north_aside(0)
    assert play.table.phase == Phase.CLAIMS
    play.proceed()
    assert (play.hand(0).norths, play.drawn, play.table.left) == (1, "F", 53)
    assert play.table.rinshan
    assert not play.hand(0).melds
    assert not play.table.unbroken


def test_others_see_the_north_and_not_the_replacement() -> None:
    play = of_three(("19m147p147s2sESWN",), "9s", rinshan="F")
    play.set_north_aside(0)
    play.proceed()
    seen = view(play.table, SPECTATOR)
    assert seen.hands[0].norths == 1
    assert seen.drawn != play.table.drawn
    assert legal(view(play.table, 0), 0) == legal(play.table, 0)


def test_north_is_not_set_aside_after_a_pon_or_on_the_last_tile() -> None:
    play = of_three(("PP19m147p147s2sSN", "19m258p258s3s6s9pPE"), "9s P")
    play.discard(0, "9s")
    play.discard(1, "P")
    play.pon(0, "PP")
    assert play.offered(0) == set()
    code, _ = play.refusal_of(0, actions.SetNorthAside())
    assert code == "after_call"
    play = of_three(("19m147p147s2sESWN", "", "19m258p258s36s9pEN"), "9s")
    play.tsumogiri_until_left(1)
    assert "north" in play.offered(2)
    play.tsumogiri_until_left(0)
    assert "north" not in play.offered(0)
    code, _ = play.refusal_of(0, actions.SetNorthAside())
    assert code == "last_tile"


def test_riichi_allows_only_the_north_just_drawn() -> None:
    play = of_three(("123p456p789p1199s", "", ""), "E 1m 9m N")
    play.riichi(0, "E")
    play.discard_in_turn("1m 9m")
    assert play.drawn == "N"
    assert "north" in play.offered(0)
    held = of_three(("123p456p789p99sNN", "", ""), "E 1m 9m C")
    held.riichi(0, "E")
    held.discard_in_turn("1m 9m")
    assert "north" not in held.offered(0)
    code, _ = held.refusal_of(0, actions.SetNorthAside())
    assert code == "in_riichi"


def test_robbed_north_counts_for_nobody_and_is_no_chankan() -> None:
    play = north_that_riichi_waits_for()
    play.ron(1)
    assert play.yaku == {"daburu", "ippatsu", "ittsuu"}
    assert play.hand(0).norths == 0
    assert play.win.target == 0


def test_passing_on_a_north_is_furiten() -> None:
    play = north_that_riichi_waits_for()
    play.let_pass(1)
    play.proceed()
    assert play.hand(1).missed


def test_own_norths_make_no_furiten() -> None:
    play = of_three(("123p456p789p99sNN", "19m147p147s2sESWN", ""), "N 1m 9m 1m", rinshan="E")
    play.set_north_aside(0)
    play.riichi(0, "E")
    play.proceed()
    play.set_north_aside(1)
    assert play.offered(0) == {"ron"}


def test_win_on_the_replacement_is_rinshan_unless_switched_off() -> None:
    hands = ("123p456p789p99s12s", "", "")
    for is_on in (True, False):
        rules = replace(RULES, nuki_rinshan=is_on)
        play = of_three(hands, "N", rinshan="3s", rules=rules)
        play.set_north_aside(0)
        play.tsumo(0)
        assert ("rinshan" in play.yaku) == is_on
        assert ("nukidora", 1) in play.win.yaku


@pytest.mark.parametrize("is_on", [True, False])
def test_north_interrupts_the_first_turn(is_on: bool) -> None:
    rules = replace(RULES, nuki_interrupts=is_on)
    play = of_three(("", "123p456p789p1199s", ""), "N E", rinshan="1m", rules=rules)
    play.set_north_aside(0)
    play.discard(0, "1m")
    play.riichi(1, "E")
    assert play.hand(1).double_riichi is not is_on


@pytest.mark.parametrize(
    ("ron", "may"), [("any_hand", True), ("kokushi_only", False), ("off", False)]
)
def test_switch_says_which_hands_rob_a_north(ron: str, may: bool) -> None:
    rules = replace(RULES, nuki_ron=ron)
    play = of_three(("19m147p147s2sESWN", "SS123p456p234sNN", ""), "9s 9m", rules=rules)
    play.discard(0, "9s")
    play.tsumogiri(2)
    play.set_north_aside(0)
    assert not play.offered(1), "without a yaku nobody wins"
    kokushi = of_three(("147p147s2sESWN19p", "19m19p19sESWPFCC", ""), "2p", rules=rules)
    kokushi.set_north_aside(0)
    assert bool(kokushi.offered(1)) == (ron != "off")
    assert bool(north_that_riichi_waits_for(rules).offered(1)) is may


def test_pending_kan_dora_is_turned_with_the_north() -> None:
    play = of_three(("PPP19m147p14s2sEN", "19m258p258s369pWW"), "9s P", rinshan="E F")
    play.discard(0, "9s")
    play.discard(1, "P")
    play.kan(0, "PPP")
    play.set_north_aside(0)
    play.proceed()
    kinds = [type(event) for event in play.events][-3:]
    assert kinds == [NorthSetAside, DoraRevealed, Drawn]


def test_west_indicator_doubles_every_north() -> None:
    play = of_three(("123p456p789p99s12s", "", ""), "N", rinshan="3s", dora="W")
    play.set_north_aside(0)
    play.tsumo(0)
    assert {("nukidora", 1), ("dora", 1)} <= set(play.win.yaku)


def test_one_of_characters_indicates_nine() -> None:
    play = of_three(("123p456p789p99m12s", "", ""), "E S W 3s", dora="1m")
    play.discard_in_turn("E S W")
    play.tsumo(0)
    assert ("dora", 2) in play.win.yaku


def test_four_norths_and_four_kans_use_eight_replacements() -> None:
    play = of_three(
        ("111p222p333p4sNNN", "19m19s469pESWPFC", "19m19s568p78pESWP"),
        "N",
        rinshan="1p 2p 3p 4s 4s 4s 5s 6s",
    )
    for _ in range(4):
        play.set_north_aside(0)
    for quad in ("1111p", "2222p", "3333p", "4444s"):
        play.ankan(0, quad)
    play.proceed()
    assert (play.hand(0).norths, play.table.supplements, play.drawn) == (4, 8, "6s")
    assert play.table.left == 54 - 8
    assert len(play.table.dora) == 5
    assert all(word.startswith("riichi") for word in play.offered(0))


def test_north_can_be_called_from_a_discard() -> None:
    play = of_three(("19m147p147s2sESWN", "123p456p9s9mWSNNN", ""), "9s")
    play.discard(0, "N")
    assert {"pon NN", "kan NNN"} <= play.offered(1)
    play.kan(1, "NNN")
    assert play.hand(1).norths == 0


# Calls, aborts, draws


def test_three_players_have_no_chi() -> None:
    play = of_three(("", "1123p19m147s258sE", ""), "1p")
    play.discard(0, "1p")
    assert play.offered(1) == {"pon 11p"}
    code, _ = play.refusal_of(1, actions.CallChi((20, 22)))
    assert code == "no_chi"


def test_own_north_ends_the_right_to_nine_kinds() -> None:
    play = of_three(("19m19p19sESWN147s",), "P", rinshan="F")
    assert "kyushu" in play.offered(0)
    play.set_north_aside(0)
    play.proceed()
    assert "kyushu" not in play.offered(0)


def test_four_kans_of_two_players_end_the_hand() -> None:
    play = of_three(
        ("1111p2222p147s9sE", "3333p4444p19m1s5s8s", "19m69p69s25sSWPFC"),
        "9m 9m",
        rinshan="F C E S W",
    )
    play.ankan(0, "1111p")
    play.ankan(0, "2222p")
    play.discard(0, "9m")
    play.proceed()
    play.ankan(1, "3333p")
    play.ankan(1, "4444p")
    play.discard(1, play.drawn)
    play.proceed()
    assert play.ended_by == "sukaikan"


def test_three_riichi_play_on() -> None:
    ready = ("123p456p789p1199s", "123p456p789p2288s", "345s567s444s9m9mEE")
    play = of_three(ready, "S W P")
    for seat, tile in enumerate(("S", "W", "P")):
        play.riichi(seat, tile)
    play.proceed()
    assert play.table.phase == Phase.TURN
    assert play.table.kyotaku == 3


@pytest.mark.parametrize(("seat", "left", "may"), [(0, 3, True), (1, 2, False)])
def test_riichi_needs_three_tiles_in_the_wall(seat: int, left: int, may: bool) -> None:
    hands = ["", "", ""]
    hands[seat] = "123p456p789p1199s"
    play = of_three(hands)
    play.tsumogiri_until_left(left)
    assert (play.table.turn, play.table.left) == (seat, left)
    assert any(words.startswith("riichi") for words in play.offered(seat)) is may


# Points


SHARES = {
    "loss": ((-4_000, 6_000, -2_000), (8_000, -4_000, -4_000)),
    "split_half": ((-5_000, 8_000, -3_000), (12_000, -6_000, -6_000)),
    "split_equal": ((-4_000, 8_000, -4_000), (12_000, -6_000, -6_000)),
    "dealer_pays": ((-6_000, 8_000, -2_000), (12_000, -6_000, -6_000)),
    "add_1000": ((-5_000, 8_000, -3_000), (10_000, -5_000, -5_000)),
}


@pytest.mark.parametrize("switch", SHARES)
def test_mangan_by_self_draw_is_shared_as_the_switch_says(switch: str) -> None:
    rules = replace(RULES, tsumo_with_three=switch)
    other, dealer = SHARES[switch]
    assert win_payments(rules, MANGAN, 1, 1, 0, 0, 0, ())[0] == other
    assert win_payments(rules, MANGAN, 0, 0, 0, 0, 0, ())[0] == dealer
    assert win_payments(rules, MANGAN, 1, 2, 0, 0, 0, ())[0] == (0, 8_000, -8_000)


def test_honba_is_100_from_each_payer_or_whole() -> None:
    assert win_payments(RULES, MANGAN, 1, 1, 0, 2, 0, ())[0] == (-4_200, 6_400, -2_200)
    assert win_payments(RULES, MANGAN, 1, 2, 0, 2, 0, ())[0] == (0, 8_400, -8_400)
    kansai = PRESETS_OF_THREE["kansai"]
    assert win_payments(kansai, MANGAN, 1, 1, 0, 1, 0, ())[0] == (-5_000, 10_000, -5_000)
    assert win_payments(kansai, MANGAN, 1, 2, 0, 1, 0, ())[0] == (0, 9_000, -9_000)


def test_liable_player_pays_a_self_draw_with_the_loss() -> None:
    liable = (("daisangen", 2),)
    dealer, seat = win_payments(RULES, YAKUMAN, 0, 0, 0, 1, 0, liable)
    assert (dealer, seat) == ((32_200, 0, -32_200), 2)
    other, _ = win_payments(RULES, YAKUMAN, 1, 1, 0, 1, 0, liable)
    assert other == (0, 24_200, -24_200)
    ron, _ = win_payments(RULES, YAKUMAN, 1, 0, 0, 1, 0, liable)
    assert ron == (-16_000, 32_200, -16_200)


def test_noten_and_nagashi_payments() -> None:
    assert noten_payments(RULES, (True, False, False)) == (2_000, -1_000, -1_000)
    assert noten_payments(RULES, (True, False, True)) == (1_000, -2_000, 1_000)
    assert noten_payments(RULES, (True, True, True)) == (0, 0, 0)
    assert nagashi_payments(RULES, 0, (1,)) == (-4_000, 6_000, -2_000)
    assert nagashi_payments(RULES, 0, (0, 1)) == (4_000, 2_000, -6_000)


def test_final_points_are_rounded_for_all_but_the_first() -> None:
    _, placement = final_placement(RULES, (47_200, 31_900, 25_900), 0)
    assert placement == ((1, 42.0), (2, -8.0), (3, -34.0))


def test_tie_goes_to_the_earlier_seat() -> None:
    _, placement = final_placement(RULES, (30_000, 37_500, 37_500), 0)
    assert [place for place, _ in placement] == [3, 1, 2]


def test_score_of_exactly_zero_plays_on_unless_switched() -> None:
    for rules, is_over in ((RULES, False), (PRESETS_OF_THREE["kansai"], True)):
        play = of_three(
            ("123p678p789p1199s", NO_HAND, OTHER), "S", rules=rules, scores=(52_000, 52_000, 1_000)
        )
        play.play_to_exhaustive_draw()
        assert play.table.scores[2] == 0
        assert play.is_over is is_over


# The deal


def test_south_follows_the_third_hand_of_east() -> None:
    play = of_three(("123p456p789p99s12s", "", ""), "", kyoku=2)
    assert (play.table.dealer, play.table.wind_of(0), play.table.wind_of(1)) == (2, 28, 29)
    play.play_to_exhaustive_draw()
    assert next_deal(play.table) == Deal(4, 1)


def test_west_is_played_below_the_goal() -> None:
    play = of_three((), "", kyoku=6)
    play.play_to_exhaustive_draw()
    assert next_deal(play.table) == Deal(8, 1)
    play = of_three((), "", kyoku=6, scores=(40_000, 40_000, 25_000))
    play.play_to_exhaustive_draw()
    assert play.is_over


@pytest.mark.parametrize(
    ("name", "switch", "value", "code"),
    [
        ("tenhou-3", "sufon_renda", True, "not_with_players"),
        ("tenhou-3", "sucha_riichi", True, "not_with_players"),
        ("tenhou-3", "sanchaho", True, "not_with_players"),
        ("tenhou-3", "kuikae_other_end", True, "not_with_players"),
        ("tenhou", "nukidora", "north", "not_with_players"),
        ("tenhou-3", "uma", (20, 10, -10, -20), "number_count"),
        ("tenhou-3", "red_fives", (1, 1, 1), "no_such_five"),
        ("tenhou-3", "fifth_kan", "use_ura", "fifth_with_three"),
    ],
)
def test_rules_of_another_number_of_players_are_refused(
    name: str, switch: str, value: object, code: str
) -> None:
    found = contradictions(replace(preset(name), **{switch: value}))
    assert [(wrong.switch, wrong.code) for wrong in found] == [(switch, code)]


def test_north_counts_as_a_dragon_where_the_switch_says_so() -> None:
    hands = ("NNN123p456p99s12s", "", "")
    for rules in (RULES, replace(RULES, north_is_yakuhai=True)):
        play = of_three(hands, "E S W 3s", rules=rules)
        play.discard_in_turn("E S W")
        play.tsumo(0)
        assert ("north" in play.yaku) == rules.north_is_yakuhai
