"""Rules that contradict each other are refused, with the reason."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from game.engine.commands import StartGame
from game.engine.consistency import contradiction_texts, contradictions
from game.engine.decide import Rejected, decide
from game.engine.presets import PRESETS, PRESETS_OF_THREE, preset
from game.engine.rules import RuleSet
from game.engine.state import Table
from tests.engine.contradictory_rules import CONTRADICTIONS


@pytest.mark.parametrize(
    "rules", (PRESETS | PRESETS_OF_THREE).values(), ids=lambda rules: rules.name
)
def test_no_preset_contradicts_itself(rules: RuleSet) -> None:
    assert contradiction_texts(rules) == []


@pytest.mark.parametrize(("switches", "reason"), CONTRADICTIONS)
def test_a_contradiction_is_named(switches: dict[str, Any], reason: str) -> None:
    found = contradiction_texts(RuleSet(**switches))
    assert any(reason in sentence for sentence in found), found


@pytest.mark.parametrize(
    ("name", "switch", "value", "nearest"),
    [
        ("tenhou", "riichi_tiles_left", 70, 69),
        ("tenhou-3", "riichi_tiles_left", 55, 54),
        ("tenhou", "honba_points", 1_000, 900),
        ("tenhou-3", "honba_points", 1_100, 1_200),
        ("tenhou", "noten_payments", (1_300, 2_000, 4_000), (1_300, 2_000, 3_900)),
        ("tenhou-3", "noten_payments", (1_040, 2_100), (1_000, 2_200)),
    ],
)
def test_nearest_number_can_be_played(name: str, switch: str, value: Any, nearest: Any) -> None:
    (wrong,) = contradictions(replace(preset(name), **{switch: value}))
    assert wrong.switch == switch
    assert wrong.nearest == (nearest if isinstance(nearest, tuple) else (nearest,))
    assert contradictions(replace(preset(name), **{switch: nearest})) == []


def test_contradictory_rules_start_no_game() -> None:
    rules = RuleSet(oka=100, uma=(1, 0, 0, 0))
    verdict = decide(Table(), StartGame(rules, ("A", "B", "C", "D"), bytes(32)))
    assert isinstance(verdict, Rejected)
    assert verdict.code == "bad_rules"
    assert "uma adds up to 1" in verdict.text
    assert "oka is neither" in verdict.text
