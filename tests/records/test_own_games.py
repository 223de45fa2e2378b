"""Games of our own engine, written in each format, are read and replayed without a difference."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from game.engine.rules import TENHOU
from game.records.reading import read_recorded_game
from game.records.validate import FileReport, validate_game
from tests.records.own_games import random_game
from tests.records.writing import mjai, mjlog, tenhou6

_RULES = {
    "hanchan": TENHOU,
    "tonpu": replace(TENHOU, length="east"),
    "no reds, no open tanyao": replace(TENHOU, red_fives=(0, 0, 0), kuitan=False),
}
_SEEDS = range(12)


def _validate(text: str) -> FileReport:
    game = read_recorded_game(text.encode())
    assert game.is_over
    report = validate_game("own", game)
    assert not report.differences, report.differences[0]
    assert not report.faults, report.faults
    assert not report.notes, report.notes
    return report


@pytest.mark.parametrize("seed", _SEEDS)
@pytest.mark.parametrize("name", _RULES)
def test_a_game_written_in_any_format_is_replayed_alike(name: str, seed: int) -> None:
    rules = _RULES[name]
    hands = random_game(seed, rules)
    texts = mjlog(hands, rules), tenhou6(hands, rules)
    if rules.kuitan:
        texts += (mjai(hands),)
    first, *others = [_validate(text) for text in texts]
    assert len(first.hands) == len(hands)
    assert first.hands[-1].final is not None
    for other in others:
        assert msgspec.json.encode(other.hands) == msgspec.json.encode(first.hands)
