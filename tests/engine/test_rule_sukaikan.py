"""Four kans of several players abort the hand; a rule decides what a fifth kan does."""

from __future__ import annotations

from game.engine.events import Drawn
from game.engine.rules import RuleSet
from game.engine.state import Phase, Table
from tests.kit.play import Play, stage


def is_abort(play: Play, reason: str, honba: int = 0) -> bool:
    """Return whether the hand ended by this abort, nothing was paid, and the dealer replays it with
    one more honba."""
    before: Table = play.table
    ended = play.ended_by == reason and play.draw_result.deltas == (0, 0, 0, 0)
    play.deal_next()
    after = play.table
    return ended and (after.kyoku, after.honba, after.kyotaku, after.scores) == (
        before.kyoku,
        honba + 1,
        before.kyotaku,
        before.scores,
    )


def four_kans(
    last_draw: str = "9m", rules: RuleSet | None = None, hands: tuple[str, str] = ("", "")
) -> Play:
    """Stage three closed kans of seat 0 and a fourth kan of seat 1, whose replacement tile is
    `last_draw`. Seats 2 and 3 may hold `hands`."""
    play = stage(
        ("222p333p444p678s9s", "555s147m258m69p1s1p", *hands),
        "2p 5s",
        rinshan=f"3p 4p E {last_draw}",
        rules=rules or RuleSet(red_fives=(0, 0, 0)),
    )
    for four in ("2222p", "3333p", "4444p"):
        play.ankan(0, four)
    play.discard(0, "E")
    play.ankan(1, "5555s")
    play.proceed()
    return play


def test_four_kans_of_two_players_abort_after_the_next_discard() -> None:
    play = four_kans()
    assert play.table.phase == Phase.TURN
    assert play.drawn == "9m"
    play.discard(1, "9m")
    assert play.ended_by == ""
    play.proceed()
    assert is_abort(play, "sukaikan")


def ready_owner(replacement: str) -> Play:
    """Stage `four_kans` with seat 1 waiting for 6p and 9p."""
    play = stage(
        ("222p333p444p678s9s", "555s123789m78p11s"),
        "2p 5s",
        rinshan=f"3p 4p E {replacement}",
        rules=RuleSet(red_fives=(0, 0, 0)),
    )
    for four in ("2222p", "3333p", "4444p"):
        play.ankan(0, four)
    play.discard(0, "E")
    play.ankan(1, "5555s")
    return play


def test_a_win_on_the_fourth_replacement_tile_beats_the_abort() -> None:
    play = ready_owner("9p")
    play.tsumo(1)
    assert play.ended_by == "won"
    assert "rinshan" in play.yaku


def test_ron_after_the_fourth_kan_beats_the_abort() -> None:
    play = four_kans("6m", hands=("34578m678p11234s", ""))
    play.discard(1, "6m")
    play.ron(2)
    assert play.ended_by == "won"


def test_discard_after_the_fourth_kan_cannot_be_called() -> None:
    play = four_kans("6m", hands=("78m69p12369sEENP", "66m69p12369sWWPF"))
    play.discard(1, "6m")
    assert play.offered(2) == set()
    assert play.offered(3) == set()


def test_four_kans_of_one_player_abort_nothing() -> None:
    play = stage(("111222333m444p9s",), "1m", rinshan="2m 3m 4p E")
    for four in ("1111m", "2222m", "3333m", "4444p"):
        play.ankan(0, four)
    play.discard(0, "E")
    play.proceed()
    assert (play.ended_by, play.table.turn) == ("", 1)


def robbable_fourth_kan(**switches: object) -> Play:
    """Stage three kans of seat 0; seat 1 adds a fourth tile to its pon, for which seat 2 waits."""
    rules = RuleSet(red_fives=(0, 0, 0), **switches)  # type: ignore[arg-type]
    play = stage(
        ("222p333p444p678s9s", "55s147m25m69p1s1pEN", "46s123789m99p123s"),
        "2p N 9m F 5s",
        rinshan="3p 4p 5s",
        rules=rules,
    )
    for four in ("2222p", "3333p", "4444p"):
        play.ankan(0, four)
    play.discard(0, "5s")
    play.pon(1, "55s")
    play.discard(1, "E")
    play.tsumogiri(3)
    assert play.drawn == "5s"
    play.kakan(1, "5s")
    return play


def test_a_robbed_fourth_kan_is_void_and_the_win_counts() -> None:
    play = robbable_fourth_kan()
    play.ron(2)
    assert play.ended_by == "won"
    assert "chankan" in play.yaku
    assert play.table.supplements == 3


def test_unrobbed_fourth_kan_aborts_after_the_discard() -> None:
    play = robbable_fourth_kan()
    play.proceed()
    assert play.ended_by == ""
    play.tsumogiri()
    assert play.ended_by == "sukaikan"


def test_riichi_after_the_fourth_kan_pays_its_stick() -> None:
    play = ready_owner("N")
    play.riichi(1, "N")
    play.proceed()
    assert play.table.kyotaku == 1
    assert is_abort(play, "sukaikan")


def test_on_declaration_abort_precedes_the_replacement_tile() -> None:
    play = four_kans(rules=RuleSet(sukaikan="on_declaration", red_fives=(0, 0, 0)))
    assert play.ended_by == "sukaikan"
    assert sum(event.rinshan for event in play.events_of(Drawn)) == 3
    assert is_abort(play, "sukaikan")


def test_on_declaration_the_fourth_kan_can_still_be_robbed() -> None:
    play = robbable_fourth_kan(sukaikan="on_declaration")
    assert play.ended_by == ""
    play.ron(2)
    assert play.ended_by == "won"


def one_owner(**switches: object) -> Play:
    """Stage four closed kans of seat 0; seat 1 draws its fourth 9p."""
    play = stage(
        ("111222333m444p9s", "999p67m258s6pSWPF"),
        "1m 9p",
        rinshan="2m 3m 4p E",
        ura="8s 8m N P F",
        rules=RuleSet(**switches),  # type: ignore[arg-type]
    )
    for four in ("1111m", "2222m", "3333m", "4444p"):
        play.ankan(0, four)
    play.proceed()
    assert (play.ended_by, play.drawn) == ("", "E")
    play.discard(0, "E")
    play.proceed()
    return play


def test_on_declaration_one_player_with_four_kans_plays_on() -> None:
    play = one_owner(sukaikan="on_declaration")
    assert (play.ended_by, play.table.turn) == ("", 1)


def test_a_fifth_kan_is_forbidden() -> None:
    assert one_owner().offered(1) == set()


def test_a_fifth_kan_can_abort_the_hand() -> None:
    play = one_owner(fifth_kan="abort")
    play.ankan(1, "9999p")
    assert sum(event.rinshan for event in play.events_of(Drawn)) == 4
    assert is_abort(play, "sukaikan")


def test_fifth_kan_can_draw_from_the_ura_indicators() -> None:
    play = one_owner(fifth_kan="use_ura")
    play.ankan(1, "9999p")
    play.proceed()
    assert (play.ended_by, play.drawn) == ("", "8s")
    play.discard(1, "8s")
    play.proceed()
    assert (play.ended_by, play.table.turn) == ("", 2)


def test_without_sukaikan_four_kans_abort_nothing() -> None:
    play = four_kans(rules=RuleSet(sukaikan="off", red_fives=(0, 0, 0)))
    play.discard(1, "9m")
    play.proceed()
    assert (play.ended_by, play.table.turn) == ("", 2)


def test_abort_precedes_the_exhaustive_draw() -> None:
    play = stage(
        ("222p333p444p678s9s", "555s147m258m69p1s1p"),
        "2p",
        last="5s F C P C",
        rinshan="3p 4p E 9m",
        rules=RuleSet(red_fives=(0, 0, 0)),
    )
    for four in ("2222p", "3333p", "4444p"):
        play.ankan(0, four)
    play.discard(0, "E")
    play.tsumogiri_until_left(1)
    assert (play.table.turn, play.drawn) == (1, "5s")
    play.ankan(1, "5555s")
    play.discard(1, "9m")
    assert play.table.left == 0
    play.proceed()
    assert play.ended_by == "sukaikan"
