"""An exhaustive draw: who is tenpai, who pays, and nagashi mangan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from game.engine.actions import DeclareRiichi, Pass, ShowTenpai
from game.engine.commands import Proceed
from game.engine.events import WallUsedUp
from game.engine.legal import legal, pending_seats
from game.engine.perspective import SPECTATOR, redact, view
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Phase
from game.engine.tiles import kind_of
from game.engine.wall import tile_set
from tests.kit.play import Play, stage
from tests.kit.tables import text_of, tile, tiles

READY = ("234567m345p67s99s", "234678m456p67s11s", "345m123789p67s22p", "678m345p678p23s44s")


def draw_with(ready: set[int], **staging: object) -> Play:
    """Return a hand without a win in which the seats in `ready` are tenpai."""
    hands = tuple(READY[seat] if seat in ready else "" for seat in range(4))
    play = stage(hands, **staging)  # type: ignore[arg-type]
    play.play_to_exhaustive_draw()
    assert play.ended_by == "exhaustive"
    return play


@pytest.mark.parametrize(
    ("ready", "deltas"),
    [
        (set(), (0, 0, 0, 0)),
        ({0}, (3_000, -1_000, -1_000, -1_000)),
        ({2}, (-1_000, -1_000, 3_000, -1_000)),
        ({1, 3}, (-1_500, 1_500, -1_500, 1_500)),
        ({0, 1}, (1_500, 1_500, -1_500, -1_500)),
        ({0, 1, 3}, (1_000, 1_000, -3_000, 1_000)),
        ({0, 1, 2, 3}, (0, 0, 0, 0)),
    ],
)
def test_noten_seats_pay_3000_to_tenpai_seats(ready: set[int], deltas: tuple[int, ...]) -> None:
    play = draw_with(ready)
    assert play.draw_result.deltas == deltas
    assert play.table.scores == tuple(25_000 + delta for delta in deltas)


def test_tenpai_hands_are_shown_and_the_others_stay_closed() -> None:
    play = draw_with({1, 3})
    assert play.draw_result.tenpais == (False, True, False, True)
    shown = [(), sorted(tiles(READY[1])), (), sorted(tiles(READY[3]))]
    assert [list(row) or () for row in play.draw_result.tehais] == shown
    assert [hand.shown for hand in play.table.hands] == [False, True, False, True]


def test_sticks_and_honba_stay_on_the_table() -> None:
    play = draw_with({0}, honba=2, kyotaku=3)
    assert play.draw_result.deltas == (3_000, -1_000, -1_000, -1_000)
    assert play.table.kyotaku == 3


def test_noten_payments_is_a_switch() -> None:
    play = draw_with({0}, rules=RuleSet(noten_payments=(300, 500, 900)))
    assert play.draw_result.deltas == (900, -300, -300, -300)


def test_an_open_hand_can_be_tenpai() -> None:
    play = stage(("", "", "EE4567m345p67s99s"), "E")
    play.discard(0, "E")
    play.pon(2, "EE")
    play.discard(2, "4m")
    play.play_to_exhaustive_draw()
    assert play.draw_result.tenpais == (False, False, True, False)


def test_a_furiten_hand_and_one_without_yaku_are_tenpai() -> None:
    play = stage((READY[0], "35m567p789p456s11s"), "5s")
    play.play_to_exhaustive_draw()
    assert play.draw_result.tenpais == (True, True, False, False)


def test_seven_pairs_and_thirteen_orphans_can_be_tenpai() -> None:
    play = stage(("1133m5577p2244s9s", "19m19p19sESWNPFC"))
    play.play_to_exhaustive_draw()
    assert play.draw_result.tenpais[:2] == (True, True)


# Waits of which the hand holds all four copies


def test_a_single_wait_on_the_fifth_copy_is_not_tenpai() -> None:
    play = stage(("1111m234567p789s",))
    play.play_to_exhaustive_draw()
    assert play.draw_result.tenpais == (False, False, False, False)


def test_wait_on_own_kan_tiles_is_noten_under_all() -> None:
    rules = RuleSet(own_four_is_noten="all")
    play = stage(("333m12m456p789p99s",), "3m", rinshan="9m", rules=rules)
    play.ankan(0, "3333m")
    play.proceed()
    play.play_to_exhaustive_draw()
    assert play.draw_result.tenpais == (False, False, False, False)


def test_wait_on_tiles_others_hold_is_tenpai() -> None:
    play = stage(("12m456789p99s678s", "333m147p258s69pES"), "9s 3m", rinshan="9m")
    play.discard(0, "9s")
    play.ankan(1, "3333m")
    play.discard(1, "9m")
    play.play_to_exhaustive_draw()
    assert play.draw_result.tenpais == (True, False, False, False)


def test_noten_wait_cannot_declare_riichi() -> None:
    play = stage(("1111m234567p789s",), "E")
    assert play.offered(0) >= {"riichi 1m"}
    assert "riichi E" not in play.offered(0)


def test_a_second_wait_keeps_the_hand_tenpai() -> None:
    play = stage(("11123m456789p99s",), "1m", rinshan="9m")
    play.ankan(0, "1111m")
    play.play_to_exhaustive_draw()
    assert play.draw_result.tenpais == (True, False, False, False)


# Nagashi mangan


ORPHANS = {kind_of(tile) for tile in tiles("19m19p19sESWNPFC")}
IDLE = ("2468m2468p24668s", "2357m3578p23577s", "2468m2468p24688s", "3357m3457p35677s")
"""Hands of simple tiles that are not tenpai."""
READY_FOR_4S = "234567m345p44s99s"


def draw_for(
    orphans_for: Sequence[int],
    hands: Sequence[str],
    *,
    dealer: int = 0,
    at: str = "",
    tail: int = 0,
) -> str:
    """Return seventy draws in which these seats get only terminals and honours, and the others
    simple tiles as long as there are any. The last `tail` draws are terminals and honours, and the
    tile `at` comes directly before them."""
    spare = Counter(tile_set(TENHOU))
    spare.subtract(tile for hand in (*hands, at) for tile in tiles(hand))
    left = sorted(spare.elements())
    orphans = [tile for tile in left if kind_of(tile) in ORPHANS]
    simples = [tile for tile in left if kind_of(tile) not in ORPHANS]
    draws: list[int] = []
    for number in range(70):
        seat = (dealer + number) % 4
        if at and number == 70 - tail - 1:
            draws.append(tile(at))
        elif seat in orphans_for or not simples or number >= 70 - tail:
            draws.append(orphans.pop())
        else:
            draws.append(simples.pop(0))
    return text_of(draws)


def nagashi(*seats: int, hands: Sequence[str] = IDLE, dealer: int = 0, **staging: object) -> Play:
    """Stage an exhaustive draw before which these seats have discarded only terminals and
    honours."""
    draws = draw_for(seats, hands, dealer=dealer)
    play = stage(hands, draws, kyoku=dealer, **staging)  # type: ignore[arg-type]
    play.play_to_exhaustive_draw()
    return play


def test_nagashi_mangan_is_paid_as_a_self_drawn_mangan() -> None:
    play = nagashi(1)
    assert play.ended_by == "nagashi_mangan"
    assert play.draw_result.nagashi == (1,)
    assert play.draw_result.deltas == (-4_000, 8_000, -2_000, -2_000)


def test_a_dealers_nagashi_mangan_is_4000_from_each() -> None:
    play = nagashi(2, dealer=2)
    assert play.draw_result.deltas == (-4_000, -4_000, 12_000, -4_000)


def test_several_nagashi_mangan_add_up() -> None:
    play = nagashi(1, 2)
    assert play.draw_result.nagashi == (1, 2)
    assert play.draw_result.deltas == (-8_000, 6_000, 6_000, -4_000)


def test_nagashi_mangan_pays_no_honba_and_leaves_the_sticks() -> None:
    play = nagashi(1, honba=3, kyotaku=2)
    assert play.draw_result.deltas == (-4_000, 8_000, -2_000, -2_000)
    assert play.table.kyotaku == 2


def test_nagashi_mangan_takes_the_place_of_noten_payments() -> None:
    play = nagashi(1, hands=(IDLE[0], IDLE[1], READY_FOR_4S, IDLE[3]))
    assert play.draw_result.deltas == (-4_000, 8_000, -2_000, -2_000)
    assert play.draw_result.tenpais == (False, False, True, False)


def test_noten_dealer_loses_the_deal_after_nagashi_mangan() -> None:
    play = nagashi(0, honba=1)
    play.deal_next()
    assert (play.table.kyoku, play.table.honba) == (1, 2)


def test_after_nagashi_mangan_a_tenpai_dealer_stays() -> None:
    play = nagashi(1, hands=(READY_FOR_4S, IDLE[1], IDLE[2], IDLE[3]), honba=1)
    play.deal_next()
    assert (play.table.kyoku, play.table.honba) == (0, 2)


def test_one_simple_discard_spoils_nagashi_mangan() -> None:
    hands = (IDLE[0], IDLE[1], IDLE[2], IDLE[3])
    play = stage(hands, draw_for((1,), hands))
    play.tsumogiri()
    play.discard(1, "2m")
    play.play_to_exhaustive_draw()
    assert play.ended_by == "exhaustive"


def test_a_called_discard_spoils_nagashi_mangan() -> None:
    hands = (IDLE[0], "EE57m3578p23577s", IDLE[2], IDLE[3])
    draws = draw_for((0,), hands, at="E", tail=5)
    for is_called in (False, True):
        play = stage(hands, draws)
        play.tsumogiri_until_left(5)
        assert (play.table.turn, play.drawn) == (0, "E")
        play.discard(0, "E")
        if is_called:
            play.pon(1, "EE")
            play.discard(1, "5m")
        play.play_to_exhaustive_draw()
        assert play.ended_by == ("exhaustive" if is_called else "nagashi_mangan")


def test_own_calls_do_not_spoil_nagashi_mangan() -> None:
    hands = ("EE9m68m2468p2468s", IDLE[1], IDLE[2], IDLE[3])
    play = stage(hands, draw_for((0,), hands, at="E", tail=6))
    play.tsumogiri_until_left(6)
    assert (play.table.turn, play.drawn) == (3, "E")
    play.discard(3, "E")
    play.pon(0, "EE")
    play.discard(0, "9m")
    play.play_to_exhaustive_draw()
    assert play.ended_by == "nagashi_mangan"


def test_without_nagashi_mangan_noten_players_pay() -> None:
    play = nagashi(1, hands=(*IDLE[:3], READY_FOR_4S), rules=RuleSet(nagashi_mangan="off"))
    assert play.ended_by == "exhaustive"
    assert play.draw_result.deltas == (-1_000, -1_000, -1_000, 3_000)


def test_nagashi_mangan_as_a_win_takes_counters_and_sticks() -> None:
    play = nagashi(1, honba=2, kyotaku=1, rules=RuleSet(nagashi_mangan="win"))
    assert play.draw_result.deltas == (-4_200, 9_600, -2_200, -2_200)
    assert play.table.kyotaku == 0
    play.deal_next()
    assert (play.table.kyoku, play.table.honba) == (1, 0)


def test_a_noten_dealer_who_wins_by_nagashi_mangan_stays() -> None:
    play = nagashi(0, honba=2, rules=RuleSet(nagashi_mangan="win"))
    assert play.draw_result.deltas == (12_600, -4_200, -4_200, -4_200)
    play.deal_next()
    assert (play.table.kyoku, play.table.honba) == (0, 3)


def nagashi_of_two_one_in_riichi(sticks_multi: str) -> Play:
    """Stage nagashi mangan of seats 1 and 2. Seat 2 is in riichi, and one stick was on the
    table."""
    hands = (IDLE[0], IDLE[1], READY_FOR_4S, IDLE[3])
    rules = RuleSet(nagashi_mangan="win", sticks_multi=sticks_multi)  # type: ignore[arg-type]
    play = stage(hands, draw_for((1, 2), hands), kyotaku=1, rules=rules)
    play.tsumogiri(2)
    play.act(2, DeclareRiichi(play.table.drawn, True))
    play.play_to_exhaustive_draw()
    assert play.draw_result.nagashi == (1, 2)
    assert play.table.kyotaku == 0
    return play


def test_first_nagashi_mangan_from_the_dealer_takes_the_sticks() -> None:
    play = nagashi_of_two_one_in_riichi("nearest")
    assert play.draw_result.deltas == (-8_000, 6_000 + 2_000, 6_000, -4_000)


def test_each_nagashi_mangan_takes_its_own_stick_first() -> None:
    play = nagashi_of_two_one_in_riichi("own_then_nearest")
    assert play.draw_result.deltas == (-8_000, 6_000 + 1_000, 6_000 + 1_000, -4_000)


def nagashi_beside_a_noten_riichi(nagashi_mangan: str) -> Play:
    """Stage nagashi mangan of seat 1 while seat 0 is in riichi without being tenpai."""
    rules = RuleSet(
        false_declarations=True,
        chombo="reverse_mangan",
        nagashi_mangan=nagashi_mangan,  # type: ignore[arg-type]
    )
    play = stage(IDLE, draw_for((1,), IDLE), rules=rules)
    play.act(0, DeclareRiichi(play.table.drawn, True))
    play.play_to_exhaustive_draw()
    return play


def test_noten_riichi_with_winning_nagashi_mangan_is_no_chombo() -> None:
    play = nagashi_beside_a_noten_riichi("win")
    assert (play.ended_by, play.draw_result.nagashi) == ("nagashi_mangan", (1,))
    assert play.draw_result.deltas == (-4_000, 8_000 + 1_000, -2_000, -2_000)
    assert play.table.chombos == (0, 0, 0, 0)


def test_noten_riichi_with_drawn_nagashi_mangan_is_a_chombo() -> None:
    play = nagashi_beside_a_noten_riichi("draw")
    assert (play.ended_by, play.draw_result.offenders) == ("chombo", (0,))


# Showing a tenpai hand


def ready_at_the_end(*, riichi: bool = False) -> Play:
    """Stage the end of the wall: the dealer, seat 0, is tenpai for 4s, and nobody took the last
    discard."""
    rules = RuleSet(noten_declaration=True)
    hands = (READY_FOR_4S, *IDLE[1:])
    play = stage(hands, draw_for((), hands), rules=rules)
    if riichi:
        play.act(0, next(a for a in legal(play.table, 0) if isinstance(a, DeclareRiichi)))
    while play.table.phase in (Phase.TURN, Phase.CLAIMS):
        play.tsumogiri()
    return play


def test_a_tenpai_player_is_asked_whether_to_show() -> None:
    play = ready_at_the_end()
    assert play.table.phase == Phase.SHOWING
    assert pending_seats(play.table) == (0,)
    assert legal(play.table, 0) == (ShowTenpai(), Pass())
    assert all(legal(play.table, seat) == () for seat in (1, 2, 3))


def test_question_to_show_tenpai_is_hidden_from_others() -> None:
    play = ready_at_the_end()
    for viewer in (1, 2, 3, SPECTATOR):
        assert pending_seats(view(play.table, viewer)) == ()
        assert isinstance(play.events[-1], WallUsedUp)
        assert redact(play.events[-1], viewer) == WallUsedUp(0)


def test_shown_tenpai_is_paid_and_keeps_the_deal() -> None:
    play = ready_at_the_end()
    play.act(0, ShowTenpai())
    play.do(Proceed(play.table.step))
    assert play.draw_result.deltas == (3_000, -1_000, -1_000, -1_000)
    play.deal_next()
    assert play.table.kyoku == 0


def test_hidden_tenpai_is_noten_and_loses_the_deal() -> None:
    play = ready_at_the_end()
    play.let_pass(0)
    play.do(Proceed(play.table.step))
    assert play.draw_result.tehais == ((), (), (), ())
    assert play.draw_result.deltas == (0, 0, 0, 0)
    play.deal_next()
    assert play.table.kyoku == 1


def test_player_in_riichi_must_show() -> None:
    play = ready_at_the_end(riichi=True)
    assert pending_seats(play.table) == ()
    play.do(Proceed(play.table.step))
    assert play.draw_result.tenpais == (True, False, False, False)


def test_late_player_shows_the_tenpai_hand() -> None:
    play = ready_at_the_end()
    play.time_out(0)
    play.do(Proceed(play.table.step))
    assert play.draw_result.tenpais == (True, False, False, False)
