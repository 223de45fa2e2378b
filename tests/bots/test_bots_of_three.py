"""Bots at tables of three: norths, folding, points and places, and games under random rules.

``LONG=1`` plays 300 games under random rules.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bench.bots.games import play_game
from game.analysis.danger import threats
from game.analysis.placement import Stakes, mean_share, stakes_of, tsumo_share
from game.analysis.shape import mean_next_outs, shanten, shanten_and_unneeded, shanten_and_useful
from game.analysis.visible_tiles import count_visible
from game.bots import LEVELS, bot_named
from game.engine.actions import Discard, SetNorthAside
from game.engine.legal import legal
from game.engine.presets import PRESETS_OF_THREE, preset
from game.engine.rules import RuleSet
from game.engine.state import Phase, Riichi, Table
from game.engine.tiles import NORTH, NOT_IN_PLAY, count_kinds
from tests.bots.staging import ME, answer, discarded_tile, on_turn, other, pon, tiles
from tests.kit.long_form import IS_LONG
from tests.kit.random_rules import random_rules

RULES: Final = preset("tenhou-3")
FROM_HASTY: Final = LEVELS[1:]
PLANNING: Final = LEVELS[2:]
RIICHI: Final = other("9m E 1p 8p 7s 2s", riichi=True)


def turn_of_three(hand: str, drawn: str, rules: RuleSet = RULES, **staged: Any) -> Table:
    """Return the table of three after seat 0 has drawn a tile."""
    table = on_turn(hand, drawn, **staged)
    return replace(
        table,
        rules=rules,
        hands=table.hands[:3],
        scores=(35_000,) * 3,
        answers=(None,) * 3,
        left=staged.get("left", 40),
    )


@pytest.mark.parametrize("bot", LEVELS)
@pytest.mark.parametrize("hand", ["19m24688p357s1sWN", "123p456p34599sEN", "19m234p4567s9sPPN"])
def test_every_level_sets_a_single_north_aside(bot: str, hand: str) -> None:
    assert answer(turn_of_three(hand, "5p"), bot) == SetNorthAside()


@pytest.mark.parametrize("bot", FROM_HASTY)
def test_north_is_kept_for_thirteen_orphans(bot: str) -> None:
    choice = answer(turn_of_three("19m19p1s468pESWNP", "C"), bot)
    assert isinstance(choice, Discard)
    assert discarded_tile(choice) in ("4p", "6p", "8p")


@pytest.mark.parametrize("bot", FROM_HASTY)
def test_pair_of_norths_is_kept_in_a_tenpai_hand(bot: str) -> None:
    choice = answer(turn_of_three("123456p34s678sNN", "W"), bot)
    assert choice != SetNorthAside()
    assert discarded_tile(choice) == "W"


@pytest.mark.parametrize("bot", FROM_HASTY)
def test_pair_of_norths_far_from_tenpai_is_set_aside(bot: str) -> None:
    assert answer(turn_of_three("19m2479p258s1sWNN", "5p"), bot) == SetNorthAside()


@pytest.mark.parametrize("bot", PLANNING)
def test_north_is_kept_as_a_safe_tile_against_riichi(bot: str) -> None:
    table = turn_of_three("19m2468p357s1sWNE", "5p", others={1: RIICHI})
    choice = answer(table, bot)
    assert choice != SetNorthAside()
    assert discarded_tile(choice) in ("9m", "E", "1p", "8p", "7s", "2s")
    assert answer(table, "hasty") == SetNorthAside(), "it does not fold"


@pytest.mark.parametrize("bot", LEVELS)
def test_north_drawn_in_riichi_is_set_aside(bot: str) -> None:
    table = turn_of_three("123456p34s67899s", "N", others={1: RIICHI})
    mine = replace(table.hands[ME], riichi=Riichi.ACCEPTED)
    table = replace(table, hands=(mine, *table.hands[1:]))
    assert {type(action) for action in legal(table, ME)} == {SetNorthAside, Discard}
    assert answer(table, bot) == SetNorthAside()


def test_useful_tiles_are_among_the_tiles_of_three() -> None:
    counts = count_kinds(tiles("19m1259p36s15sEWN"))
    assert shanten_and_useful(counts, 4)[1] & NOT_IN_PLAY[3]
    assert not shanten_and_useful(counts, 3)[1] & NOT_IN_PLAY[3]
    full = count_kinds(tiles("1111m") + tiles("EEEESSSWW"))
    assert (shanten(full, 4), shanten(full, 3)) == (1, 2)
    assert shanten_and_unneeded(count_kinds(tiles("1111mEEEESSSWWP")), 3)[0] == 1
    assert mean_next_outs(full, 1 << NORTH, NOT_IN_PLAY[3], [4] * 34, 3) == 0


def test_norths_set_aside_make_a_threat_more_expensive() -> None:
    losses = []
    for norths in (0, 1, 3):
        hand = replace(RIICHI, norths=norths)
        visible = count_visible(turn_of_three("19m2468p357s1sWWE", "5p", others={1: hand}), ME)
        losses.append(threats(visible)[0].loss)
    assert losses == [7_200, 8_700, 11_700]
    called = [
        replace(other("9m E 1p 8p", melds=[pon("222p"), pon("444p")]), norths=norths)
        for norths in (0, 2)
    ]
    few, more = (
        threats(count_visible(turn_of_three("19m2468p357s1sWWE", "5p", others={1: hand}), ME))
        for hand in called
    )
    assert more[0].loss > few[0].loss


@pytest.mark.parametrize(
    ("tsumo", "other_share", "dealer_share"),
    [("loss", 0.75, 2 / 3), ("split_half", 1, 1), ("split_equal", 1, 1), ("add_1000", 1, 5 / 6)],
)
def test_self_draw_pays_less_where_nobody_pays_the_missing_part(
    tsumo: Any, other_share: float, dealer_share: float
) -> None:
    rules = replace(RULES, tsumo_with_three=tsumo)
    assert tsumo_share(rules, is_dealer=False) == pytest.approx(other_share)
    assert tsumo_share(rules, is_dealer=True) == pytest.approx(dealer_share)
    assert other_share <= mean_share(rules, is_dealer=False) <= 1


def stakes_of_three(scores: tuple[int, ...], kyoku: int, **switches: Any) -> Stakes:
    return stakes_of(Table(rules=replace(RULES, **switches), scores=scores, kyoku=kyoku), 0)


def test_points_of_three_are_worth_their_effect_on_the_place() -> None:
    even = stakes_of_three((35_000,) * 3, 0)
    for points in (4_000, 8_000):
        assert 0.5 * points < even.win(points) < 1.5 * points
        assert 0.5 * points < even.deal_in(points, 1) < 1.5 * points
    last = stakes_of_three((20_000, 60_000, 25_000), 6)
    assert last.win(8_000) > 5 * max(100, last.win(2_000)), "8,000 reach second place"
    first = stakes_of_three((49_000, 38_000, 18_000), 6)
    assert first.deal_in(8_000, 1) > first.win(8_000)


def test_self_draw_of_three_is_worth_more_without_loss() -> None:
    scores = (30_000, 45_000, 30_000)
    losing = stakes_of_three(scores, 6, tsumo_with_three="loss")
    whole = stakes_of_three(scores, 6, tsumo_with_three="split_half")
    assert losing._place_worth_if_winning(12_000) < whole._place_worth_if_winning(12_000)


@pytest.mark.parametrize("name", PRESETS_OF_THREE)
def test_strong_bots_finish_a_game_of_each_preset_of_three(name: str) -> None:
    rules = replace(preset(name), length="east")
    game = play_game(3, [bot_named("sensible").choose] * 3, rules)
    assert sorted(place for place, _ in game.table.placement) == [1, 2, 3]


@pytest.mark.timeout(3_600)
def test_bots_finish_games_of_three_under_random_rules() -> None:
    for number in range(300 if IS_LONG else 6):
        chance = Random(number)
        rules = random_rules(chance, 3)
        # Not tsumogiri: under rules that keep the dealer at draws, bots that win nothing play on.
        seats = [chance.choice(LEVELS) for _ in range(3)]
        try:
            game = play_game(number, [bot_named(bot).choose for bot in seats], rules)
        except Exception as error:
            pytest.fail(f"rule set {number} of {seats}: {error!r}")
        assert game.table.phase == Phase.ENDED
