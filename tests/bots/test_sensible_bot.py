"""The sensible bot in staged situations, each with one answer that players agree on."""

from __future__ import annotations

import random

import msgspec
import pytest

from game.bots import BOTS, bot_named
from game.engine.actions import (
    CallChi,
    CallPon,
    Confirm,
    DeclareAnkan,
    DeclareKyushu,
    DeclareRiichi,
    Discard,
    Pass,
    Win,
)
from game.engine.legal import legal
from game.engine.state import Phase, Table
from tests.bots.staging import (
    LEFT,
    ME,
    answer,
    chi,
    consumed_tiles,
    discarded_tile,
    offer_call,
    on_turn,
    other,
    pon,
)


def test_it_takes_a_win_by_self_draw() -> None:
    assert answer(on_turn("123m456p34599sEE", "9s")) == Win()


def test_it_takes_a_win_by_ron() -> None:
    table = offer_call("234m456p34s66sPPP", "5s", may_ron=True)
    assert answer(table) == Win()


def test_it_confirms_a_result() -> None:
    table = msgspec.structs.replace(on_turn("123m456p34599sEE", "9s"), phase=Phase.RESULT)
    bot = bot_named("sensible")
    assert bot.choose(table, ME, (Confirm(),), random.Random(1)) == Confirm()


@pytest.mark.parametrize(
    ("hand", "drawn", "odd_one"),
    [
        ("123m456p34599sEE", "N", "N"),
        ("123m456p23s99s789s", "1m", "1m"),
        ("234m567p234s5678s", "W", "W"),
    ],
)
def test_it_discards_the_isolated_tile(hand: str, drawn: str, odd_one: str) -> None:
    assert discarded_tile(answer(on_turn(hand, drawn))) == odd_one


def test_it_keeps_two_sided_waits_and_discards_the_edge_wait() -> None:
    # One block too many: 12p waits on one kind, 67p and 78s on two each.
    assert discarded_tile(answer(on_turn("45699m12p67p2347s", "8s"))) in ("1p", "2p")


def test_it_declares_riichi_when_tenpai() -> None:
    choice = answer(on_turn("123m456p34s99s678p", "N"))
    assert isinstance(choice, DeclareRiichi)
    assert discarded_tile(choice) == "N"


def test_it_declares_riichi_on_the_wider_of_two_waits() -> None:
    # Discarding 1m leaves the wait 2m-5m, discarding 4m only 2m.
    choice = answer(on_turn("14m22567p234678s", "3m"))
    assert isinstance(choice, DeclareRiichi)
    assert discarded_tile(choice) == "1m"


def test_it_does_not_declare_riichi_on_a_dead_wait() -> None:
    # All four 3m are gone: a hand waiting on it between 2m and 4m cannot win.
    table = on_turn(
        "24m456p99s678p345s",
        "N",
        others={2: other("3m 3m 3m 3m")},
    )
    assert not isinstance(answer(table), DeclareRiichi)


def test_it_folds_with_genbutsu_when_far_from_tenpai() -> None:
    table = on_turn(
        "159m2468p357s1sWN",
        "5p",
        others={2: other("9m E 1p 8p 7s 2s", riichi=True)},
    )
    assert discarded_tile(answer(table)) in ("9m", "8p", "7s")


def test_it_prefers_a_tile_safe_against_both_of_two_riichi() -> None:
    table = on_turn(
        "159m2468p357s1sWN",
        "5p",
        others={
            2: other("9m E 1p 8p 7s 2s", riichi=True),
            3: other("1m E 2s 8p 9s P", riichi=True),
        },
    )
    assert discarded_tile(answer(table)) == "8p"


def test_it_prefers_tiles_that_passed_after_the_riichi() -> None:
    # Seat 2 declares on its first discard, and 5m goes by from seat 3.
    table = on_turn(
        "258m258p357s1sNPF",
        "9s",
        river="E",
        others={1: other("E"), 2: other("W", riichi=True), 3: other("5m")},
    )
    assert discarded_tile(answer(table)) == "5m"


def test_it_pushes_a_tenpai_hand_of_value_through_a_riichi() -> None:
    table = on_turn(
        "234m067p34s88s666p",
        "1m",
        dora="5p",
        others={2: other("9m E 1p 8p 7s 2s", riichi=True)},
    )
    assert discarded_tile(answer(table)) == "1m"


def test_it_pons_a_dragon_that_makes_its_hand() -> None:
    table = offer_call("234m56p678s99sPPN", "P", by=1, left=26)
    assert consumed_tiles(answer(table)) == "P P"


def test_it_pons_its_own_wind_but_not_a_guest_wind() -> None:
    assert consumed_tiles(answer(offer_call("234m56p678s99sEEN", "E", by=1, left=26))) == "E E"
    assert answer(offer_call("234m56p678s99sWWN", "W", by=1, left=26)) == Pass()


def test_it_does_not_call_without_a_yaku() -> None:
    table = offer_call("13m456p789s99s12p9m", "2m", by=LEFT)
    assert answer(table) == Pass()


def test_it_keeps_a_one_shanten_hand_closed() -> None:
    table = offer_call("123m45p789s99s12p9p", "3p", by=LEFT)
    assert answer(table) == Pass()


def test_it_calls_on_when_its_yaku_is_sure() -> None:
    table = offer_call("24m567p22s78s9p", "3m", by=LEFT, melds=[pon("FFF")])
    assert consumed_tiles(answer(table)) == "2m 4m"


def test_it_discards_the_isolated_tile_after_a_call() -> None:
    assert discarded_tile(answer(on_turn("34m567p22s678sN", "", melds=[chi("456m")]))) == "N"


def test_it_calls_towards_all_simples() -> None:
    table = offer_call("24m567p3366s8p", "3m", by=LEFT, melds=[chi("456m")])
    assert consumed_tiles(answer(table)) == "2m 4m"


def test_it_does_not_bring_a_terminal_into_all_simples() -> None:
    table = offer_call("23m567p3366s8p", "1m", by=LEFT, melds=[chi("456m")])
    assert answer(table) == Pass()


def test_it_calls_towards_a_flush() -> None:
    table = offer_call("1245m99mEEWW", "3m", by=LEFT, melds=[chi("678m")])
    assert isinstance(answer(table), CallChi)


def test_open_hand_gives_up_a_pair_spoiling_its_yaku() -> None:
    # 5p completes the hand, but with a pair of 9p it has no yaku.
    choice = answer(on_turn("345m4699p", "5p", melds=[chi("456m"), chi("678s")]))
    assert discarded_tile(choice) == "9p"


def test_it_does_not_call_far_from_tenpai_against_riichi() -> None:
    table = offer_call(
        "19m28p36sPP14p9sSN",
        "P",
        by=1,
        others={2: other("9m E 1p 8p 7s 2s", riichi=True)},
    )
    assert answer(table) == Pass()


def test_it_declares_a_closed_kan_that_costs_nothing() -> None:
    choice = answer(on_turn("FFF234m45p678s99s", "F"))
    assert isinstance(choice, DeclareAnkan)


def test_it_does_not_break_a_run_for_a_kan() -> None:
    # 333m 345m waits on 5p-8p; the kan would leave 45m without its third.
    choice = answer(on_turn("33345m67p678s99pN", "3m"))
    assert isinstance(choice, DeclareRiichi)
    assert discarded_tile(choice) == "N"


def test_it_declares_no_kan_when_another_seat_is_in_riichi() -> None:
    table = on_turn(
        "FFF19m258p36s9sWN",
        "F",
        others={2: other("9m E 1p 8p 7s 2s", riichi=True)},
    )
    assert not isinstance(answer(table), DeclareAnkan)


def test_it_aborts_with_nine_kinds_and_no_other_chance() -> None:
    table = on_turn("19m19p19sESW258m5p", "3s", unbroken=True, left=69)
    assert answer(table) == DeclareKyushu()


def test_it_plays_for_thirteen_orphans_with_eleven_kinds() -> None:
    table = on_turn("19m19p19sESWNP58m", "3s", unbroken=True, left=69)
    choice = answer(table)
    assert isinstance(choice, Discard)
    assert discarded_tile(choice) in ("5m", "8m", "3s")


def test_it_discards_a_guest_wind_before_a_dragon() -> None:
    assert discarded_tile(answer(on_turn("2358m347p2467sFW", "5p"))) == "W"


@pytest.mark.parametrize(("indicator", "dora"), [("2m", "3m"), ("6m", "7m"), ("6p", "7p")])
def test_it_keeps_the_dora_among_equal_tiles(indicator: str, dora: str) -> None:
    choice = answer(on_turn("37m11p123456789s", "7p", dora=indicator))
    assert discarded_tile(choice) in {"3m", "7m", "7p"} - {dora}


def test_it_keeps_the_red_one_of_two_fives() -> None:
    assert discarded_tile(answer(on_turn("06m11678p123456s", "5m"))) == "5m"


def _with_hidden_tiles(table: Table, rng: random.Random) -> Table:
    """Return the same table with invented hidden tiles, as a viewer who sees everything would get
    it."""
    hands = list(table.hands)
    for seat in (1, 2, 3):
        made_up = tuple(sorted(rng.choices(range(0, 68, 2), k=len(hands[seat].tiles))))
        hands[seat] = msgspec.structs.replace(hands[seat], tiles=made_up, missed=True)
    return msgspec.structs.replace(
        table,
        hands=tuple(hands),
        wall=rng.randbytes(136),
        seed=rng.randbytes(32),
        answers=(None, Pass(), CallPon((0, 0)), Win()),
        may_ron=table.may_ron | 0b1110,
        may_call=table.may_call | 0b1110,
    )


@pytest.mark.parametrize(
    "table",
    [
        on_turn("159m2468p357s1sWN", "5p", others={2: other("9m E 1p 8p", riichi=True)}),
        on_turn("2358m347p2467sFW", "5p"),
        offer_call("234m56p13s678sPP9p", "P", by=1),
    ],
)
@pytest.mark.parametrize("name", sorted(BOTS))
def test_hidden_tiles_do_not_change_the_answer(table: Table, name: str) -> None:
    actions = tuple(legal(table, ME))
    bot = bot_named(name)
    choice = bot.choose(table, ME, actions, random.Random(3))
    for seed in range(10):
        other = _with_hidden_tiles(table, random.Random(seed))
        assert bot.choose(other, ME, actions, random.Random(3)) == choice


def test_the_same_question_gets_the_same_answer() -> None:
    table = on_turn("159m2468p357s1sWN", "5p")
    assert len({repr(answer(table, seed=7)) for _ in range(5)}) == 1
