"""Rules that contradict each other are refused, with the reason."""

from __future__ import annotations

from typing import Any

import pytest

from game.engine.commands import StartGame
from game.engine.consistency import contradiction_texts
from game.engine.decide import Rejected, decide
from game.engine.presets import PRESETS
from game.engine.rules import RuleSet
from game.engine.state import Table
from tests.engine.contradictory_rules import CONTRADICTIONS


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_no_preset_contradicts_itself(rules: RuleSet) -> None:
    assert contradiction_texts(rules) == []


@pytest.mark.parametrize(("switches", "reason"), CONTRADICTIONS)
def test_a_contradiction_is_named(switches: dict[str, Any], reason: str) -> None:
    found = contradiction_texts(RuleSet(**switches))
    assert any(reason in sentence for sentence in found), found


def test_contradictory_rules_start_no_game() -> None:
    rules = RuleSet(oka=100, uma=(1, 0, 0, 0))
    verdict = decide(Table(), StartGame(rules, ("A", "B", "C", "D"), bytes(32)))
    assert isinstance(verdict, Rejected)
    assert verdict.code == "bad_rules"
    assert "uma adds up to 1" in verdict.text
    assert "oka is neither" in verdict.text
