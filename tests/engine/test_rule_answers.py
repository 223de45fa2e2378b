"""Late answers, answers to old questions, and the codes of refusals."""

from __future__ import annotations

from game.engine.actions import (
    Action,
    CallChi,
    CallKan,
    CallPon,
    Confirm,
    DeclareAnkan,
    DeclareKakan,
    DeclareKyushu,
    DeclareRiichi,
    Discard,
    Pass,
    Win,
)
from game.engine.commands import Act, DealHand, Proceed, SetAway, StartGame, Timeout
from game.engine.decide import Accepted, Rejected, Stale
from game.engine.events import Discarded
from game.engine.legal import pending_seats
from game.engine.rules import RuleSet
from game.engine.state import Phase
from tests.kit.play import NAMES, SEED, Play, stage
from tests.kit.tables import tile

READY = "234567m345p67s99s"
"""A hand that waits for 5s and 8s."""
NO_YAKU = "35m567p789p456s11s"
"""A hand that waits for 4m without a yaku."""


def code_of(play: Play, seat: int, action: Action) -> str:
    code, text = play.refusal_of(seat, action)
    assert len(text) > len("not now"), f"{code} says too little: {text!r}"
    return code


# Time-outs


def test_late_player_discards_the_drawn_tile() -> None:
    play = stage(("147m258p369sESWN",), "9m")
    play.time_out(0)
    assert play.river(0) == "9m"
    assert play.table.phase == Phase.CLAIMS


def test_late_player_takes_a_self_draw() -> None:
    play = stage((READY,), "8s")
    play.time_out(0)
    assert play.ended_by == "won"


def test_late_player_declares_only_a_win() -> None:
    play = stage(("EEE234m345p67s99s",), "E")
    assert {"ankan EEEE", "riichi E"} <= play.offered(0)
    play.time_out(0)
    assert play.river(0) == "E"
    assert play.events_of(Discarded)[-1].tsumogiri
    assert not play.hand(0).riichi
    play = stage(("19m19p19sESWN234m",), "P")
    play.time_out(0)
    assert play.ended_by == ""


def test_late_player_passes_on_a_call() -> None:
    play = stage(("", "44m147p258sESWNP"), "4m 9m")
    play.discard(0, "4m")
    play.time_out(1)
    assert play.table.phase == Phase.CLAIMS
    play.do(Proceed(play.table.step))
    assert (play.table.turn, play.drawn, play.hand(1).melds) == (1, "9m", ())


def test_late_player_takes_a_ron() -> None:
    play = stage(("", "", READY), "8s")
    play.discard(0, "8s")
    play.time_out(2)
    assert (play.win.actor, play.win.target) == (2, 0)


def test_timely_answers_are_kept() -> None:
    play = stage(("", "23m147p258s69pESW", "", "44m147p258sESWNP"), "4m")
    play.discard(0, "4m")
    play.chi(1, "23m")
    play.time_out(1, 3)
    assert play.table.turn == 1
    assert len(play.hand(1).melds) == 1


def test_late_caller_discards_an_allowed_tile() -> None:
    play = stage(("", "2344m147p258sESW"), "4m")
    play.discard(0, "4m")
    play.chi(1, "23m")
    play.proceed()
    play.time_out(1)
    assert play.river(1) == "W"


def test_late_player_in_riichi_discards_the_drawn_tile() -> None:
    play = stage((READY,), "1p 9m 9m 9m E")
    play.riichi(0, "1p")
    play.discard_in_turn("9m 9m 9m")
    play.time_out(0)
    assert play.river(0) == "1pE"


def test_late_player_confirms_the_result() -> None:
    play = stage((READY,), "8s")
    play.tsumo(0)
    play.time_out(0, 1, 2, 3)
    assert pending_seats(play.table) == ()
    assert isinstance(play.attempt(Proceed(play.table.step)), Accepted)


def test_only_asked_players_can_be_late() -> None:
    play = stage()
    verdict = play.attempt(Timeout(play.table.step, (1, 2, 3)))
    assert isinstance(verdict, Rejected)
    assert verdict.code == "not_asked"


# Old questions and other seats


def test_an_answer_to_an_old_question_is_stale() -> None:
    play = stage(draws="9m 9m")
    old = play.table.step
    play.tsumogiri()
    table = play.table
    for command in (Act(1, old, Discard(tile("9m"), True)), Timeout(old, (1,)), Proceed(old)):
        assert isinstance(play.attempt(command), Stale)
    assert play.table == table


def test_answer_to_a_future_question_is_stale() -> None:
    play = stage(draws="9m")
    assert isinstance(play.attempt(Act(0, play.table.step + 1, Discard(tile("9m"), True))), Stale)


def test_a_second_answer_to_the_same_question_is_stale() -> None:
    """The answer is also stale if the time ran out before it: the player has made no error."""
    play = stage(("", "44m147p258sESWNP", "", "23m456p789p456s11s"), "4m")
    play.discard(0, "4m")
    play.let_pass(1)
    assert isinstance(play.attempt(Act(1, play.table.step, CallPon((6, 6)))), Stale)


def test_only_the_seat_on_turn_may_discard() -> None:
    play = stage(draws="9m")
    for seat in (1, 2, 3):
        assert play.refusal_of(seat, Discard(tile("9m"), True)) == (
            "not_asked",
            "it is not for you to answer now",
        )


def test_seats_that_do_not_exist_are_refused() -> None:
    play = stage(draws="9m")
    for seat in (-1, 4):
        assert play.refusal_of(seat, Discard(tile("9m"), True)) == (
            "no_such_seat",
            f"there is no seat {seat}",
        )


def test_seats_without_a_call_are_not_asked() -> None:
    play = stage(("", "44m147p258sESWNP"), "4m")
    play.discard(0, "4m")
    for seat in (0, 2, 3):
        assert code_of(play, seat, Pass()) == "not_asked"


def test_a_refused_action_changes_nothing() -> None:
    play = stage(draws="9m")
    table = play.table
    code_of(play, 0, Win())
    code_of(play, 0, CallPon((0, 0)))
    assert play.table == table


# Refusals on the own turn


def test_discard_of_a_tile_not_held_is_refused() -> None:
    play = stage(("147m258p369sESWN",), "9m")
    assert code_of(play, 0, Discard(tile("P"), False)) == "not_in_hand"
    assert code_of(play, 0, Discard(tile("1m"), True)) == "not_drawn"


def test_red_and_plain_five_are_different_tiles() -> None:
    play = stage(("147m258p369sESWN",), "9m")
    assert code_of(play, 0, Discard(tile("0p"), False)) == "not_in_hand"


def test_calling_and_passing_are_refused_on_the_own_turn() -> None:
    play = stage(draws="9m")
    for action in (Pass(), CallPon((0, 0)), CallChi((0, 2)), CallKan((0, 0, 0)), Confirm()):
        assert code_of(play, 0, action) == "own_turn"


def test_win_with_an_incomplete_hand_is_refused() -> None:
    play = stage((READY,), "1p")
    assert code_of(play, 0, Win()) == "not_complete"


def test_self_draw_without_a_yaku_is_refused() -> None:
    play = stage(("", "35m456p789p44s99sN"), "4s 9m 9m 9p 4m")
    play.discard(0, "4s")
    play.pon(1, "44s")
    play.discard(1, "N")
    play.discard_in_turn("9m 9m 9p")
    assert play.drawn == "4m"
    assert code_of(play, 1, Win()) == "no_yaku"


def test_kans_without_the_tiles_are_refused() -> None:
    play = stage(draws="9m")
    assert code_of(play, 0, DeclareAnkan((0, 0, 0, 0))) == "no_such_set"
    assert code_of(play, 0, DeclareKakan(tile("9m"))) == "no_such_set"


def test_kyushu_without_nine_kinds_is_refused() -> None:
    play = stage(("147m258p369sESWN",), "9m")
    assert code_of(play, 0, DeclareKyushu()) == "no_kyushu"


def test_riichi_without_tenpai_is_refused() -> None:
    play = stage(("147m258p369sESWN",), "9m")
    assert code_of(play, 0, DeclareRiichi(tile("9m"), True)) == "not_tenpai"


# Refusals while a discard can be claimed


def test_discard_is_refused_while_a_call_is_open() -> None:
    play = stage(("", "44m147p258sESWNP"), "4m")
    play.discard(0, "4m")
    for action in (Discard(tile("1p"), False), DeclareKyushu(), Confirm()):
        assert code_of(play, 1, action) == "not_your_turn"


def test_ron_on_a_tile_outside_the_waits_is_refused() -> None:
    play = stage(("", "44m147p258sESWNP"), "4m")
    play.discard(0, "4m")
    assert code_of(play, 1, Win()) == "not_complete"


def test_ron_without_a_yaku_is_refused() -> None:
    play = stage(("", "3567m789p456s999s"), "4m")
    play.discard(0, "4m")
    assert play.offered(1) == {"chi 35m", "chi 56m"}
    assert code_of(play, 1, Win()) == "not_complete"
    play = stage(("", NO_YAKU), "4m")
    play.discard(0, "4m")
    assert play.offered(1) == {"chi 35m"}
    assert play.refusal_of(1, Win()) == ("no_yaku", "the hand has no yaku")


def test_chi_from_another_than_the_left_is_refused() -> None:
    play = stage(("", "", "2344m147p258sESW"), "4m")
    play.discard(0, "4m")
    assert code_of(play, 2, CallChi((2, 4))) == "not_next"


def test_call_with_tiles_not_held_is_refused() -> None:
    play = stage(("", "44m147p258sESWNP"), "4m")
    play.discard(0, "4m")
    assert code_of(play, 1, CallChi((8, 10))) == "no_such_set"
    assert code_of(play, 1, CallKan((6, 6, 6))) == "no_such_set"
    assert code_of(play, 1, CallPon((6, 8))) == "no_such_set"


def test_call_in_riichi_is_refused() -> None:
    play = stage((READY,), "1p 9m 9m 8s")
    play.riichi(0, "1p")
    play.discard_in_turn("9m 9m")
    play.discard(3, "8s")
    assert code_of(play, 0, CallChi((46, 48))) == "in_riichi"


def test_call_of_the_last_tile_is_refused() -> None:
    play = stage(("", "", NO_YAKU, "444m147p258s69mEW"), last="4m")
    play.tsumogiri_until_left(0)
    play.discard(1, "4m")
    assert play.offered(2) == {"ron"}
    assert code_of(play, 2, CallChi((4, 8))) == "last_tile"


def test_call_of_the_tile_of_a_kan_is_refused() -> None:
    play = stage(("", "", "88s147m258p69mESW", READY), "8s 9m 9m 9m 8s")
    play.discard(0, "8s")
    play.pon(2, "88s")
    play.discard(2, "E")
    play.discard_in_turn("9m 9m 9m")
    play.kakan(2, "8s")
    assert code_of(play, 3, CallChi((46, 48))) == "being_robbed"


def test_furiten_ron_is_refused() -> None:
    play = stage(("", "234567m345p6788s"), "9p 8s 9m 9m 9p 9p 9m 1m 8s")
    play.discard_in_turn("9p 8s 9m 9m 9p 9p 9m 1m")
    play.discard(0, "8s")
    assert play.refusal_of(1, Win()) == (
        "furiten",
        "the hand is furiten: it can only win by self-draw",
    )


def test_call_by_a_seat_that_may_only_win_is_refused() -> None:
    play = stage(("", "", READY), "8s")
    play.discard(0, "8s")
    assert code_of(play, 2, CallPon((50, 50))) == "cannot_call"


# Refusals between hands


def test_actions_after_the_hand_are_refused() -> None:
    play = stage((READY,), "8s")
    play.tsumo(0)
    assert play.refusal_of(0, Discard(tile("8s"), True)) == (
        "hand_over",
        "the hand is over; all that is left is to confirm it",
    )


def test_actions_before_the_first_deal_are_refused() -> None:
    play = Play()
    assert play.refusal_of(0, Pass()) == ("not_running", "no hand is being played")


def test_second_start_and_wrong_seed_are_refused() -> None:
    play = Play()
    verdict = play.attempt(StartGame(RuleSet(), NAMES, SEED))
    assert isinstance(verdict, Rejected)
    assert verdict.code == "already_started"
    fresh = Play.__new__(Play)
    fresh.table, fresh.events = type(play.table)(), []
    verdict = fresh.attempt(StartGame(RuleSet(), NAMES, b"short"))
    assert isinstance(verdict, Rejected)
    assert verdict.code == "bad_seed"
    verdict = fresh.attempt(DealHand())
    assert isinstance(verdict, Rejected)
    assert verdict.code == "not_running"


def test_proceed_is_refused_while_an_answer_is_missing() -> None:
    play = stage(("", "44m147p258sESWNP"), "4m")
    for _ in range(2):
        verdict = play.attempt(Proceed(play.table.step))
        assert isinstance(verdict, Rejected)
        assert verdict.code == "not_yet"
        if play.table.phase == Phase.TURN:
            play.discard(0, "4m")


# Players who leave


def test_player_may_leave_and_return() -> None:
    play = stage()
    play.do(SetAway(2, True))
    assert play.table.away == (False, False, True, False)
    step = play.table.step
    play.do(SetAway(2, False))
    assert play.table.away == (False, False, False, False)
    assert play.table.step == step


def test_leaving_twice_is_refused() -> None:
    play = stage()
    for command, code in ((SetAway(1, False), "unchanged"), (SetAway(4, True), "no_such_seat")):
        verdict = play.attempt(command)
        assert isinstance(verdict, Rejected)
        assert verdict.code == code
