"""The value of a hand follows each switch, and random hands have the value that the package
`mahjong` gives."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld as PackageMeld

from game.engine.dora import indicated_kind
from game.engine.points import hand_points
from game.engine.rules import RuleSet
from game.engine.state import MeldType
from game.engine.tiles import kind_of
from game.engine.value import HandValue, WinContext, has_yaku, value_of
from tests.engine.random_wins import EAST, SOUTH, WEST, random_win
from tests.engine.scoring_rows import melds, read_rows, tiles

DOUBLES = ("kokushi_13", "suuankou_tanki", "junsei_chuuren", "daisuushi")
PLAIN_HAND = "344556m24678s66z"
PACKAGE_NAMES = {
    "Menzen Tsumo": "tsumo",
    "Double Riichi": "daburu",
    "Haitei Raoyue": "haitei",
    "Houtei Raoyui": "houtei",
    "Rinshan Kaihou": "rinshan",
    "Iipeiko": "iipeikou",
    "Ryanpeikou": "ryanpeikou",
    "Chantai": "chanta",
    "Ittsu": "ittsuu",
    "Sanshoku Doujun": "sanshoku",
    "Sanshoku Doukou": "doukou",
    "Chiitoitsu": "chiitoi",
    "San Ankou": "sanankou",
    "San Kantsu": "sankantsu",
    "Shou Sangen": "shousangen",
    "Honroutou": "honroutou",
    "Kokushi Musou": "kokushi",
    "Kokushi Musou Juusanmen Matchi": "kokushi_13",
    "Chuuren Poutou": "chuuren",
    "Daburu Chuuren Poutou": "junsei_chuuren",
    "Suu Ankou": "suuankou",
    "Suu Ankou Tanki": "suuankou_tanki",
    "Shousuushii": "shousuushi",
    "Dai Suushii": "daisuushi",
    "Tsuu Iisou": "tsuuiisou",
    "Suu Kantsu": "suukantsu",
    "Aka Dora": "aka",
    "Ura Dora": "ura",
}


def stage_win(
    concealed: str, win: str, laid: str = "", rules: dict[str, Any] | None = None, **how: Any
) -> WinContext:
    """Stage a win of South in an East round: `win` is ``T 3s`` or ``R 3s``."""
    how.setdefault("seat_wind", SOUTH)
    how.setdefault("round_wind", EAST)
    for indicators in ("dora", "ura"):
        how[indicators] = tiles(how.get(indicators, ""))
    return WinContext(
        rules=RuleSet(**(rules or {})),
        tiles=tiles(concealed),
        melds=melds(laid),
        winning_tile=tiles(win.split()[1])[0],
        is_tsumo=win.startswith("T"),
        **how,
    )


def value_of_win(*args: Any, **how: Any) -> HandValue:
    value = value_of(stage_win(*args, **how))
    assert value is not None
    return value


def yaku_of(*args: Any, **how: Any) -> str:
    """Return the yaku of a staged win as text, empty if the hand cannot win."""
    value = value_of(stage_win(*args, **how))
    return " ".join(f"{name}:{han}" for name, han in value.yaku) if value else ""


def test_an_incomplete_hand_has_no_value() -> None:
    assert value_of(stage_win("123456789m1133p", "T 5s")) is None


def test_dora_alone_do_not_win() -> None:
    context = stage_win(PLAIN_HAND, "R 3s", dora="2m5m")
    assert value_of(context) is None
    assert not has_yaku(context)


def test_bonus_han_are_listed_last() -> None:
    assert (
        yaku_of("344056m24678s66z", "R 3s", riichi=True, dora="2m", ura="5z5z")
        == "riichi:1 dora:1 ura:4 aka:1"
    )


def test_ura_dora_need_riichi_and_their_switch() -> None:
    assert yaku_of(PLAIN_HAND, "T 3s", ura="5z") == "tsumo:1"
    assert yaku_of(PLAIN_HAND, "R 3s", double_riichi=True, ura="5z") == "daburu:2 ura:2"
    assert yaku_of(PLAIN_HAND, "R 3s", rules={"ura_dora": False}, riichi=True, ura="5z") == (
        "riichi:1"
    )


def test_red_five_counts_in_hand_and_meld() -> None:
    laid = "chi 406m@L pon 111z@R"
    assert yaku_of("234m55p78s", "R 9s", laid) == "round_wind:1 aka:1"
    assert yaku_of("234m55p46s", "R 0s", laid) == "round_wind:1 aka:2"
    assert yaku_of("234m50p46s", "R 0s", laid, {"red_fives": (1, 0, 1)}) == "round_wind:1 aka:2"


@pytest.mark.parametrize(
    ("indicator", "dora"),
    [pair.split() for pair in ("1m 2m", "9m 1m", "9p 1p", "9s 1s", "0p 6p", "4z 1z", "7z 5z")],
)
def test_an_indicator_points_to_the_next_kind(indicator: str, dora: str) -> None:
    assert indicated_kind(kind_of(tiles(indicator)[0]), 4) == kind_of(tiles(dora)[0])


def test_ippatsu_needs_riichi_and_its_switch() -> None:
    assert yaku_of(PLAIN_HAND, "R 3s", riichi=True, ippatsu=True) == "riichi:1 ippatsu:1"
    assert yaku_of(PLAIN_HAND, "R 3s", rules={"ippatsu": False}, riichi=True, ippatsu=True) == (
        "riichi:1"
    )
    assert yaku_of(PLAIN_HAND, "T 3s", ippatsu=True) == "tsumo:1"


def test_double_riichi_replaces_riichi() -> None:
    assert yaku_of(PLAIN_HAND, "R 3s", riichi=True, double_riichi=True) == "daburu:2"


def test_the_last_tile_is_haitei_or_houtei() -> None:
    assert yaku_of(PLAIN_HAND, "T 3s", last_tile=True) == "tsumo:1 haitei:1"
    assert yaku_of(PLAIN_HAND, "R 3s", last_tile=True) == "houtei:1"


def test_rinshan_and_chankan_exclude_the_last_tile() -> None:
    """T28: neither adds up with haitei or houtei."""
    assert yaku_of("344556m24s66z", "T 3s", "kakan 7777s@R", rinshan=True, last_tile=True) == (
        "rinshan:1"
    )
    assert yaku_of(PLAIN_HAND, "R 3s", chankan=True, last_tile=True) == "chankan:1"


def test_open_tanyao_is_a_switch() -> None:
    laid = "pon 777p@L"
    assert yaku_of("22555m234p78s", "R 6s", laid) == "tanyao:1"
    assert yaku_of("22555m234p78s", "R 6s", laid, {"kuitan": False}) == ""
    assert not has_yaku(stage_win("22555m234p78s", "R 6s", laid, {"kuitan": False}))


@pytest.mark.parametrize(("fu_of_pair", "fu"), [(2, 30), (4, 40)])
def test_a_pair_of_the_double_wind(fu_of_pair: int, fu: int) -> None:
    hand = ("123m123p1z", "T 1z", "chi 123s@L pon 555z@A", {"double_wind_fu": fu_of_pair})
    assert value_of_win(*hand, seat_wind=EAST).fu == fu
    assert value_of_win(*hand, seat_wind=SOUTH).fu == 30


def test_double_wind_pair_of_two_fu_prevents_pinfu() -> None:
    rules = {"double_wind_fu": 2}
    assert yaku_of("234m567p23678s11z", "T 4s", "", rules, seat_wind=EAST) == "tsumo:1"


@pytest.mark.parametrize(("granted", "fu"), [(True, 40), (False, 30)])
def test_self_draw_fu_on_a_replacement_tile(granted: bool, fu: int) -> None:
    hand = ("344556m66p24s", "T 3s", "kan 7777s@R", {"rinshan_tsumo_fu": granted})
    assert value_of_win(*hand, rinshan=True).fu == fu
    assert value_of_win(*hand).fu == 40


def test_ryuuiisou_may_need_hatsu() -> None:
    without = ("4466s", "R 6s", "pon 222s@A pon 333s@R pon 888s@L")
    with_hatsu = ("4466s", "R 6s", "pon 222s@A pon 333s@R pon 666z@L")
    needs = {"ryuiso_needs_hatsu": True}
    assert yaku_of(*without) == "ryuuiisou:1"
    assert yaku_of(*without, needs) == "tanyao:1 toitoi:2 chinitsu:5"
    assert yaku_of(*with_hatsu, needs) == "ryuuiisou:1"


def test_tenhou_and_chiihou() -> None:
    assert yaku_of(PLAIN_HAND, "T 3s", first_turn=True, seat_wind=EAST) == "tenhou:1"
    assert yaku_of(PLAIN_HAND, "T 3s", first_turn=True, seat_wind=WEST) == "chiihou:1"
    assert yaku_of("344556m24s66z", "T 3s", "ankan 7777s", first_turn=True, rinshan=True) == (
        "tsumo:1 rinshan:1"
    )


@pytest.mark.parametrize("kind", ["mangan", "five_han"])
def test_renhou_of_five_han_does_not_add_up(kind: str) -> None:
    rules = {"renho": kind}
    value = value_of_win(PLAIN_HAND, "R 3s", "", rules, first_turn=True, dora="2m2m2m")
    assert (value.yaku, value.fan, value.limit) == ((("renhou", 5),), 5, "mangan")
    assert has_yaku(stage_win(PLAIN_HAND, "R 3s", "", rules, first_turn=True))


def test_better_reading_replaces_renhou_of_five_han() -> None:
    rules = {"renho": "mangan"}
    value = value_of_win("223344m567p6678s", "R 9s", "", rules, first_turn=True, dora="1m1m1m")
    assert value.limit == "baiman"
    assert "renhou" not in dict(value.yaku)


def test_renhou_may_be_off_or_yakuman_and_excludes_dealers() -> None:
    assert yaku_of(PLAIN_HAND, "R 3s", "", {"renho": "off"}, first_turn=True) == ""
    assert yaku_of(PLAIN_HAND, "R 3s", "", {"renho": "yakuman"}, first_turn=True) == "renhou:1"
    for kind in ("mangan", "yakuman"):
        context = stage_win(
            PLAIN_HAND, "R 3s", "", {"renho": kind}, first_turn=True, seat_wind=EAST
        )
        assert value_of(context) is None


def test_a_yakuman_has_no_han_and_no_dora() -> None:
    value = value_of_win("19m19p19s1234567z", "R 1m", dora="9m")
    assert value == HandValue((("kokushi_13", 1),), 0, 0, 1, "yakuman", 8_000)


@pytest.mark.parametrize(
    ("name", "hand"),
    [
        ("kokushi_13", ("19m19p19s1234567z", "R 1m")),
        ("suuankou_tanki", ("1113m333p777s111z", "R 3m")),
        ("junsei_chuuren", ("1112345678999m", "R 2m")),
        ("daisuushi", ("3m", "R 3m", "pon 111z@L pon 222z@R pon 333z@R pon 444z@A")),
    ],
)
def test_doubles_are_named_by_the_rules(name: str, hand: tuple[str, ...]) -> None:
    for doubles, paid in (((), 1), (DOUBLES, 2), ((name,), 2), (tuple({*DOUBLES} - {name}), 1)):
        laid = hand[2] if len(hand) > 2 else ""
        value = value_of_win(hand[0], hand[1], laid, {"double_yakuman": doubles})
        assert (value.yaku, value.yakuman, value.base) == (((name, paid),), paid, 8_000 * paid)


ALL_WINDS = ("5z", "T 5z", "ankan 1111z ankan 2222z ankan 3333z ankan 4444z")


def test_yakuman_add_up_to_the_cap() -> None:
    def paid(**rules: Any) -> int:
        return value_of_win(*ALL_WINDS, {"double_yakuman": DOUBLES, **rules}).yakuman

    names = {name for name, _ in value_of_win(*ALL_WINDS).yaku}
    assert names == {"suuankou_tanki", "daisuushi", "tsuuiisou", "suukantsu"}
    assert paid() == 6
    assert paid(yakuman_cap=4) == 4
    assert paid(yakuman_cap=13, double_yakuman=()) == 4
    assert paid(yakuman_add_up=False) == 2
    assert paid(yakuman_add_up=False, double_yakuman=()) == 1


def test_chanta_has_an_honour_and_junchan_none() -> None:
    """T52: a hand without honours is junchan, never chanta as well."""
    assert yaku_of("123m789p12s99s444z", "R 3s") == "chanta:2"
    assert yaku_of("123m789p12s99s111m", "R 3s") == "junchan:3"
    assert yaku_of("11m99p", "R 9p", "pon 999m@L pon 111s@L pon 444z@L") == "toitoi:2 honroutou:2"
    assert yaku_of("11m11199p", "R 9p", "pon 999m@L pon 111s@L") == "chinroutou:1"


def test_seven_pairs_of_honours_are_tsuuiisou() -> None:
    assert yaku_of("1122334455667z", "R 7z") == "tsuuiisou:1"


def test_seven_pairs_hold_no_yaku_of_sets() -> None:
    assert yaku_of("223344m44p55667z", "R 7z") == "chiitoi:2"


def test_four_of_a_kind_are_not_two_pairs() -> None:
    assert value_of(stage_win("1111m2233p44556s", "R 6s", riichi=True)) is None


def test_a_triplet_completed_by_ron_is_not_concealed() -> None:
    pair_wait = "222m444p66688s55p"
    assert yaku_of(pair_wait, "R 8s") == "tanyao:1 toitoi:2 sanankou:2"
    assert yaku_of(pair_wait, "T 8s") == "suuankou:1"


def test_ron_completing_a_run_leaves_the_triplet_concealed() -> None:
    assert yaku_of("222m444p33345s88p", "R 3s") == "tanyao:1 sanankou:2"


def test_the_reading_that_pays_most_is_taken() -> None:
    as_triplets = value_of_win("222333444m55p67s", "R 8s")
    assert (as_triplets.yaku, as_triplets.fu) == ((("tanyao", 1), ("sanankou", 2)), 50)
    as_runs = value_of_win("111222333m89p99s", "R 7p")
    assert dict(as_runs.yaku) == {"iipeikou": 1, "junchan": 3}
    assert "chiitoi" not in dict(value_of_win("2233445566778p", "T 8p").yaku)


def test_a_counted_yakuman_and_its_switch() -> None:
    hand = ("2233445566778p", "T 8p")
    counted = value_of_win(*hand, riichi=True)
    assert (counted.fan, counted.yakuman, counted.limit, counted.base) == (
        13,
        0,
        "kazoe_yakuman",
        8_000,
    )
    held = value_of_win(*hand, "", {"kazoe": "sanbaiman"}, riichi=True)
    assert (held.limit, held.base) == ("sanbaiman", 6_000)


def test_two_han_minimum_starts_at_its_counter() -> None:
    """T46: dora never count towards the minimum."""
    rules = {"two_han_minimum_from": 5}
    for honba, allowed in ((4, True), (5, False), (6, False)):
        context = stage_win(PLAIN_HAND, "R 3s", "", rules, riichi=True, dora="2m", honba=honba)
        assert (value_of(context) is not None) == allowed
        assert has_yaku(context) == allowed
    assert has_yaku(stage_win("19m19p19s1234567z", "R 1m", "", rules, honba=5))


@pytest.mark.parametrize(("minimum_han", "least"), [(1, 1), (2, 2), (4, 4)])
def test_every_win_needs_the_least_han_of_yaku(minimum_han: int, least: int) -> None:
    rules = {"minimum_han": minimum_han, "two_han_minimum_from": 5}
    riichi = stage_win(PLAIN_HAND, "R 3s", "", rules, riichi=True, dora="2m")
    double = msgspec.structs.replace(riichi, riichi=False, double_riichi=True)
    four = msgspec.structs.replace(double, ippatsu=True, last_tile=True)
    for context, han in ((riichi, 1), (double, 2), (four, 4)):
        assert (value_of(context) is not None) == has_yaku(context) == (han >= least)
    at_five = msgspec.structs.replace(double, honba=5)
    assert has_yaku(at_five) == (least <= 2)
    assert has_yaku(stage_win("19m19p19s1234567z", "R 1m", "", rules))


def test_the_two_han_minimum_is_met_by_a_double_wind() -> None:
    rules = {"two_han_minimum_from": 5}
    context = stage_win("234m55p78s", "R 9s", "chi 456m@L pon 111z@R", rules, honba=5)
    assert not has_yaku(context)
    assert has_yaku(msgspec.structs.replace(context, seat_wind=EAST))


def test_the_order_of_concealed_tiles_is_ignored() -> None:
    for row in read_rows():
        turned = msgspec.structs.replace(row.context, tiles=row.context.tiles[::-1])
        assert value_of(turned) == value_of(row.context), row.id


RULE_CHOICES = (
    RuleSet(),
    RuleSet(kuitan=False, kiriage_mangan=True, kazoe="sanbaiman"),
    RuleSet(double_yakuman=DOUBLES),
)
ODD_RULES = (
    *RULE_CHOICES,
    RuleSet(two_han_minimum_from=3, double_wind_fu=2),
    RuleSet(renho="mangan", ryuiso_needs_hatsu=True, rinshan_tsumo_fu=False),
    RuleSet(renho="yakuman", two_han_minimum_from=1, yakuman_add_up=False),
)


def _hand_in_136(context: WinContext) -> tuple[list[int], int, list[PackageMeld]]:
    """Return the hand in the package's 136 tiles: all tiles, the winning tile, and the melds."""
    used: dict[int, int] = {}

    def number(tile: int) -> int:
        if tile & 1:
            return 4 * kind_of(tile)
        free = used.get(tile, 0)
        used[tile] = free + 1
        return 4 * kind_of(tile) + 3 - free

    laid = []
    for meld in context.melds:
        form = {MeldType.CHI: PackageMeld.CHI, MeldType.PON: PackageMeld.PON}
        tiles_136 = sorted(number(tile) for tile in meld.tiles)
        kind = form.get(meld.type, PackageMeld.KAN)
        laid.append(PackageMeld(kind, tiles_136, opened=meld.type != MeldType.ANKAN))
    held = [number(tile) for tile in (context.winning_tile, *context.tiles)]
    return held + [tile for meld in laid for tile in meld.tiles], held[0], laid


def by_package(context: WinContext) -> str:
    """Return the worth of a hand as the package alone counts it, or why the hand has none."""
    rules = context.rules
    last = context.last_tile and not (context.rinshan or context.chankan)
    blessed = context.first_turn and context.is_tsumo
    config = HandConfig(
        is_tsumo=context.is_tsumo,
        is_riichi=context.riichi,
        is_daburu_riichi=context.double_riichi,
        is_ippatsu=context.ippatsu,
        is_rinshan=context.rinshan,
        is_chankan=context.chankan,
        is_haitei=last and context.is_tsumo,
        is_houtei=last and not context.is_tsumo,
        is_tenhou=blessed and context.seat_wind == EAST,
        is_chiihou=blessed and context.seat_wind != EAST,
        player_wind=context.seat_wind,
        round_wind=context.round_wind,
        options=OptionalRules(
            has_open_tanyao=rules.kuitan,
            has_aka_dora=True,
            has_double_yakuman=bool(rules.double_yakuman),
            kazoe_limit=HandConfig.KAZOE_SANBAIMAN if rules.kazoe == "sanbaiman" else 0,
            kiriage=rules.kiriage_mangan,
        ),
    )
    held, winning, laid = _hand_in_136(context)
    dora = [4 * kind_of(tile) + 3 for tile in context.dora]
    ura = [4 * kind_of(tile) + 3 for tile in context.ura]
    found = HandCalculator.estimate_hand_value(
        held, winning, laid, dora, config, ura_dora_indicators=ura
    )
    if found.error or found.cost is None or found.yaku is None:
        return str(found.error)
    names = sorted(_our_name(yaku.name) for yaku in found.yaku)
    return f"{' '.join(names)} {found.fu} fu {found.cost['total']}"


def _our_name(name: str) -> str:
    if name.startswith("Yakuhai ("):
        value = name.removeprefix("Yakuhai (").removesuffix(")")
        return value if " " not in value else f"{value.split()[0]}_wind"
    return PACKAGE_NAMES.get(name, name.lower().replace(" ", ""))


def by_us(context: WinContext) -> str:
    value = value_of(context)
    if value is None:
        return HandCalculator.ERR_NO_YAKU
    names = sorted(name for name, _ in value.yaku)
    total = hand_points(context.rules, value, context.seat_wind == EAST, context.is_tsumo)
    return f"{' '.join(names)} {value.fu} fu {total}"


def test_random_hands_have_the_value_of_the_package() -> None:
    """Package and engine agree completely under the switches that both have."""
    dice = random.Random(20_26)
    seen = set()
    for number in range(3_000):
        context = random_win(dice, RULE_CHOICES)
        mine = by_us(context)
        assert mine == by_package(context), (number, context)
        seen.update(mine.split())
    assert {*PACKAGE_NAMES.values()} - seen <= {"suukantsu"}


def test_has_yaku_agrees_with_the_value() -> None:
    dice = random.Random(1)
    answers = set()
    for number in range(2_000):
        context = random_win(dice, ODD_RULES)
        answer = has_yaku(msgspec.structs.replace(context, dora=(), ura=()))
        assert answer == (value_of(context) is not None), (number, context)
        answers.add(answer)
    assert answers == {True, False}
