"""Every level of bots plays legally and in its own way.

``LEVEL_GAMES=1000 pytest tests/bots/test_bot_levels.py`` plays each level alone against bots of the
next lower level, with four players and with three.
"""

from __future__ import annotations

import os

import pytest

from bench.bots.comparison import Comparison, Result, play_deal
from game.bots import LEVELS
from game.engine.actions import CallPon, DeclareRiichi, Pass
from game.engine.tiles import tile_to_text
from tests.bots.staging import answer, discarded_tile, offer_call, on_turn, other

GAMES = int(os.environ.get("LEVEL_GAMES", "0"))
MAX_MEAN_RANKS = {"tenhou": 2.30, "tenhou-3": 1.95}
STEPS = [*zip(LEVELS[1:], LEVELS, strict=False)]


@pytest.mark.skipif(GAMES < 4, reason="LEVEL_GAMES=1000 runs it")
@pytest.mark.parametrize("rules", MAX_MEAN_RANKS)
@pytest.mark.parametrize(("level", "lower"), STEPS)
def test_each_level_is_clearly_stronger_than_the_next_lower(
    level: str, lower: str, rules: str
) -> None:
    match = Comparison((level, lower), rules)
    total = Result.empty(match)
    for deal in range(-(-GAMES // match.players)):
        total.merge(play_deal(match, deal))
    mean_rank = total.sides[0].tally.mean_rank
    print(f"{level} alone against {lower}, {rules}: {mean_rank:.3f}")
    assert mean_rank <= MAX_MEAN_RANKS[rules]


def test_novice_calls_a_triplet_that_gives_no_yaku() -> None:
    table = offer_call("123m456p779s12pWW", "W", by=1)
    assert isinstance(answer(table, "novice"), CallPon)
    assert answer(table, "hasty") == Pass()
    assert answer(table, "careful") == Pass()


def test_novice_discards_the_loneliest_tile() -> None:
    assert discarded_tile(answer(on_turn("123m456p34599sEE", "N"), "novice")) == "N"


@pytest.mark.parametrize("bot", ["novice", "hasty"])
def test_weak_bots_do_not_fold(bot: str) -> None:
    table = on_turn("234m2467p357s11sNP", "5p", others={2: other("9m N 1p 8p 7s 2s", riichi=True)})
    assert discarded_tile(answer(table, bot)) in ("N", "P")
    dangerous = on_turn(
        "234m24688p357s11s", "5p", others={2: other("2m 3m 4m 1s 1s 3s", riichi=True)}
    )
    assert discarded_tile(answer(dangerous, bot)) not in ("2m", "3m", "4m", "1s", "3s")


def test_hasty_declares_riichi_at_once() -> None:
    choice = answer(on_turn("123m456p34s99s678p", "N"), "hasty")
    assert isinstance(choice, DeclareRiichi)
    assert tile_to_text(choice.pai) == "N"


def test_careful_folds_against_riichi() -> None:
    folding = on_turn("159m2468p357s1sWN", "5p", others={2: other("9m E 1p 8p 7s 2s", riichi=True)})
    assert discarded_tile(answer(folding, "careful")) in ("9m", "8p", "7s")


def test_careful_stays_closed_unless_it_gets_dragons() -> None:
    wind = offer_call("234m56p678s99sEEN", "E", by=1, left=26)
    assert answer(wind, "careful") == Pass()
    assert isinstance(answer(wind, "sensible"), CallPon)
    dragon = offer_call("234m56p678s99sPPN", "P", by=1, left=26)
    assert isinstance(answer(dragon, "careful"), CallPon)
