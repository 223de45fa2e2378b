"""The deal, whose turn it is, and the wall."""

from __future__ import annotations

from game.engine.commands import DealHand
from game.engine.decide import Rejected
from game.engine.events import HandStarted
from game.engine.rules import RuleSet
from game.engine.state import Phase
from tests.kit.play import Play, stage
from tests.kit.tables import text_of, wall_of

HANDS = ("123m456m789m1234p", "123p567p789p1234s", "123s456s789sESWN", "5678m5678sEESPF")


def test_hand_is_dealt_and_the_dealer_draws() -> None:
    play = Play()
    play.deal_next(wall_of(HANDS, "9p", dora="7m"))
    assert [play.concealed(seat) for seat in range(4)] == [
        "123456789m1234p",
        "123567789p1234s",
        "123456789sESWN",
        "5678m5678sEESPF",
    ]
    assert play.table.turn == 0
    assert play.drawn == "9p"
    assert play.table.left == 69
    assert play.dora == "7m"


def test_a_game_begins_with_east_1_and_25000_points() -> None:
    play = Play()
    play.deal_next()
    (start,) = play.events_of(HandStarted)
    assert text_of([start.bakaze]) == "E"
    assert (start.kyoku, start.honba, start.kyotaku, start.oya) == (1, 0, 0, 0)
    assert start.scores == (25_000, 25_000, 25_000, 25_000)


def test_start_points_follow_the_rules() -> None:
    play = Play(RuleSet(start_points=30_000, oka=0))
    play.deal_next()
    assert play.table.scores == (30_000, 30_000, 30_000, 30_000)


def test_every_tile_of_the_wall_is_dealt_once() -> None:
    play = Play()
    play.deal_next()
    assert sorted(play.table.wall) == sorted(
        [2 * kind for kind in range(34) for _ in range(4 - (kind in (4, 13, 22)))] + [9, 27, 45]
    )


def test_without_red_fives_all_fives_are_plain() -> None:
    play = Play(RuleSet(red_fives=(0, 0, 0)))
    play.deal_next()
    assert sorted(play.table.wall) == [2 * kind for kind in range(34) for _ in range(4)]


def test_the_deal_begins_with_the_dealer_of_the_hand() -> None:
    play = stage(kyoku=2)
    assert play.table.turn == 2
    assert [play.table.wind_of(seat) for seat in range(4)] == [29, 30, 27, 28]
    assert play.drawn != ""


def test_seats_play_in_turn_from_the_dealer() -> None:
    play = stage(draws="1m 2m 3m 4m 5m 6m", kyoku=3)
    seen = []
    for _ in range(6):
        seen.append((play.table.turn, play.drawn))
        play.tsumogiri()
    assert seen == [(3, "1m"), (0, "2m"), (1, "3m"), (2, "4m"), (3, "5m"), (0, "6m")]


def test_every_draw_takes_one_tile_of_the_wall() -> None:
    play = stage()
    left = []
    for _ in range(4):
        left.append(play.table.left)
        play.tsumogiri()
    assert left == [69, 68, 67, 66]


def test_seventy_tiles_are_drawn_and_discarded() -> None:
    play = stage()
    play.play_to_exhaustive_draw()
    assert [len(play.hand(seat).river) for seat in range(4)] == [18, 18, 17, 17]


def test_last_draw_is_before_the_dead_wall() -> None:
    play = stage(last="9m P")
    play.tsumogiri_until_left(1)
    assert play.drawn == "9m"
    play.tsumogiri()
    assert (play.table.left, play.drawn, play.table.turn) == (0, "P", 1)


def test_any_held_tile_may_be_discarded() -> None:
    play = stage(("147m258p369sESWN",), "P")
    assert play.discardable(0) == {
        *("1m", "4m", "7m", "2p", "5p", "8p", "3s", "6s", "9s", "E", "S", "W", "N", "P")
    }


def test_discard_records_tsumogiri() -> None:
    play = stage(("147m258p369sESWN",), "E")
    play.discard(0, "E", from_hand=True)
    assert play.concealed(0) == "147m258p369sESWN"
    assert not play.hand(0).river[-1] >> 8 & 1


def test_play_waits_for_proceed_without_possible_calls() -> None:
    play = stage(draws="1m 2m")
    play.discard(0, "1m")
    assert play.table.phase == Phase.CLAIMS
    play.proceed()
    assert (play.table.phase, play.table.turn, play.drawn) == (Phase.TURN, 1, "2m")


def test_no_hand_is_dealt_during_a_hand() -> None:
    play = stage()
    verdict = play.attempt(DealHand())
    assert isinstance(verdict, Rejected)
    assert verdict.code == "not_now"


def test_a_wall_of_other_tiles_is_refused() -> None:
    play = Play()
    verdict = play.attempt(DealHand(bytes(136)))
    assert isinstance(verdict, Rejected)
    assert verdict.code == "bad_wall"


def test_seed_determines_hands_that_all_differ() -> None:
    one, other = Play(), Play()
    for play in (one, other):
        play.deal_next()
    first = one.table.wall
    assert first == other.table.wall
    one.play_to_exhaustive_draw()
    one.deal_next()
    assert one.table.wall != first
