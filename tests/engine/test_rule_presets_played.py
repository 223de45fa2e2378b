"""Situations in which the presets differ, each played under the rules that it names."""

from __future__ import annotations

import pytest

from game.engine.by_seat import BySeat
from game.engine.presets import preset
from game.engine.value import limit_of
from tests.kit.play import Play, stage

READY = "234567m345p67s99s"
"""A hand with pinfu that waits for 5s and 8s."""
READY_TOO = "234678m456p67s11s"
READY_AS_WELL = "345m123789p67s22p"


def riichi_into_three(name: str, honba: int = 0, kyotaku: int = 0) -> Play:
    """Stage a dealer who declares riichi with 8s, on which all others win."""
    play = stage(
        ("EEEWWW999m44s88p", READY, READY_TOO, READY_AS_WELL),
        "8s",
        honba=honba,
        kyotaku=kyotaku,
        scores=preset_scores(name),
        rules=preset(name),
    )
    play.riichi(0, "8s")
    play.ron(1, 2, 3)
    return play


def preset_scores(name: str) -> BySeat[int]:
    points = preset(name).start_points
    return points, points, points, points


def gains(play: Play, name: str) -> tuple[int, ...]:
    """Return the changes of points in the hand."""
    return tuple(score - preset(name).start_points for score in play.table.scores)


def test_three_rons_on_a_riichi_tile() -> None:
    play = riichi_into_three("tenhou", honba=1, kyotaku=1)
    assert (play.ended_by, play.table.kyotaku) == ("sanchaho", 1)
    play = riichi_into_three("mahjong-soul", honba=1, kyotaku=1)
    assert gains(play, "mahjong-soul") == (-3_300, 2_300, 1_000, 1_000)


def into_three(name: str, honba: int) -> Play:
    """Stage a dealer who discards 8s on the second turn; all others may win on it."""
    hands = ("", READY.replace("345p", "456p"), "234678m345p67s11s", READY_AS_WELL)
    play = stage(
        hands,
        "9m 9p 9p 9p 8s",
        honba=honba,
        scores=preset_scores(name),
        rules=preset(name),
    )
    play.discard_in_turn("9m 9p 9p 9p")
    play.discard(0, "8s")
    return play


def test_three_rons_with_honba_for_each() -> None:
    for name in ("ema-2012", "ema-2016", "ema-2025"):
        play = into_three(name, honba=2)
        play.ron(1, 2, 3)
        assert gains(play, name) == (-4_800, 1_600, 1_600, 1_600)


@pytest.mark.parametrize("name", ["m-league", "wrc-2025", "jpml-a", "jpml-2026", "saikouisen"])
def test_three_rons_under_head_bump(name: str) -> None:
    play = into_three(name, honba=1)
    play.ron(3, 2, 1)
    assert gains(play, name) == (-1_300, 1_300, 0, 0)


def test_presets_value_renhou_differently() -> None:
    for name, limit in (
        ("tenhou", ""),
        ("mahjong-soul", ""),
        ("ema-2012", "yakuman"),
        ("ema-2016", "mangan"),
        ("ema-2025", "mangan"),
        ("wrc-2025", "mangan"),
        ("jpml-a", "mangan"),
        ("jpml-2026", ""),
    ):
        play = stage(("", READY), "8s", rules=preset(name))
        play.discard(0, "8s")
        play.ron(1)
        assert play.win.limit == limit
        assert ("renhou" in play.yaku) == bool(limit)


def test_four_kans_of_four_players_under_tenhou() -> None:
    play = stage(
        ("222p147m369s69pES", "333p147m369s69pES", "444p258m369s69pNW", "777s258m369s1pFWN"),
        "2p 3p 4p 7s",
        rinshan="C C C P",
        honba=1,
    )
    for seat, four in enumerate(("2222p", "3333p", "4444p", "7777s")):
        play.ankan(seat, four)
        play.proceed()
        play.discard(seat, play.drawn)
        play.proceed()
    assert play.ended_by == "sukaikan"
    play.deal_next()
    assert (play.table.kyoku, play.table.honba) == (0, 2)


@pytest.mark.parametrize(
    ("name", "least"),
    [("ema-2016", 4), ("tenhou", 4), ("mahjong-soul", 4), ("ema-2025", 1), ("m-league", 1)],
)
def test_presets_limit_riichi_near_the_end_of_the_wall(name: str, least: int) -> None:
    seat = (70 - least - 1) % 4
    hands = ["", "", "", ""]
    hands[seat] = READY
    hands[(seat + 1) % 4] = READY_TOO
    play = stage(hands, rules=preset(name))
    play.tsumogiri_until_left(least)
    assert play.table.turn == seat
    assert any(offer.startswith("riichi") for offer in play.offered(seat))
    play.tsumogiri()
    assert play.table.left == least - 1
    assert not any(offer.startswith("riichi") for offer in play.offered((seat + 1) % 4))


def test_only_some_presets_allow_riichi_with_900_points() -> None:
    for rules, is_offered in (
        (preset("m-league"), True),
        (preset("ema-2012"), True),
        (preset("ema-2016"), True),
        (preset("ema-2025"), True),
        (preset("ema-2025", 2), False),
        (preset("wrc-2025"), True),
        (preset("tenhou"), False),
        (preset("mahjong-soul"), False),
    ):
        play = stage((READY,), "1p", scores=(900, 33_100, 33_000, 33_000), rules=rules)
        assert ("riichi 1p" in play.offered(0)) == is_offered


@pytest.mark.parametrize(
    ("name", "same", "other_end"),
    [
        ("jpml-a", False, True),
        ("jpml-2026", False, False),
        ("ema-2012", True, True),
        ("tenhou", False, False),
        ("ema-2016", False, False),
        ("wrc-2025", False, False),
        ("m-league", False, False),
        ("mahjong-soul", False, False),
        ("saikouisen", False, False),
    ],
)
def test_presets_forbid_kuikae_differently(name: str, same: bool, other_end: bool) -> None:
    play = stage(("", "4567m147p258sESW"), "4m", rules=preset(name))
    play.discard(0, "4m")
    play.chi(1, "56m")
    play.proceed()
    assert ("4m" in play.discardable(1)) == same
    assert ("7m" in play.discardable(1)) == other_end


def test_pon_of_another_player_ends_furiten_in_ema_2012() -> None:
    for name, may_win in (("ema-2012", True), ("tenhou", False), ("ema-2016", False)):
        hands = (READY, "", "", "44m147p258s9pSWNP")
        play = stage(hands, "1p 5s 4m", rules=preset(name))
        play.discard_in_turn("1p 5s")
        play.discard(2, "4m")
        play.pon(3, "44m")
        play.discard(3, "8s")
        assert ("ron" in play.offered(0)) == may_win


def test_yakuman_add_up_under_jpml_since_2026() -> None:
    for name, yakuman, limit in (("jpml-2026", 2, "kazoe_yakuman"), ("jpml-a", 1, "sanbaiman")):
        play = stage(("PPPFFFCCC222m9p",), "1p 1m 1m 1m 9p", rules=preset(name))
        play.discard_in_turn("1p 1m 1m 1m")
        play.tsumo(0)
        assert play.win.yakuman == yakuman
        assert limit_of(preset(name), 13, 30)[0] == limit


def test_five_counters_need_two_han_of_yaku() -> None:
    rules = preset("ema-2012")
    play = stage((READY,), "1p 8s", honba=4, rules=rules)
    play.discard(0, "1p")
    play.discard(1, "8s")
    assert play.offered(0) == {"ron"}
    play = stage((READY,), "1p 8s", honba=5, dora="1p 8s", rules=rules)
    play.discard(0, "1p")
    play.discard(1, "8s")
    assert play.offered(0) == set()
    play = stage((READY,), "1p 9m 9m 9m 1p 9m 1s 1s 8s", honba=6, rules=rules)
    play.discard_in_turn("1p 9m 9m 9m 1p 9m 1s 1s")
    assert "tsumo" in play.offered(0)


def test_five_counters_let_riichi_with_ippatsu_win() -> None:
    hand = "35m567p789p456s11s"
    play = stage((hand,), "9m 9m 9p 9s 1s 4m", honba=5, rules=preset("ema-2012"))
    play.discard_in_turn("9m 9m 9p 9s")
    play.riichi(0, "1s")
    play.proceed()
    play.discard(1, "4m")
    assert play.offered(0) == {"ron"}


def test_noten_dealer_loses_the_deal_in_the_south_round() -> None:
    for rules, next_kyoku in (
        (preset("classic"), 6),
        (preset("classic", 2), 5),
        (preset("tenhou"), 6),
        (preset("ema-2012"), 6),
    ):
        play = stage(kyoku=5, rules=rules)
        play.play_to_exhaustive_draw()
        play.deal_next()
        assert play.table.kyoku == next_kyoku


def test_a_win_on_the_replacement_tile_of_an_open_kan() -> None:
    for name in ("classic", "jpml-a", "tenhou", "wrc-2025"):
        play = stage(
            ("", "", "444m888p46s12311s"),
            "4m",
            rinshan="5s",
            scores=preset_scores(name),
            rules=preset(name),
        )
        play.discard(0, "4m")
        play.kan(2, "444m")
        play.tsumo(2)
        is_fed = name in ("classic", "jpml-a")
        payers = [seat for seat, gain in enumerate(gains(play, name)) if gain < 0]
        assert payers == ([0] if is_fed else [0, 1, 3])


def test_dora_of_an_open_kan_before_a_rinshan_win() -> None:
    for name, counts in (("ema-2016", True), ("m-league", True), ("tenhou", False)):
        play = stage(
            ("", "", "444m888p46s12311s"), "4m", rinshan="5s", dora="E 7p", rules=preset(name)
        )
        play.discard(0, "4m")
        play.kan(2, "444m")
        play.tsumo(2)
        assert ("dora" in play.yaku) == counts


def test_aborts_are_played_or_not() -> None:
    nine = "19m19p19sESW2345m"
    for name, is_played in (
        ("tenhou", True),
        ("mahjong-soul", True),
        ("ema-2012", True),
        ("jpml-a", True),
        ("jpml-2026", False),
        ("ema-2016", False),
        ("wrc-2025", False),
        ("m-league", False),
        ("saikouisen", False),
    ):
        rules = preset(name)
        assert ("kyushu" in stage((nine,), "5p", rules=rules).offered(0)) == is_played
        play = stage(("147m258p369sESNP",), "WWWW", rules=rules)
        play.discard_in_turn("WWWW")
        assert (play.ended_by == "sufon_renda") == is_played


def test_the_game_ends_below_zero_or_not() -> None:
    for name, ends in (("tenhou", True), ("mahjong-soul", True), ("ema-2012", False)):
        play = stage(("", READY), "8s", scores=(900, 33_100, 33_000, 33_000), rules=preset(name))
        play.discard(0, "8s")
        play.ron(1)
        assert play.is_over == ends


def test_the_game_goes_west_or_not() -> None:
    for name, has_west in (("tenhou", True), ("mahjong-soul", True), ("ema-2012", False)):
        play = stage(("", READY), "9m 8s", kyoku=7, rules=preset(name))
        play.discard(3, "9m")
        play.discard(0, "8s")
        play.ron(1)
        assert play.is_over != has_west
