"""Chi, pon and kan on a discard: who may call, whose call counts, and what may follow."""

from __future__ import annotations

from game.engine.actions import DeclareAnkan, Discard, Win
from game.engine.rules import RuleSet
from game.engine.state import MeldType, Phase
from tests.kit.play import Play, stage
from tests.kit.tables import text_of, tile, tiles

WITH_23M = "23m7m147p258sESWN"
WITH_PAIR = "44m147p258sESWNP"
WITH_TRIPLET = "444m147p258sESWN"
WAITS_FOR_4M = "23m456p789p456s11s"


# Who may call


def test_chi_is_offered_to_the_next_player_only() -> None:
    play = stage(("", WITH_23M, WITH_23M.replace("7m", "8m"), "23m9m369p369sESWN"), "4m")
    play.discard(0, "4m")
    assert play.offered(1) == {"chi 23m"}
    assert play.offered(2) == set()
    assert play.offered(3) == set()


def test_chi_from_the_left_goes_round_the_table() -> None:
    play = stage((WITH_23M, "", "", ""), "9s 9s 9s 4m")
    play.discard_in_turn("9s 9s 9s")
    play.discard(3, "4m")
    assert play.offered(0) == {"chi 23m"}


def test_pon_is_offered_on_any_players_discard() -> None:
    for discarder in (1, 2, 3):
        play = stage((WITH_PAIR, "", "", ""), "9s" * discarder + "4m")
        play.discard_in_turn("9s" * discarder)
        play.discard(discarder, "4m")
        assert play.offered(0) == {"pon 44m"}


def test_three_tiles_of_the_discard_allow_pon_and_kan() -> None:
    play = stage(("", "", WITH_TRIPLET), "4m")
    play.discard(0, "4m")
    assert play.offered(2) == {"pon 44m", "kan 444m"}


def test_own_discard_cannot_be_called() -> None:
    play = stage((WITH_TRIPLET,), "4m")
    play.discard(0, "4m")
    assert play.offered(0) == set()


def test_runs_end_at_nine_and_are_not_made_of_honours() -> None:
    for discard, offered in (
        ("7m", {"chi 89m"}),
        ("1m", set()),
        ("3p", {"chi 12p"}),
        ("9p", set()),
        ("E", set()),
        ("F", set()),
    ):
        play = stage(("", "89m12p147sESWNPC"), discard)
        play.discard(0, discard)
        assert play.offered(1) == offered


def test_every_run_is_offered_with_and_without_red_fives() -> None:
    play = stage(("", "3506m147p258sESW"), "4m")
    play.discard(0, "4m")
    assert play.offered(1) == {"chi 35m", "chi 30m", "chi 56m", "chi 06m"}


def test_lower_middle_and_higher_tiles_make_runs() -> None:
    play = stage(("", "23567m147p258sES"), "4m")
    play.discard(0, "4m")
    assert play.offered(1) == {"chi 23m", "chi 35m", "chi 56m"}


def test_a_pon_may_keep_the_red_five_in_hand() -> None:
    play = stage(("", "", "550m147p258sESWN"), "5m")
    play.discard(0, "5m")
    assert play.offered(2) == {"pon 55m", "pon 50m", "kan 550m"}


# Whose call counts


def test_pon_beats_an_earlier_chi() -> None:
    play = stage(("", WITH_23M, "", WITH_PAIR), "4m")
    play.discard(0, "4m")
    play.chi(1, "23m")
    assert play.table.phase == Phase.CLAIMS
    play.pon(3, "44m")
    assert play.table.turn == 3
    assert play.hand(1).melds == ()


def test_kan_beats_chi() -> None:
    play = stage(("", WITH_23M, "", WITH_TRIPLET), "4m")
    play.discard(0, "4m")
    play.chi(1, "23m")
    play.kan(3, "444m")
    assert play.table.turn == 3
    assert [meld.type for meld in play.hand(3).melds] == [MeldType.DAIMINKAN]


def test_chi_counts_when_the_others_pass() -> None:
    play = stage(("", WITH_23M, "", WITH_PAIR), "4m")
    play.discard(0, "4m")
    play.chi(1, "23m")
    play.let_pass(3)
    assert play.table.turn == 1
    assert text_of(play.hand(1).melds[0].tiles) == "234m"


def test_ron_beats_earlier_pon_and_chi() -> None:
    play = stage(("", WITH_23M, WITH_PAIR, WAITS_FOR_4M), "4m")
    play.discard(0, "4m")
    play.chi(1, "23m")
    play.pon(2, "44m")
    assert play.table.phase == Phase.CLAIMS
    play.ron(3)
    assert (play.win.actor, play.win.target) == (3, 0)


def test_a_pon_waits_for_seats_that_may_win() -> None:
    play = stage(("", "", WITH_PAIR, WAITS_FOR_4M), "4m")
    play.discard(0, "4m")
    play.pon(2, "44m")
    assert play.table.phase == Phase.CLAIMS
    play.let_pass(3)
    assert play.table.turn == 2


# What follows a call


def test_pon_skips_the_draw_and_the_turns_between() -> None:
    play = stage(("", "", "", WITH_PAIR), "4m 9s")
    play.discard(0, "4m")
    play.pon(3, "44m")
    assert play.drawn == ""
    assert play.table.left == 69
    play.discard(3, "E")
    play.proceed()
    assert (play.table.turn, play.drawn) == (0, "9s")


def test_called_tile_is_marked_in_river_and_meld() -> None:
    play = stage(("", WITH_23M), "4m")
    play.discard(0, "4m")
    play.chi(1, "23m")
    play.proceed()
    (meld,) = play.hand(1).melds
    assert (meld.type, text_of(meld.tiles), text_of([meld.called]), meld.target) == (
        MeldType.CHI,
        "234m",
        "4m",
        0,
    )
    assert play.hand(0).river[-1] >> 10 & 1
    assert play.concealed(1) == "7m147p258sESWN"


def test_after_a_call_only_a_discard_is_possible() -> None:
    play = stage(("", "", "444m1111p258sESW"), "4m")
    play.discard(0, "4m")
    play.pon(2, "44m")
    assert play.offered(2) == set()
    assert play.refusal_of(2, DeclareAnkan((18, 18, 18, 18)))[0] == "after_call"
    assert play.refusal_of(2, Win())[0] == "not_complete"


def test_a_called_tile_does_not_win_by_self_draw() -> None:
    play = stage(("", WAITS_FOR_4M), "4m")
    play.discard(0, "4m")
    play.chi(1, "23m")
    assert "tsumo" not in play.offered(1)


# The last tile


def test_the_last_discard_can_only_be_won_on() -> None:
    hands = ("", "", "23m444m147p258sES", WAITS_FOR_4M)
    play = stage(hands, last="4m")
    play.tsumogiri_until_left(0)
    play.discard(1, "4m")
    assert play.offered(2) == set()
    assert play.offered(3) == {"ron"}


def test_the_discard_before_the_last_can_still_be_called() -> None:
    play = stage(("", "", "444m147p258sESWN"), last="4m 9s")
    play.tsumogiri_until_left(1)
    play.discard(0, "4m")
    assert play.offered(2) == {"pon 44m", "kan 444m"}


# Kuikae


def after_chi(hand: str, open_tile: str, run: str, rules: RuleSet | None = None) -> Play:
    play = stage(("", hand), open_tile, rules=rules or RuleSet())
    play.discard(0, open_tile)
    play.chi(1, run)
    play.proceed()
    return play


def test_the_called_kind_may_not_be_discarded_after_chi() -> None:
    play = after_chi("2344m147p258sESW", "4m", "23m")
    assert "4m" not in play.discardable(1)
    assert "1p" in play.discardable(1)


def test_other_end_of_the_run_may_not_be_discarded() -> None:
    play = after_chi("1239m147p258sESW", "4m", "23m")
    assert play.discardable(1) == {"9m", *(f"{n}p" for n in (1, 4, 7)), "2s", "5s", "8s", *"ESW"}
    play = after_chi("5679m147p258sESW", "4m", "56m")
    assert "7m" not in play.discardable(1)
    assert "9m" in play.discardable(1)


def test_nine_and_one_can_be_the_other_end() -> None:
    play = after_chi("2789m147p258sESW", "6m", "78m")
    assert "9m" not in play.discardable(1)
    play = after_chi("1238m147p258sESW", "4m", "23m")
    assert "1m" not in play.discardable(1)


def test_after_a_middle_tile_only_its_kind_is_forbidden() -> None:
    play = after_chi("23456m147p258sES", "4m", "35m")
    assert {"2m", "6m"} <= play.discardable(1)
    assert "4m" not in play.discardable(1)


def test_terminal_run_has_no_other_end() -> None:
    play = after_chi("1289m1147p258sES", "3m", "12m")
    assert {"8m", "9m", "1p"} <= play.discardable(1)
    play = after_chi("1289m1147p258sES", "7m", "89m")
    assert {"1m", "2m", "1p"} <= play.discardable(1)


def test_the_called_kind_may_not_be_discarded_after_pon() -> None:
    play = stage(("", "", WITH_TRIPLET), "4m")
    play.discard(0, "4m")
    play.pon(2, "44m")
    assert "4m" not in play.discardable(2)


def test_red_five_has_the_kind_of_a_five() -> None:
    play = after_chi("3460m147p258sESW", "5m", "34m")
    assert "0m" not in play.discardable(1)
    play = after_chi("0346m147p258sESW", "2m", "34m")
    assert "0m" not in play.discardable(1)


def test_kuikae_is_over_with_the_next_draw() -> None:
    play = after_chi("2344m147p258sESW", "4m", "23m")
    play.discard(1, "E")
    play.tsumogiri(3)
    play.proceed()
    assert play.table.turn == 1
    assert "4m" in play.discardable(1)


def test_with_kuikae_allowed_both_tiles_may_be_discarded() -> None:
    rules = RuleSet(kuikae_same_tile=True, kuikae_other_end=True)
    play = after_chi("12344m147p258sES", "4m", "23m", rules)
    assert {"1m", "4m"} <= play.discardable(1)


def test_called_kind_stays_forbidden_when_the_other_end_is_allowed() -> None:
    play = after_chi("12344m147p258sES", "4m", "23m", RuleSet(kuikae_other_end=True))
    assert "1m" in play.discardable(1)
    assert "4m" not in play.discardable(1)


def three_pons_and(four: str, open_tile: str, rules: RuleSet | None = None) -> Play:
    """Stage seat 1 with three pons and these four tiles; seat 0 discards the open tile."""
    play = stage(("", f"EESSWW1p9p9s{four}"), f"E S W 7p 7s {open_tile}", rules=rules or RuleSet())
    for giver, wind, thrown in ((0, "E", "1p"), (2, "S", "9p"), (2, "W", "9s")):
        play.discard(giver, wind)
        play.pon(1, wind * 2)
        play.discard(1, thrown)
    play.discard_in_turn("7p 7s")
    play.discard(0, open_tile)
    return play


def test_chi_leaving_only_forbidden_tiles_is_not_offered() -> None:
    assert three_pons_and("3456m", "3m").offered(1) == {"ron"}
    assert three_pons_and("4566m", "3m").offered(1) == {"ron"}
    assert three_pons_and("4569m", "3m").offered(1) == {"chi 45m"}


def test_chi_leaving_an_allowed_other_end_is_offered() -> None:
    play = three_pons_and("3456m", "3m", RuleSet(kuikae_other_end=True))
    assert play.offered(1) == {"ron", "chi 45m"}


def test_discarding_a_forbidden_tile_is_refused_as_kuikae() -> None:
    play = after_chi("2344m147p258sESW", "4m", "23m")
    code, text = play.refusal_of(1, Discard(tile("4m"), False))
    assert code == "kuikae"
    assert "kuikae" in text
    assert tiles("4m")[0] in play.hand(1).tiles
