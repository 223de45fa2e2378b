"""The discarder of a called tile becomes liable for the caller's yakuman if the call makes it
certain."""

from __future__ import annotations

from game.engine.pao import liable_for
from game.engine.rules import RuleSet
from game.engine.tiles import kind_of
from tests.engine.scoring_rows import melds

RULES = RuleSet(pao_suukantsu=True)
EAST, NORTH, HAKU, HATSU, CHUN, ONE_MAN = 27, 30, 31, 32, 33, 0


def liable_after_call(kind: int, laid: str, *, is_kan: bool = False, rules: RuleSet = RULES) -> str:
    return " ".join(liable_for(rules, melds(laid), kind, is_kan=is_kan))


def test_third_dragon_makes_liable_for_daisangen() -> None:
    for third, others in ((CHUN, "5 6"), (HATSU, "7 5"), (HAKU, "6 7")):
        first, second = (f"pon {rank * 3}z@R" for rank in others.split())
        assert liable_after_call(third, f"{first} {second}") == "daisangen"
        assert liable_after_call(third, f"{first} {second}", is_kan=True) == "daisangen"


def test_the_second_dragon_makes_nobody_liable() -> None:
    assert liable_after_call(CHUN, "pon 555z@R pon 111m@L chi 123s@L") == ""


def test_another_tile_after_two_dragons_makes_nobody_liable() -> None:
    assert liable_after_call(EAST, "pon 555z@R pon 666z@L") == ""


def test_the_fourth_wind_makes_liable_for_daisuushi() -> None:
    assert liable_after_call(NORTH, "pon 111z@R kan 2222z@L kakan 3333z@A") == "daisuushi"
    assert liable_after_call(NORTH, "pon 111z@R pon 222z@L pon 555z@A") == ""


def test_closed_and_added_kans_count_as_exposed() -> None:
    """T42: closed and added kans count as sets that lie open."""
    assert liable_after_call(CHUN, "ankan 5555z kakan 6666z@A") == "daisangen"
    assert liable_after_call(EAST, "ankan 2222z ankan 3333z ankan 4444z") == "daisuushi"


def test_fourth_kan_makes_liable_only_if_called() -> None:
    three = "ankan 5555p kakan 2222p@R kan 1111s@L"
    assert liable_after_call(ONE_MAN, three, is_kan=True) == "suukantsu"
    assert liable_after_call(ONE_MAN, three) == ""
    assert liable_after_call(ONE_MAN, "ankan 5555p pon 222p@R kan 1111s@L", is_kan=True) == ""


def test_one_call_can_make_liable_for_two_yakuman() -> None:
    assert (
        liable_after_call(CHUN, "ankan 5555z kan 6666z@A ankan 1111m", is_kan=True)
        == "daisangen suukantsu"
    )


def test_each_yakuman_has_its_switch() -> None:
    off = RuleSet(pao_daisangen=False, pao_daisuushi=False, pao_suukantsu=False)
    assert liable_after_call(CHUN, "pon 555z@R pon 666z@A", rules=off) == ""
    assert liable_after_call(NORTH, "pon 111z@R pon 222z@A pon 333z@A", rules=off) == ""
    three = "ankan 5555p kakan 2222p@R kan 1111s@L"
    assert liable_after_call(ONE_MAN, three, is_kan=True, rules=off) == ""


ALL = RuleSet(
    pao_chinitsu=True,
    pao_ryuuiisou=True,
    pao_tsuuiisou=True,
    pao_chinroutou=True,
    pao_suukantsu=True,
    pao_rinshan=True,
    pao_risky_last_tiles=True,
)


def liable_after_set(
    laid: str, before: str, *, is_kan: bool = False, is_risky_last: bool = False
) -> str:
    (meld,) = melds(laid)
    return " ".join(
        liable_for(
            ALL,
            melds(before),
            kind_of(meld.called),
            is_kan=is_kan,
            laid=meld.tiles,
            is_risky=is_risky_last,
            is_last=is_risky_last,
        )
    )


def test_fourth_open_set_makes_liable_for_chinitsu() -> None:
    three = "chi 123p@L pon 555p@R ankan 9999p"
    assert liable_after_set("chi 678p@L", three) == "chinitsu"
    assert liable_after_set("pon 222p@A", three) == "chinitsu"
    assert liable_after_set("pon 222s@A", three) == ""
    assert liable_after_set("pon 222p@A", "chi 123p@L pon 555p@R") == ""
    assert liable_after_set("pon 222p@A", "chi 123p@L pon 555p@R pon 111z@R") == ""


def test_the_fourth_green_set_makes_liable_for_ryuuiisou() -> None:
    three = "chi 234s@L pon 666s@R pon 888s@R"
    assert liable_after_set("pon 666z@A", three) == "ryuuiisou"
    assert liable_after_set("chi 234s@L", three) == "chinitsu ryuuiisou"
    assert liable_after_set("chi 345s@L", three) == "chinitsu"


def test_the_fourth_set_of_honours_or_terminals_makes_liable() -> None:
    assert liable_after_set("pon 444z@A", "pon 555z@L pon 111z@R ankan 6666z") == "tsuuiisou"
    assert liable_after_set("pon 999s@A", "pon 111m@L pon 999m@R kan 1111p@A") == "chinroutou"
    assert liable_after_set("pon 999s@A", "pon 111m@L pon 222m@R kan 1111p@A") == ""


def test_a_called_kan_makes_liable_for_its_replacement_tile() -> None:
    assert liable_after_set("kan 2222m@A", "", is_kan=True) == "rinshan"
    assert liable_after_set("pon 222m@A", "") == ""


def test_risky_late_tile_makes_liable_for_any_win() -> None:
    assert liable_after_set("chi 678p@L", "", is_risky_last=True) == "risky_last_tiles"
    assert liable_after_set("chi 678p@L", "") == ""
