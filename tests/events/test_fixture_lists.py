"""Lists of tables give everybody equally many games and share meetings evenly."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from lobby.events.fixtures import make_fixture_tables, step_of_games


@pytest.mark.parametrize(
    ("size", "players", "games", "spread"),
    [
        *((4, 4, 3, 0), (4, 5, 4, 0), (4, 6, 10, 0), (4, 9, 8, 0), (4, 13, 4, 0), (4, 16, 5, 0)),
        *((4, 7, 4, 1), (4, 10, 6, 1), (4, 11, 8, 1), (4, 12, 5, 1), (4, 18, 8, 1), (4, 30, 8, 2)),
        *((3, 3, 2, 0), (3, 4, 3, 0), (3, 5, 6, 0), (3, 7, 3, 0), (3, 9, 4, 0), (3, 27, 13, 0)),
        *((3, 5, 3, 1), (3, 6, 4, 1), (3, 8, 6, 1), (3, 10, 6, 1), (3, 24, 9, 1)),
    ],
)
def test_everybody_plays_as_often_and_pairs_meet_evenly(
    size: int, players: int, games: int, spread: int
) -> None:
    tables = make_fixture_tables(players, size, games, Random(3))
    assert all(len(table) == len(set(table)) == size for table in tables)
    played = Counter(player for table in tables for player in table)
    assert played == dict.fromkeys(range(1, players + 1), games)
    pairs = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    met = [pairs[pair] for pair in combinations(range(1, players + 1), 2)]
    assert max(met) - min(met) <= spread, sorted(Counter(met).items())


@pytest.mark.parametrize("seed", [47, 67, 104, 140])
def test_search_that_ends_too_early_is_repeated(seed: int) -> None:
    """With these seeds the first search ends with pairs that meet two and four times."""
    tables = make_fixture_tables(9, 4, 8, Random(seed))
    pairs = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    assert set(pairs.values()) == {3}


@pytest.mark.parametrize(
    ("players", "size", "step"),
    [(8, 4, 1), (9, 4, 4), (10, 4, 2), (11, 4, 4), (9, 3, 1), (5, 3, 3)],
)
def test_number_of_games_leaves_no_seat_empty(players: int, size: int, step: int) -> None:
    assert step_of_games(players, size) == step
    if step > 1:
        with pytest.raises(ValueError, match="cannot play"):
            make_fixture_tables(players, size, step - 1, Random(1))
