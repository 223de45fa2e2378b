"""Chombo: the penalties for false declarations, at tables where the client does not prevent
them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from game.engine.actions import DeclareRiichi, Discard, Win
from game.engine.commands import Proceed
from game.engine.events import HandStarted
from game.engine.legal import choices, default_action, legal, pending_seats
from game.engine.presets import preset
from game.engine.rules import RuleSet
from game.engine.state import Phase
from tests.kit.play import Play, stage
from tests.kit.tables import tile

REVERSE_MANGAN = RuleSet(
    false_declarations=True, chombo="reverse_mangan", tobi=False, red_fives=(0, 0, 0)
)
AFTER_GAME = replace(REVERSE_MANGAN, chombo="after_game", chombo_points=20_000)


def stage_open_hand() -> Play:
    """Stage a hand in which South has called 9m and waits for 3s and 6s without a yaku. East draws
    and may discard 3s."""
    play = stage(
        ("3s147m258p369sESW", "99m123p789p45s99p1m"),
        "9m 2s P F",
        rules=REVERSE_MANGAN,
    )
    play.discard(0, "9m")
    play.pon(1, "99m")
    play.discard(1, "1m")
    play.proceed()
    while play.table.turn != 0:
        play.tsumogiri()
    return play


# Where the client prevents it


@pytest.mark.parametrize("rules", [RuleSet(), preset("ema-2016"), preset("m-league")])
def test_false_win_is_refused_without_false_declarations(rules: RuleSet) -> None:
    play = stage(rules=rules)
    assert choices(play.table, 0) == legal(play.table, 0)
    assert play.refusal_of(0, Win())[0] == "not_complete"


def test_false_declarations_are_not_listed_as_legal() -> None:
    play = stage(rules=REVERSE_MANGAN)
    assert Win() in choices(play.table, 0)
    assert Win() not in legal(play.table, 0)
    assert default_action(play.table, 0) != Win()


def test_order_of_actions_does_not_reveal_false_declarations() -> None:
    play = stage(("1m67m234567p345s9s",), "9s", rules=REVERSE_MANGAN)
    tenpai_after = DeclareRiichi(tile("1m"), False)
    assert [act for act in legal(play.table, 0) if isinstance(act, DeclareRiichi)] == [tenpai_after]
    shown = choices(play.table, 0)
    discards = [act for act in shown if isinstance(act, Discard)]
    riichi = [DeclareRiichi(discard.pai, discard.tsumogiri) for discard in discards]
    assert list(shown) == [Win(), *riichi, *discards]


# A false win


def test_dealers_false_self_draw_pays_4000_to_each() -> None:
    play = stage(rules=REVERSE_MANGAN, honba=2, kyotaku=1)
    play.act(0, Win())
    foul = play.draw_result
    assert (foul.reason, foul.foul, foul.offenders) == ("chombo", "false_win", (0,))
    assert foul.deltas == (-12_000, 4_000, 4_000, 4_000)
    assert play.table.kyotaku == 1
    assert len(foul.tehais[0]) == 14
    assert [len(row) for row in foul.tehais[1:]] == [0, 0, 0]


def test_non_dealers_false_self_draw_pays_4000_and_2000() -> None:
    play = stage(rules=REVERSE_MANGAN, kyoku=1)
    play.tsumogiri()
    play.act(2, Win())
    assert play.draw_result.deltas == (2_000, 4_000, -8_000, 2_000)


def test_ron_without_a_yaku_is_a_chombo() -> None:
    play = stage_open_hand()
    play.discard(0, "3s")
    assert set(choices(play.table, 1)) - set(legal(play.table, 1)) == {Win()}
    assert pending_seats(play.table) == (1,)
    play.act(1, Win())
    assert (play.ended_by, play.draw_result.offenders) == ("chombo", (1,))
    assert play.draw_result.deltas == (4_000, -8_000, 2_000, 2_000)


def test_play_continues_after_passing_on_a_false_win() -> None:
    play = stage_open_hand()
    play.discard(0, "3s")
    play.proceed()
    assert (play.table.phase, play.table.turn) == (Phase.TURN, 1)


def test_ron_in_furiten_is_a_chombo() -> None:
    play = stage(
        ("", "234678m456p67s11s", "", "8s147m258p369sESW"), "P 8s F C", rules=REVERSE_MANGAN
    )
    play.tsumogiri()
    play.discard(1, "8s")
    play.tsumogiri()
    play.discard(3, "8s")
    assert legal(play.table, 1)[0] != Win()
    play.act(1, Win())
    assert play.ended_by == "chombo"


def test_chombo_is_void_when_another_wins_on_the_tile() -> None:
    """T49: a correct win on the tile stands, and the chombo is void."""
    play = stage(
        ("", "234678m456p67s11s", "345m789p234m67s22p", ""),
        "P 8s 9m 9m 8s",
        rules=replace(REVERSE_MANGAN, sanchaho=False),
    )
    play.discard(0, "P")
    play.proceed()
    play.discard(1, "8s")
    play.let_pass(*(seat for seat in pending_seats(play.table)))
    play.proceed()
    while play.table.turn != 0:
        play.tsumogiri()
    play.discard(0, "8s")
    play.act(1, Win())
    assert play.table.phase == Phase.CLAIMS
    play.act(2, Win())
    assert (play.ended_by, play.win.actor) == ("won", 2)
    assert play.table.chombos == (0, 0, 0, 0)


# A false riichi


def noten_riichi(rules: RuleSet = REVERSE_MANGAN) -> Play:
    """Stage a noten riichi: East, far from tenpai, declares it with the first tile."""
    play = stage(("147m258p369sESWN",), "P", rules=rules)
    play.act(0, DeclareRiichi(tile("P"), True))
    play.proceed()
    return play


def test_noten_riichi_is_detected_at_the_draw() -> None:
    play = noten_riichi()
    assert play.table.kyotaku == 1
    foul = play.play_to_exhaustive_draw()
    assert (foul.reason, foul.foul, foul.offenders) == ("chombo", "noten_riichi", (0,))
    assert foul.tehais[0] == play.hand(0).tiles
    assert foul.deltas == (1_000 - 12_000, 4_000, 4_000, 4_000)
    assert play.table.kyotaku == 0


def test_chombo_may_keep_the_riichi_sticks() -> None:
    play = noten_riichi(replace(REVERSE_MANGAN, chombo_returns_riichi=False))
    assert play.play_to_exhaustive_draw().deltas == (-12_000, 4_000, 4_000, 4_000)
    assert play.table.kyotaku == 1


def test_a_noten_player_among_four_in_riichi_commits_chombo() -> None:
    """R88: the hands are shown after four riichi, and a noten one is a chombo."""
    ready = ("234m345678p66s78s", "234m345678s66p78p", "22m345m678m345p78p", "")
    play = stage(ready, "P F C N", rules=REVERSE_MANGAN)
    for seat, text in ((0, "P"), (1, "F"), (2, "C")):
        play.riichi(seat, text)
        play.proceed()
    play.act(3, DeclareRiichi(play.table.drawn, True))
    play.proceed()
    foul = play.draw_result
    assert (foul.reason, foul.foul, foul.offenders) == ("chombo", "noten_riichi", (3,))
    assert all(foul.tehais)
    assert foul.deltas == (5_000, 3_000, 3_000, 1_000 - 8_000)


def test_an_open_hand_may_not_falsely_declare_riichi() -> None:
    play = stage_open_hand()
    play.discard_in_turn("F")
    assert play.table.turn == 1
    assert not any(isinstance(action, DeclareRiichi) for action in choices(play.table, 1))


# The penalty and the next hand


def next_hand(play: Play) -> HandStarted:
    for seat in pending_seats(play.table):
        play.act(seat, legal(play.table, seat)[0])
    if play.table.phase == Phase.RESULT:
        play.do(Proceed(play.table.step))
    return play.events_of(HandStarted)[-1]


def test_chombo_replays_the_hand_without_a_counter() -> None:
    play = stage(rules=REVERSE_MANGAN, kyoku=2, honba=1)
    play.act(2, Win())
    again = next_hand(play)
    assert (again.bakaze, again.kyoku, again.oya, again.honba) == (54, 3, 2, 1)


def test_chombo_adds_a_counter_in_the_classic_rules() -> None:
    """R50 and C5: the classic rules replay the hand with one more counter."""
    play = stage(rules=preset("classic"), kyoku=2, honba=1)
    play.act(2, Win())
    assert play.draw_result.deltas[2] == -12_000
    assert next_hand(play).honba == 2


def test_chombo_after_the_game_moves_no_points() -> None:
    play = stage(rules=AFTER_GAME)
    play.act(0, Win())
    assert play.draw_result.deltas == (0, 0, 0, 0)
    assert play.table.chombos == (1, 0, 0, 0)
    assert next_hand(play).scores == (25_000,) * 4
    assert play.table.chombos == (1, 0, 0, 0)


def test_chombo_after_the_game_changes_no_place() -> None:
    rules = replace(AFTER_GAME, tobi=True)
    fouled = stage(rules=rules, scores=(60_000, 42_000, -1_000, -1_000))
    fouled.act(0, Win())
    assert fouled.is_over
    places = [place for place, _ in fouled.table.placement]
    points = [points for _, points in fouled.table.placement]
    assert places == [1, 2, 3, 4]
    assert sum(points) == -20
    assert points[0] == 30 + 20 + 20 - 20


def test_chombo_below_zero_ends_a_game_with_tobi() -> None:
    rules = replace(REVERSE_MANGAN, tobi=True)
    play = stage(rules=rules, scores=(11_000, 29_000, 30_000, 30_000))
    play.act(0, Win())
    assert play.is_over


def test_late_player_never_declares_a_false_win() -> None:
    play = stage_open_hand()
    play.discard(0, "3s")
    play.time_out(1)
    assert play.ended_by == ""
    assert play.table.chombos == (0, 0, 0, 0)
