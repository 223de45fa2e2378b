"""The danger model predicts the deal-in rates that were counted in recorded games.

The positions are 4,058 recorded discards against exactly one riichi (`riichi_discards.txt.gz`).
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

import pytest

from bench.bots.danger_check import (
    MIN_COUNTED,
    DangerRow,
    DiscardAgainstRiichi,
    discards_in,
    lines_of,
    rows_of,
)
from bench.bots.games import play_game
from game.analysis.deal_in_rates import COUNTS
from game.bots import bot_named
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
        for name, counts in COUNTS.items()
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


def test_discards_of_a_game_agree_with_its_deal_ins() -> None:
    choose = bot_named("sensible").choose
    games = [play_game(seed, [choose] * 4, TENHOU).events for seed in (1, 2)]
    found = [*discards_in(games)]
    assert len(found) > 50
    assert all(not case.has_dealt_in for case in found if case.name == "genbutsu")
    assert 0 < sum(case.has_dealt_in for case in found) < len(found) / 10
