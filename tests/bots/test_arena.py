"""Whole games through the engine: results of the bots against each other.

A few games are played by default. ``ARENA_GAMES=200 pytest tests/bots/test_arena.py -s`` plays more
and prints the tallies; the ranges hold for any number of games that is not below the default.
"""

from __future__ import annotations

import os
from random import Random

from bench.bots.games import Chooser, play_game
from bench.bots.tally import Tally
from game.bots import bot_named
from game.engine.actions import Action
from game.engine.state import Table

GAMES = int(os.environ.get("ARENA_GAMES", "6"))
SENSIBLE = bot_named("sensible").choose
TSUMOGIRI = bot_named("tsumogiri").choose


def at_random(table: Table, seat: int, actions: tuple[Action, ...], rng: Random) -> Action:
    return rng.choice(actions)


def tally_of(choosers: list[Chooser], seats: set[int], games: int = GAMES) -> Tally:
    tally = Tally()
    for seed in range(games):
        turned = [choosers[(seat + seed) % 4] for seat in range(4)]
        of_interest = frozenset((seat - seed) % 4 for seat in seats)
        tally.add(play_game(seed, turned).events, of_interest)
    print(tally)
    return tally


def test_sensible_bots_play_like_people_among_themselves() -> None:
    tally = tally_of([SENSIBLE] * 4, {0, 1, 2, 3})
    assert 0.17 < tally.win_rate < 0.30
    assert 0.05 < tally.deal_in_rate < 0.20
    assert tally.exhaustive / tally.dealt < 0.35
    assert 0.05 < tally.riichi_rate < 0.35
    assert 0.10 < tally.call_rate < 0.60


def test_a_sensible_bot_beats_three_tsumogiri_bots() -> None:
    tally = tally_of([SENSIBLE, TSUMOGIRI, TSUMOGIRI, TSUMOGIRI], {0})
    assert tally.mean_rank < 1.5
    assert tally.win_rate > 0.30


def test_sensible_bot_beats_three_random_players() -> None:
    tally = tally_of([SENSIBLE, at_random, at_random, at_random], {0})
    assert tally.mean_rank < 1.5
    assert tally.win_rate > 0.30


def test_three_sensible_bots_beat_a_tsumogiri_bot() -> None:
    tally = tally_of([TSUMOGIRI, SENSIBLE, SENSIBLE, SENSIBLE], {0})
    assert tally.win_rate < 0.05
    assert tally.mean_rank > 2.9
