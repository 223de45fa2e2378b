"""Lists of tables of four give everybody equally many games and share meetings evenly."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from lobby.events.fixtures import fixture_tables, games_step


@pytest.mark.parametrize(
    ("players", "games", "spread"),
    [
        *((4, 3, 0), (5, 4, 0), (6, 10, 0), (9, 8, 0), (13, 4, 0), (16, 5, 0)),
        *((7, 4, 1), (10, 6, 1), (11, 8, 1), (12, 5, 1), (18, 8, 1), (30, 8, 2)),
    ],
)
def test_everybody_plays_as_often_and_pairs_meet_evenly(
    players: int, games: int, spread: int
) -> None:
    tables = fixture_tables(players, games, Random(3))
    assert all(len(set(table)) == 4 for table in tables)
    played = Counter(player for table in tables for player in table)
    assert played == dict.fromkeys(range(1, players + 1), games)
    pairs = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    met = [pairs[pair] for pair in combinations(range(1, players + 1), 2)]
    assert max(met) - min(met) <= spread, sorted(Counter(met).items())


@pytest.mark.parametrize("seed", [47, 67, 104, 140])
def test_search_that_ends_too_early_is_repeated(seed: int) -> None:
    """With these seeds the first search ends with pairs that meet two and four times."""
    tables = fixture_tables(9, 8, Random(seed))
    pairs = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    assert set(pairs.values()) == {3}


@pytest.mark.parametrize(("players", "step"), [(8, 1), (9, 4), (10, 2), (11, 4)])
def test_number_of_games_leaves_no_seat_empty(players: int, step: int) -> None:
    assert games_step(players) == step
    if step > 1:
        with pytest.raises(ValueError, match="cannot play"):
            fixture_tables(players, step - 1, Random(1))
