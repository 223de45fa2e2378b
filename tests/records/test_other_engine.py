"""Games of another engine, with its own implementation of the rules, are replayed through ours.

`jansou` has a referee of its own for whole games, and its players choose among the actions that it
takes to be legal. Our engine has to replay its records, written as mjai, without a difference:
every action, call, draw, indicator and payment, and the course of the game. ``OTHER_GAMES=60``
plays more games for each rule set.
"""

from __future__ import annotations

import os
from dataclasses import replace as with_settings
from random import Random
from typing import Any, Final

import pytest
from jansou.core.rules import preset as other_preset
from jansou.game.agents import Agent, EfficiencyAgent, RandomAgent, SimpleAgent
from jansou.game.environment import Environment
from jansou.io.from_game import paifu_from_game
from jansou.io.mjai import dump_mjai
from msgspec.structs import replace

from game.engine.presets import preset
from game.records.reading import read_recorded_game
from game.records.validate import FileReport, validate_game

GAMES: Final = int(os.environ.get("OTHER_GAMES", "1"))
ADJUSTMENTS: Final[dict[str, tuple[dict[str, Any], dict[str, Any]]]] = {
    "tenhou": ({"tenpai_yame": False}, {}),
    "mahjong-soul": ({"tenpai_yame": False}, {}),
    "m-league": (
        {
            "noten_declaration": False,
            "riichi_needs_points": True,
            "riichi_tiles_left": 4,
            "riichi_ankan": "waits_unchanged",
        },
        {"tenpai_declaration": False, "riichi_without_draw": False},
    ),
}
"""For each preset, the switches of ours and the settings of the other engine that have to be
changed to make them equal. The other engine has no stop by tenpai, always requires the points of
the stick, knows either four tiles or none, and has one way to read a kan in riichi."""


def another_game(name: str, seed: int) -> str:
    """Return a game of the other engine's players, as mjai."""
    dice = Random(seed)
    agents: list[Agent] = [
        dice.choice((RandomAgent(seat), SimpleAgent(), EfficiencyAgent(seat))) for seat in range(4)
    ]
    environment = Environment(with_settings(other_preset(name), **ADJUSTMENTS[name][1]), seed=seed)
    environment.run(agents)
    return dump_mjai(paifu_from_game(environment))


def replay(name: str, text: str) -> FileReport:
    """Return the result of our engine with the preset of that name."""
    rules = replace(preset(name), **ADJUSTMENTS[name][0])
    return validate_game(
        "other", replace(read_recorded_game(text.encode()), rules=rules, other_rules=())
    )


@pytest.mark.parametrize("name", ADJUSTMENTS)
def test_other_engine_agrees(name: str) -> None:
    for seed in range(GAMES):
        report = replay(name, another_game(name, seed))
        assert not report.differences, f"game {seed}: {report.differences[0]}"
        assert not report.faults, f"game {seed}: {report.faults[0]}"
        assert len(report.hands) >= 4


def test_other_engine_differs_under_other_rules() -> None:
    """Games with red fives are replayed as if there were none, or with another value of
    counters."""
    text = another_game("tenhou", 1)
    for switches in ({"red_fives": (0, 0, 0)}, {"honba_points": 0, "noten_payments": 1_200}):
        game = read_recorded_game(text.encode())
        other = replace(game, rules=replace(game.rules, **switches), other_rules=())
        report = validate_game("other", other)
        assert report.differences or report.faults or report.unsupported
