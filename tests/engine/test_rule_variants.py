"""Switches that Tenhou's presets do not change: a fifth kan, strict kans in riichi, more pao."""

from __future__ import annotations

import pytest

from game.engine.actions import DeclareAnkan
from game.engine.rules import RuleSet
from game.engine.state import Phase
from tests.kit.play import Play, stage
from tests.kit.tables import tile

NO_REDS = (0, 0, 0)


# A fifth kan


def test_forbidden_fifth_kan_is_not_offered() -> None:
    play = with_four_kans("forbidden")
    assert "ankan CCCC" not in play.offered(1)
    four = (tile("C"),) * 4
    assert play.refusal_of(1, DeclareAnkan(four)) == ("four_kans", "there are four kans already")


def test_fifth_kan_may_abort() -> None:
    play = with_four_kans("abort")
    play.ankan(1, "CCCC")
    assert play.ended_by == "sukaikan"
    assert play.table.supplements == 4


def test_fifth_kan_may_use_the_ura_indicators() -> None:
    play = with_four_kans("use_ura", ura="5s")
    left = play.table.left
    play.ankan(1, "CCCC")
    assert (play.table.phase, play.table.turn) == (Phase.TURN, 1)
    assert play.drawn == "5s"
    assert play.table.left == left - 1
    assert len(play.table.dora) == 5


def test_no_kan_is_offered_without_replacement_tiles() -> None:
    """Four replacement tiles and five ura indicators suffice for nine kans."""
    rules = RuleSet(fifth_kan="use_ura", sukaikan="off", red_fives=NO_REDS)
    quads = ("1111m2222m3333mE", "4444m5555m6666mS", "7777m8888m9999mW", "1111p2222p333pNN")
    play = stage(
        quads, "P F C 3p", rinshan="4p 7p 4s 7s", ura="5p 8p 5s 8s 6p", dora="9p", rules=rules
    )
    for seat, kinds in enumerate(("123m", "456m", "789m")):
        for rank in kinds[:3]:
            play.ankan(seat, f"{rank * 4}m")
        play.discard(seat, play.drawn)
        play.proceed()
    assert (play.table.turn, play.table.supplements) == (3, 9)
    assert not any("kan" in offer for offer in play.offered(3))
    one = (tile("1p"),) * 4
    refused = "no_replacement", "no replacement tile is left"
    assert play.refusal_of(3, DeclareAnkan(one)) == refused
    play.discard(3, "N")
    play.proceed()
    assert play.table.phase == Phase.TURN


def with_four_kans(fifth_kan: str, ura: str = "") -> Play:
    """Stage seat 0 with four closed kans, after its discard; seat 1 holds four red dragons."""
    rules = RuleSet(fifth_kan=fifth_kan, red_fives=NO_REDS)  # type: ignore[arg-type]
    play = stage(
        ("1111m2222p333s9s8p", "CCC58m5p147sPSWN"),
        "3s C",
        rinshan="9s 9s 9s 8s",
        ura=ura,
        rules=rules,
    )
    for four in ("1111m", "2222p", "3333s", "9999s"):
        play.ankan(0, four)
    play.discard(0, "8s")
    play.proceed()
    return play


# Closed kans in riichi


@pytest.mark.parametrize("drawn", ["4p", "5p", "6p"])
def test_strict_kan_in_riichi_forbids_three_like_triplets(drawn: str) -> None:
    """Q4: the waits stay the same, but the triplets could be read as runs."""
    rules = RuleSet(red_fives=NO_REDS, riichi_ankan="shape_unchanged")
    play = stage(("1234m444555666p",), f"9s 9s 9s F {drawn}", rules=rules)
    play.riichi(0, "9s")
    play.discard_in_turn("9s 9s F")
    assert play.offered(0) == set()


@pytest.mark.parametrize("riichi_ankan", ["waits_unchanged", "shape_unchanged"])
@pytest.mark.parametrize(
    ("hand", "drawn"),
    [
        pytest.param("33m67m234p333345s", "6s", id="Q1: another tile than the triplet's is drawn"),
        pytest.param("234m2223p234s789s", "2p", id="Q2: of three waits one would be left"),
    ],
)
def test_invalid_kans_in_riichi_are_never_offered(riichi_ankan: str, hand: str, drawn: str) -> None:
    """Q1 and Q2: before the riichi both kans could be declared."""
    rules = RuleSet(red_fives=NO_REDS, riichi_ankan=riichi_ankan)  # type: ignore[arg-type]
    play = stage((hand,), f"9p 9p 9p F {drawn}", rules=rules)
    play.riichi(0, "9p")
    play.discard_in_turn("9p 9p F")
    assert play.offered(0) == set()
    quiet = stage((hand,), f"9p 9p 9p F {drawn}", rules=rules)
    quiet.discard_in_turn("9p 9p 9p F")
    assert any(offer.startswith("ankan") for offer in quiet.offered(0))


def test_strict_kan_in_riichi_allows_a_plain_triplet() -> None:
    play = stage(
        ("EEE567m345p67s99s",), "9p 9p 9p F E", rules=RuleSet(riichi_ankan="shape_unchanged")
    )
    play.riichi(0, "9p")
    play.discard_in_turn("9p 9p F")
    assert play.offered(0) == {"ankan EEEE"}


@pytest.mark.parametrize(
    ("hand", "drawn", "allowing"),
    [
        pytest.param(
            "4445777m345p789p", "7m", {"waits_unchanged", "yaku_kept"}, id="a reading is lost"
        ),
        pytest.param("1234m444555666p", "4p", {"waits_unchanged"}, id="iipeikou is lost"),
        pytest.param(
            "1112334567999p", "9p", {"waits_unchanged", "shape_unchanged"}, id="chuuren is lost"
        ),
    ],
)
def test_kan_in_riichi_may_have_to_keep_yaku(hand: str, drawn: str, allowing: set[str]) -> None:
    found = set()
    for value in ("never", "waits_unchanged", "yaku_kept", "shape_unchanged"):
        rules = RuleSet(red_fives=NO_REDS, riichi_ankan=value)  # type: ignore[arg-type]
        play = stage((hand,), f"9s 9s 9s F {drawn}", rules=rules)
        play.riichi(0, "9s")
        play.discard_in_turn("9s 9s F")
        if any(offer.startswith("ankan") for offer in play.offered(0)):
            found.add(value)
    assert found == allowing


# Pao for an open kan


def open_kan(rules: RuleSet, rinshan: str, draws: str = "") -> Play:
    """Stage a discard of chun by seat 1, of which seat 0 makes an open kan and draws a
    replacement."""
    play = stage(("CCC234m567p4477s", ""), f"1p C {draws}", rinshan=rinshan, rules=rules)
    play.discard(0, "1p")
    play.discard(1, "C")
    play.kan(0, "CCC")
    return play


def test_discarder_of_the_kan_pays_for_rinshan() -> None:
    play = open_kan(RuleSet(pao_rinshan=True), "7s")
    play.tsumo(0)
    assert play.win.liable == 1
    assert play.win.deltas == (play.win.points, -play.win.points, 0, 0)


def test_rinshan_without_the_switch_is_a_usual_self_draw() -> None:
    play = open_kan(RuleSet(), "7s")
    play.tsumo(0)
    assert play.win.liable == -1
    assert all(delta < 0 for delta in play.win.deltas[1:])


def test_discarder_of_the_kan_does_not_pay_a_later_win() -> None:
    play = open_kan(RuleSet(pao_rinshan=True), "1s", "E S W 7s")
    play.discard(0, "1s")
    play.discard_in_turn("E S W")
    play.tsumo(0)
    assert play.win.liable == -1
