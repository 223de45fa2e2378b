"""The danger model predicts the deal-in rates that were counted in recorded games.

The positions are 4,058 recorded discards against exactly one riichi (`riichi_discards.txt.gz`).
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from bench.bots.danger_check import (
    MIN_COUNTED,
    DangerRow,
    DiscardAgainstRiichi,
    FactorRow,
    discards_in,
    factor_lines,
    factors_of,
    lines_of,
    rows_of,
)
from bench.bots.games import play_game
from game.analysis.deal_in_rates import COUNTS_BY_CLASS, FACTORS_OF_THREE
from game.bots import bot_named
from game.engine.presets import preset
from game.engine.rules import TENHOU

_POSITIONS = Path(__file__).with_name("riichi_discards.txt.gz")


def _position(line: str) -> DiscardAgainstRiichi:
    kind, turn, safe, unseen, seen, has_dealt_in = line.split()
    return DiscardAgainstRiichi(
        kind=int(kind),
        turn=int(turn),
        safe=int(safe, 16),
        unseen=[*map(int, unseen)],
        open_copies=[*map(int, seen)],
        has_dealt_in=has_dealt_in == "1",
    )


@lru_cache
def _rows() -> tuple[DangerRow, ...]:
    lines = gzip.decompress(_POSITIONS.read_bytes()).decode().splitlines()
    return tuple(rows_of(_position(line) for line in lines[1:]))


def _classes_and_turns() -> list[tuple[str, int]]:
    return [
        (name, column)
        for name, counts in COUNTS_BY_CLASS.items()
        for column, (discards, _) in enumerate(counts)
        if discards >= MIN_COUNTED and name != "genbutsu"
    ]


@pytest.mark.parametrize(("name", "column"), _classes_and_turns())
def test_predicted_rate_is_near_the_counted_one(name: str, column: int) -> None:
    row = [row for row in _rows() if row.name == name][column]
    assert row.given_discards > 0
    assert row.is_near, "\n".join(lines_of([row]))


def test_a_prediction_that_is_twice_the_counted_rate_is_off() -> None:
    row = DangerRow("2/8 suji", "13+", 1580, 0.0456, 0.0912, 100, 2)
    assert not row.is_near
    assert "off" in [*lines_of([row])][1]


def test_factors_of_three_follow_from_their_counts() -> None:
    for name, stored in FACTORS_OF_THREE.items():
        expected = stored.deal_ins / stored.value
        found = FactorRow(name, stored.discards, stored.deal_ins, expected, 0.0).factor
        assert (found.discards, found.deal_ins) == (stored.discards, stored.deal_ins)
        for limit in ("value", "least", "most"):
            assert getattr(found, limit) == pytest.approx(
                getattr(stored, limit), rel=0.05, abs=0.02
            )


def test_discards_of_three_are_counted_by_class() -> None:
    choose = bot_named("sensible").choose
    rules = replace(preset("tenhou-3"), length="east")
    games = [play_game(seed, [choose] * 3, rules).events for seed in (1, 2)]
    cases = [*discards_in(games)]
    rows = factors_of(cases)
    assert {case.players for case in cases} == {3}
    counted = sum(row.discards for row in rows)
    assert counted == sum(case.name != "genbutsu" for case in cases) > 20
    assert sum(row.deal_ins for row in rows) == sum(case.has_dealt_in for case in cases)
    assert len([*factor_lines(rows)]) == len(rows) + 1


def test_discards_of_a_game_agree_with_its_deal_ins() -> None:
    choose = bot_named("sensible").choose
    games = [play_game(seed, [choose] * 4, TENHOU).events for seed in (1, 2)]
    found = [*discards_in(games)]
    assert len(found) > 50
    assert all(not case.has_dealt_in for case in found if case.name == "genbutsu")
    assert 0 < sum(case.has_dealt_in for case in found) < len(found) / 10
