"""Pao in play: who becomes responsible for a yakuman, and what it costs."""

from __future__ import annotations

from game.engine.presets import preset
from game.engine.rules import RuleSet
from tests.kit.play import Play, stage

DRAGONS = "PPFFCC11m45p159s"
"""Three dragon pairs; with the dragons called it waits for 3p and 6p."""
WINDS = "EESSWWNNC159s2p"
"""Four wind pairs; with the winds called it waits for C alone."""


def three_dragons(
    draws: str = "", discarder: int = 2, rules: RuleSet | None = None, honba: int = 0
) -> Play:
    """Stage the three dragon pons of seat 1: P from seat 0, F from seat 2, and C from `discarder`.
    Seat 2 is then on turn, or seat 3 if seat 2 was the discarder."""
    between = "9m" * (discarder - 2)
    play = stage(("", DRAGONS), f"P F {between} C {draws}", rules=rules or RuleSet(), honba=honba)
    play.discard(0, "P")
    play.pon(1, "PP")
    play.discard(1, "1s")
    play.proceed()
    play.discard(2, "F")
    play.pon(1, "FF")
    play.discard(1, "5s")
    play.discard_in_turn(between)
    play.discard(discarder, "C")
    play.pon(1, "CC")
    play.discard(1, "9s")
    play.proceed()
    return play


def test_discarder_of_the_third_dragon_is_liable() -> None:
    assert three_dragons(discarder=2).hand(1).liable == (("daisangen", 2),)
    assert three_dragons(discarder=3).hand(1).liable == (("daisangen", 3),)


def test_liable_player_pays_a_self_draw_alone() -> None:
    play = three_dragons("9m 9m 1m 6p", honba=1)
    play.discard_in_turn("9m 9m 1m")
    play.tsumo(1)
    assert play.win.liable == 2
    assert play.win.deltas == (0, 32_300, -32_300, 0)


def test_liable_player_pays_half_a_ron_and_the_honba() -> None:
    play = three_dragons("9m 6p", honba=2)
    play.discard_in_turn("9m")
    play.discard(3, "6p")
    play.ron(1)
    assert play.win.deltas == (0, 32_600, -16_600, -16_000)


def test_discarder_may_pay_the_honba() -> None:
    play = three_dragons("9m 6p", honba=2, rules=RuleSet(pao_honba="discarder"))
    play.discard_in_turn("9m")
    play.discard(3, "6p")
    play.ron(1)
    assert play.win.deltas == (0, 32_600, -16_000, -16_600)


def test_liable_discarder_pays_the_whole_ron() -> None:
    play = three_dragons("6p", honba=1)
    play.discard(2, "6p")
    play.ron(1)
    assert play.win.deltas == (0, 32_300, -32_300, 0)


def test_without_pao_all_pay_a_self_draw() -> None:
    play = three_dragons("9m 9m 1m 6p", rules=RuleSet(pao_daisangen=False))
    play.discard_in_turn("9m 9m 1m")
    play.tsumo(1)
    assert play.win.deltas == (-16_000, 32_000, -8_000, -8_000)


def test_open_kan_makes_liable() -> None:
    play = stage(("", "PPFFCCC11m45p19s"), "P F C", rinshan="9m")
    play.discard(0, "P")
    play.pon(1, "PP")
    play.discard(1, "1s")
    play.proceed()
    play.discard(2, "F")
    play.pon(1, "FF")
    play.discard(1, "9s")
    play.proceed()
    play.discard(2, "C")
    play.kan(1, "CCC")
    assert play.hand(1).liable == (("daisangen", 2),)


def test_earlier_closed_kans_count_as_exposed() -> None:
    play = stage(("", "PPPFFCC11m45p19s"), "9m P F C")
    play.discard(0, "9m")
    play.ankan(1, "PPPP")
    play.proceed()
    play.discard(1, "9s")
    play.proceed()
    play.discard(2, "F")
    play.pon(1, "FF")
    play.discard(1, "1s")
    play.proceed()
    play.discard(2, "C")
    play.pon(1, "CC")
    assert play.hand(1).liable == (("daisangen", 2),)


def test_drawn_third_dragon_set_makes_nobody_liable() -> None:
    play = stage(("", "PPFFCCC11m45p19s"), "P F 9m 9m 9m C", rinshan="6p")
    play.discard(0, "P")
    play.pon(1, "PP")
    play.discard(1, "1s")
    play.proceed()
    play.discard(2, "F")
    play.pon(1, "FF")
    play.discard(1, "9s")
    play.discard_in_turn("9m 9m 9m")
    play.ankan(1, "CCCC")
    play.tsumo(1)
    assert play.yaku == {"daisangen"}
    assert play.win.liable == -1
    assert play.win.deltas == (-16_000, 32_000, -8_000, -8_000)


def test_added_kan_keeps_the_discarder_liable() -> None:
    play = three_dragons("9m 9m 1m C")
    play.discard_in_turn("9m 9m 1m")
    play.kakan(1, "C")
    play.proceed()
    assert play.hand(1).liable == (("daisangen", 2),)


def test_added_kan_makes_nobody_liable() -> None:
    play = stage(("", "PPFFCC11m45p159s"), "P F 9m 9m 9m P", rinshan="1p")
    play.discard(0, "P")
    play.pon(1, "PP")
    play.discard(1, "1s")
    play.proceed()
    play.discard(2, "F")
    play.pon(1, "FF")
    play.discard(1, "9s")
    play.discard_in_turn("9m 9m 9m")
    play.kakan(1, "P")
    play.proceed()
    assert play.hand(1).liable == ()


def test_second_dragon_and_other_tiles_make_nobody_liable() -> None:
    play = stage(("", "PPFF11m45p159s99m"), "P F 9m")
    play.discard(0, "P")
    play.pon(1, "PP")
    play.discard(1, "1s")
    play.proceed()
    play.discard(2, "F")
    play.pon(1, "FF")
    play.discard(1, "5s")
    play.proceed()
    play.discard(2, "9m")
    play.pon(1, "99m")
    assert play.hand(1).liable == ()


# Four winds


def four_winds(draws: str, rules: RuleSet | None = None) -> Play:
    """Stage the four wind pons of seat 1: E from seat 0 and the other winds from seat 2."""
    hands = ("147m258p369sPFFC", WINDS, "258m369p147sPPFF", "369m147p258sPESW")
    play = stage(hands, f"E S W N {draws}", rules=rules or RuleSet())
    for giver, wind, thrown in ((0, "E", "1s"), (2, "S", "5s"), (2, "W", "9s"), (2, "N", "2p")):
        play.proceed()
        play.discard(giver, wind)
        assert play.hand(1).liable == ()
        play.pon(1, wind * 2)
        play.discard(1, thrown)
    play.proceed()
    return play


def test_discarder_of_the_fourth_wind_is_liable() -> None:
    assert four_winds("9m").hand(1).liable == (("daisuushi", 2),)


def test_pao_covers_the_whole_of_a_composite_hand() -> None:
    play = four_winds("9m 9m 1m C")
    play.discard_in_turn("9m 9m 1m")
    play.tsumo(1)
    assert play.yaku == {"daisuushi", "tsuuiisou"}
    assert play.win.deltas == (0, 64_000, -64_000, 0)


def test_a_composite_hand_ronned_on_another_is_halved() -> None:
    play = four_winds("9m C")
    play.discard_in_turn("9m")
    play.discard(3, "C")
    play.ron(1)
    assert play.win.deltas == (0, 64_000, -32_000, -32_000)


def test_pao_can_cover_its_own_yakuman_only() -> None:
    play = four_winds("9m 9m 1m C", RuleSet(pao_composite="own_yakuman"))
    play.discard_in_turn("9m 9m 1m")
    play.tsumo(1)
    assert play.win.deltas == (-16_000, 64_000, -32_000 - 8_000, -8_000)


def test_three_winds_and_a_pair_make_nobody_liable() -> None:
    play = stage(("", "EESSWWN159s23m2p"), "E S W")
    for giver, wind, thrown in ((0, "E", "1s"), (2, "S", "5s"), (2, "W", "9s")):
        play.proceed()
        play.discard(giver, wind)
        play.pon(1, wind * 2)
        play.discard(1, thrown)
    assert play.hand(1).liable == ()


# The whole hand in the classic rules

HONOURS = "PPFFCCSSSN159s"
"""Three dragon pairs and three S; with the dragons called it waits for N alone."""


def honours_with_three_dragons(draws: str) -> Play:
    """Stage the three dragon pons of seat 1, P from seat 0, F and C from seat 2. All its tiles are
    then honours."""
    hands = ("147m258p369sESWE", HONOURS, "258m369p147sEWWE", "369m147p258sPFCW")
    play = stage(hands, f"P F C {draws}", rules=preset("classic"))
    for giver, dragon, thrown in ((0, "P", "1s"), (2, "F", "5s"), (2, "C", "9s")):
        play.proceed()
        play.discard(giver, dragon)
        play.pon(1, dragon * 2)
        play.discard(1, thrown)
    play.proceed()
    assert play.hand(1).liable == (("daisangen", 2),)
    return play


def test_classic_pao_covers_all_yakuman_of_a_self_draw() -> None:
    """Document 003: pao covers the whole hand."""
    play = honours_with_three_dragons("9m 9m 1m N")
    play.discard_in_turn("9m 9m 1m")
    play.tsumo(1)
    assert play.yaku == {"daisangen", "tsuuiisou"}
    assert play.win.deltas == (0, 64_000, -64_000, 0)


def test_classic_pao_halves_the_whole_ron() -> None:
    """Document 003: each pays half of the total value."""
    play = honours_with_three_dragons("9m N")
    play.discard_in_turn("9m")
    play.discard(3, "N")
    play.ron(1)
    assert play.win.deltas == (0, 64_000, -32_000, -32_000)


# Four kans


def stage_fourth_kan(rules: RuleSet) -> Play:
    """Stage seat 1 with three closed kans; it takes the fourth from seat 2."""
    play = stage(("", "222333444m666p9s"), "9m 2m 6p", rinshan="3m 4m 1s 7s", rules=rules)
    play.discard(0, "9m")
    for four in ("2222m", "3333m", "4444m"):
        play.ankan(1, four)
    play.discard(1, "1s")
    play.proceed()
    play.discard(2, "6p")
    play.kan(1, "666p")
    return play


def test_fourth_kan_makes_nobody_liable() -> None:
    assert stage_fourth_kan(RuleSet()).hand(1).liable == ()


def test_fourth_open_kan_may_make_liable() -> None:
    assert stage_fourth_kan(RuleSet(pao_suukantsu=True)).hand(1).liable == (("suukantsu", 2),)


def stage_risky_pon(rules: RuleSet, *, is_seen: bool = False) -> Play:
    """Stage seat 1 with three kans and a pon from seat 2, whose fourth tile is in a river or
    not."""
    play = stage(
        ("", "222333444m66p79s", "", ""),
        f"{'6p' if is_seen else '9m'} 2m 6p",
        rinshan="3m 4m 1s 7s",
        rules=rules,
    )
    play.tsumogiri()
    for four in ("2222m", "3333m", "4444m"):
        play.ankan(1, four)
    play.discard(1, "1s")
    play.proceed()
    play.discard(2, "6p")
    play.pon(1, "66p")
    play.discard(1, "7s")
    return play


def test_risky_pon_after_three_kans_may_make_liable() -> None:
    """Case 7 of 003: the pon leads to the fourth kan, which is added later."""
    rules = RuleSet(pao_suukantsu=True, pao_suukantsu_by="risky_tile", sukaikan="off")
    assert stage_risky_pon(rules).hand(1).liable == (("suukantsu", 2),)
    assert stage_risky_pon(rules, is_seen=True).hand(1).liable == ()
    assert stage_risky_pon(RuleSet(pao_suukantsu=True)).hand(1).liable == ()
