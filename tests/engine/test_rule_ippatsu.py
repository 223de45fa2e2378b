"""Double riichi and ippatsu: what gives them, and what ends them."""

from __future__ import annotations

from game.engine.rules import RuleSet
from tests.kit.play import Play, stage

PINFU = "234567m345p67s99s"
"""A hand that waits for 5s and 8s."""


def declare_riichi(draws: str = "", hands: tuple[str, ...] = (), **staging: object) -> Play:
    """Stage seat 0, which waits for 5s and 8s and declares riichi with 1p; nobody takes the
    tile."""
    play = stage((PINFU, *hands), f"1p {draws}", **staging)  # type: ignore[arg-type]
    play.riichi(0, "1p")
    play.proceed()
    return play


def test_riichi_with_the_first_discard_is_double() -> None:
    play = declare_riichi("9m 9m 9m 9p 8s")
    assert play.hand(0).double_riichi
    play.discard_in_turn("9m 9m 9m 9p")
    play.discard(1, "8s")
    play.ron(0)
    assert play.win.yaku == (("daburu", 2), ("pinfu", 1))


def test_any_player_may_declare_double_riichi() -> None:
    play = stage(("", "", "", PINFU), "9m 9m 9p 1p")
    play.discard_in_turn("9m 9m 9p")
    play.riichi(3, "1p")
    assert play.hand(3).double_riichi


def test_riichi_with_a_later_discard_is_not_double() -> None:
    play = stage((PINFU,), "9m 9m 9p 9p 1p")
    play.discard_in_turn("9m 9m 9p 9p")
    play.riichi(0, "1p")
    assert not play.hand(0).double_riichi


def test_earlier_call_prevents_double_riichi() -> None:
    play = stage(("", "11m258p258s69pESW", "", PINFU), "1m 9s 1p")
    play.discard(0, "1m")
    play.pon(1, "11m")
    play.discard(1, "E")
    play.discard_in_turn("9s")
    play.riichi(3, "1p")
    assert not play.hand(3).double_riichi


def test_another_closed_kan_prevents_double_riichi() -> None:
    play = stage(("111m258p258s69pES", PINFU), "1m 1p", rinshan="9p")
    play.ankan(0, "1111m")
    play.discard(0, "9p")
    play.riichi(1, "1p")
    assert not play.hand(1).double_riichi


def test_own_closed_kan_prevents_double_riichi() -> None:
    play = stage(("EEE567m345p67s99s",), "E", rinshan="1p")
    play.ankan(0, "EEEE")
    play.riichi(0, "1p")
    assert not play.hand(0).double_riichi


# Ippatsu


def test_a_ron_before_the_next_own_discard_is_ippatsu() -> None:
    play = declare_riichi("9m 9m 8s")
    play.discard_in_turn("9m 9m")
    play.discard(3, "8s")
    play.ron(0)
    assert "ippatsu" in play.yaku


def test_a_self_draw_with_the_next_own_tile_is_ippatsu() -> None:
    play = declare_riichi("9m 9m 9m 8s")
    play.discard_in_turn("9m 9m 9m")
    play.tsumo(0)
    assert "ippatsu" in play.yaku


def test_ippatsu_ends_with_the_next_own_discard() -> None:
    play = declare_riichi("9m 9m 9m 9p 8s")
    play.discard_in_turn("9m 9m 9m 9p")
    play.discard(1, "8s")
    play.ron(0)
    assert "ippatsu" not in play.yaku


def test_without_ippatsu_no_win_has_it() -> None:
    play = declare_riichi("9m 9m 8s", rules=RuleSet(ippatsu=False))
    play.discard_in_turn("9m 9m")
    play.discard(3, "8s")
    play.ron(0)
    assert "ippatsu" not in play.yaku


def test_a_chi_ends_ippatsu() -> None:
    play = declare_riichi("1m 8s", ("", "23m147p258s69pECF"))
    play.discard(1, "1m")
    play.chi(2, "23m")
    play.discard(2, "E")
    play.discard(3, "8s")
    play.ron(0)
    assert "ippatsu" not in play.yaku


def test_a_pon_ends_ippatsu() -> None:
    play = declare_riichi("1m 8s", ("", "", "11m147p258s69pECF"))
    play.discard(1, "1m")
    play.pon(3, "11m")
    play.discard(3, "E")
    assert not play.hand(0).ippatsu


def test_an_open_kan_ends_ippatsu() -> None:
    play = declare_riichi("1m 8s", ("", "", "111m147p258s9pECF"))
    play.discard(1, "1m")
    play.kan(3, "111m")
    assert not play.hand(0).ippatsu


def test_another_closed_kan_ends_ippatsu() -> None:
    play = declare_riichi("1m", ("111m147p258s9pECF",), rinshan="8s")
    play.ankan(1, "1111m")
    play.proceed()
    play.discard(1, "8s")
    play.ron(0)
    assert "ippatsu" not in play.yaku


def test_unrobbed_added_kan_ends_ippatsu() -> None:
    play = stage(("", PINFU, "", "11m47p258s69pECFS"), "1m 9p 1p 9s 1m", rinshan="8s")
    play.discard(0, "1m")
    play.pon(3, "11m")
    play.discard(3, "F")
    play.discard(0, "9p")
    play.riichi(1, "1p")
    play.discard_in_turn("9s")
    play.kakan(3, "1m")
    assert play.hand(1).ippatsu
    play.proceed()
    assert not play.hand(1).ippatsu
    play.discard(3, "8s")
    play.ron(1)
    assert "ippatsu" not in play.yaku


def test_robbed_kan_keeps_ippatsu() -> None:
    play = stage(("", "35m567p789p456s11s", "", "44m47p25s69pECFSW"), "4m 9p 1p 9s 4m")
    play.discard(0, "4m")
    play.pon(3, "44m")
    play.discard(3, "F")
    play.discard(0, "9p")
    play.riichi(1, "1p")
    play.discard_in_turn("9s")
    play.kakan(3, "4m")
    play.ron(1)
    assert play.win.yaku == (("riichi", 1), ("ippatsu", 1), ("chankan", 1))


def test_the_own_closed_kan_ends_ippatsu() -> None:
    play = stage(("999m234m345p67s11s",), "1p 1m 1m 1m 9m", rinshan="8s")
    play.riichi(0, "1p")
    play.discard_in_turn("1m 1m 1m")
    play.ankan(0, "9999m")
    play.tsumo(0)
    assert "ippatsu" not in play.yaku
    assert {"daburu", "rinshan", "tsumo"} <= play.yaku
