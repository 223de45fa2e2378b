"""Several rons on one tile: who wins, and who gets honba and sticks."""

from __future__ import annotations

from game.engine.actions import Win
from game.engine.rules import RuleSet
from game.engine.state import Phase
from tests.kit.play import Play, stage

FIRST = "234567m345p67s99s"
SECOND = "234678m456p67s11s"
THIRD = "345m123789p67s22p"
"""Three hands that wait for 5s and 8s with pinfu: 1000 points each, 1500 for the dealer."""


def three_wait(rules: RuleSet | None = None, honba: int = 0, kyotaku: int = 0) -> Play:
    """Stage a dealer's discard of 8s, on which seats 1, 2 and 3 may win."""
    play = stage(
        ("", FIRST, SECOND, THIRD), "8s", rules=rules or RuleSet(), honba=honba, kyotaku=kyotaku
    )
    play.discard(0, "8s")
    assert all(play.offered(seat) >= {"ron"} for seat in (1, 2, 3))
    return play


def test_one_ron_is_paid_by_the_discarder_alone() -> None:
    play = three_wait()
    play.ron(2)
    assert play.win.deltas == (-1_000, 0, 1_000, 0)
    assert (play.win.actor, play.win.target) == (2, 0)


def test_two_rons_are_both_paid() -> None:
    play = three_wait()
    play.ron(3, 1)
    assert [won.actor for won in play.wins] == [1, 3]
    assert play.table.scores == (23_000, 26_000, 25_000, 26_000)


def test_nearest_winner_gets_all_honba_and_sticks() -> None:
    play = three_wait(honba=2, kyotaku=1)
    play.ron(3, 2)
    assert [won.actor for won in play.wins] == [2, 3]
    assert play.wins[0].deltas == (-1_600, 0, 2_600, 0)
    assert play.wins[1].deltas == (-1_000, 0, 0, 1_000)
    assert play.wins[1].scores == play.table.scores == (22_400, 25_000, 27_600, 26_000)
    assert play.table.kyotaku == 0


def test_honba_can_be_paid_to_each_winner() -> None:
    play = three_wait(RuleSet(honba_multi="each"), honba=2, kyotaku=1)
    play.ron(1, 3)
    assert play.wins[0].deltas == (-1_600, 2_600, 0, 0)
    assert play.wins[1].deltas == (-1_600, 0, 0, 1_600)


def test_winner_may_take_the_own_stick_back_first() -> None:
    rules = RuleSet(sticks_multi="own_then_nearest")
    play = stage(("", FIRST, "", THIRD), "9p 9m 9p 1s 8s", rules=rules, kyotaku=2)
    play.discard_in_turn("9p 9m 9p")
    play.riichi(3, "1s")
    play.discard(0, "8s")
    play.ron(1, 3)
    assert play.table.scores[1] == 25_000 + 1_000 + 2_000
    one, other = play.wins
    assert one.deltas[1] == 1_000 + 2_000
    assert other.deltas[3] == other.points + 1_000


def test_nearest_winner_is_counted_from_the_discarder() -> None:
    play = stage((FIRST, "", SECOND, THIRD), "9p 8s", honba=1)
    play.discard(0, "9p")
    play.discard(1, "8s")
    play.ron(0, 3)
    assert [won.actor for won in play.wins] == [3, 0]
    assert play.wins[0].deltas == (0, -1_300, 0, 1_300)
    assert play.wins[1].deltas == (1_500, -1_500, 0, 0)


def test_with_head_bump_only_the_nearest_wins() -> None:
    play = three_wait(RuleSet(multi_ron="head_bump"), honba=1)
    play.act(3, Win())
    play.act(2, Win())
    assert play.table.phase == Phase.CLAIMS
    play.let_pass(1)
    assert (play.win.actor, play.win.deltas) == (2, (-1_300, 0, 1_300, 0))


def test_with_head_bump_three_rons_are_one_win() -> None:
    play = three_wait(RuleSet(multi_ron="head_bump"))
    play.act(3, Win())
    play.act(2, Win())
    play.act(1, Win())
    assert play.win.actor == 1


def test_two_rons_may_be_paid_and_the_third_cut_off() -> None:
    play = three_wait(RuleSet(multi_ron="two"), honba=1)
    for seat in (3, 2):
        play.act(seat, Win())
    assert play.table.phase == Phase.CLAIMS
    play.act(1, Win())
    assert [won.actor for won in play.wins] == [1, 2]
    assert play.table.scores[3] == 25_000

    play = three_wait(RuleSet(multi_ron="two"))
    for seat in (2, 1):
        play.act(seat, Win())
    assert [won.actor for won in play.wins] == [1, 2], "the third answer cannot change that"


def test_hand_waits_for_all_possible_winners() -> None:
    play = three_wait()
    play.act(3, Win())
    assert play.table.phase == Phase.CLAIMS
    play.act(1, Win())
    assert play.table.phase == Phase.CLAIMS
    play.let_pass(2)
    assert len(play.wins) == 2


# Three rons


def test_three_rons_abort_the_hand() -> None:
    play = three_wait(honba=1, kyotaku=2)
    play.ron(1, 2, 3)
    assert play.ended_by == "sanchaho"
    assert play.draw_result.deltas == (0, 0, 0, 0)
    assert play.table.scores == (25_000, 25_000, 25_000, 25_000)
    assert play.table.kyotaku == 2


def test_after_three_rons_the_dealer_stays_with_one_more_honba() -> None:
    play = three_wait(honba=1)
    play.ron(1, 2, 3)
    play.deal_next()
    assert (play.table.kyoku, play.table.honba) == (0, 2)


def test_abort_by_three_rons_returns_the_riichi_stick() -> None:
    play = riichi_into_three()
    play.ron(1, 2, 3)
    assert play.ended_by == "sanchaho"
    assert play.table.scores == (25_000, 25_000, 25_000, 25_000)
    assert play.table.kyotaku == 0


def riichi_into_three(rules: RuleSet | None = None) -> Play:
    """Stage a dealer's riichi with the 8s for which the others wait."""
    play = stage(("EEEWWW999m44s88p", FIRST, SECOND, THIRD), "8s", rules=rules or RuleSet())
    play.riichi(0, "8s")
    return play


def test_all_three_hands_are_shown() -> None:
    play = three_wait()
    play.ron(1, 2, 3)
    assert [bool(row) for row in play.draw_result.tehais] == [False, True, True, True]


def test_two_declared_of_three_possible_rons_win() -> None:
    play = three_wait()
    play.ron(1, 2)
    assert [won.actor for won in play.wins] == [1, 2]


def test_furiten_third_player_makes_no_triple_ron() -> None:
    play = stage(("", FIRST, SECOND, THIRD), "9p 9m 9p 5s 9p 1m 1m 9m 8s")
    play.discard_in_turn("9p 9m 9p 5s 9p 1m 1m 9m")
    play.discard(0, "8s")
    assert "ron" not in play.offered(3)
    play.ron(1, 2)
    assert [won.actor for won in play.wins] == [1, 2]


def test_without_sanchaho_three_rons_are_all_paid() -> None:
    play = three_wait(RuleSet(sanchaho=False), honba=1, kyotaku=1)
    play.ron(1, 2, 3)
    assert [won.actor for won in play.wins] == [1, 2, 3]
    assert play.table.scores == (21_700, 27_300, 26_000, 26_000)


def test_without_sanchaho_a_riichi_declarer_keeps_the_stick() -> None:
    play = riichi_into_three(RuleSet(sanchaho=False))
    play.ron(1, 2, 3)
    assert play.table.scores == (22_000, 26_000, 26_000, 26_000)


# Wins and their payments


def test_a_dealers_ron_is_worth_half_as_much_again() -> None:
    play = stage((FIRST,), "9p 8s")
    play.discard(0, "9p")
    play.discard(1, "8s")
    play.ron(0)
    assert play.win.deltas == (1_500, -1_500, 0, 0)


def test_all_pay_a_self_draw_and_the_dealer_double() -> None:
    play = stage(("", FIRST), "9p 9p 9m 9m 1p 8s", kyotaku=1, honba=2)
    play.discard_in_turn("9p 9p 9m 9m 1p")
    play.tsumo(1)
    assert play.win.yaku == (("tsumo", 1), ("pinfu", 1))
    assert play.win.deltas == (-900, 2_100 + 1_000, -600, -600)


def test_the_dealers_first_draw_may_win_as_tenhou() -> None:
    play = stage((FIRST,), "8s")
    play.tsumo(0)
    assert play.win.yaku == (("tenhou", 1),)
    assert play.win.deltas == (48_000, -16_000, -16_000, -16_000)


def test_another_seats_first_draw_may_win_as_chiihou() -> None:
    play = stage(("", "", FIRST), "9p 9p 8s")
    play.discard_in_turn("9p 9p")
    play.tsumo(2)
    assert play.win.yaku == (("chiihou", 1),)


def test_earlier_call_or_closed_kan_prevents_chiihou() -> None:
    play = stage(("", "99p147m258s69mESW", FIRST), "9p 8s")
    play.discard(0, "9p")
    play.pon(1, "99p")
    play.discard(1, "E")
    play.tsumo(2)
    assert "chiihou" not in play.yaku
    play = stage(("", "999p147m258s6mESW", FIRST), "1p 9p 8s", rinshan="1m")
    play.discard(0, "1p")
    play.ankan(1, "9999p")
    play.discard(1, "E")
    play.tsumo(2)
    assert "chiihou" not in play.yaku


def test_a_hand_without_yaku_cannot_win() -> None:
    play = stage(("", "35m567p789p456s11s"), "4m")
    play.discard(0, "4m")
    assert "ron" not in play.offered(1)


def test_a_closed_hand_without_yaku_wins_by_self_draw() -> None:
    play = stage(("", "35m567p789p456s11s"), "9m 9m 9s 9s 9m 4m")
    play.discard_in_turn("9m 9m 9s 9s 9m")
    play.tsumo(1)
    assert play.win.yaku == (("tsumo", 1),)


def test_renho_is_not_played() -> None:
    play = three_wait()
    play.ron(1)
    assert play.yaku == {"pinfu"}
