"""Tenhou's walls follow from the seed."""

from __future__ import annotations

import base64

import pytest

from game.records.tenhou_walls import SEED_PREFIX, TenhouWalls

FIRST_TILES = ([110, 128, 112, 23, 45, 107], [35, 37, 8, 120, 9, 121])


def test_each_hand_has_a_complete_wall_of_its_own() -> None:
    walls = TenhouWalls(SEED_PREFIX + base64.b64encode(bytes(range(208)) * 12).decode(), 4)
    first, second = walls.next_wall(), walls.next_wall()
    assert (first[:6], second[:6]) == FIRST_TILES
    assert sorted(first) == sorted(second) == list(range(136))
    assert first != second


def test_the_same_seed_gives_the_same_walls() -> None:
    seed = SEED_PREFIX + base64.b64encode(bytes(range(208)) * 12).decode()
    one, other = TenhouWalls(seed, 4), TenhouWalls(seed, 4)
    assert [one.next_wall() for _ in range(3)] == [other.next_wall() for _ in range(3)]


@pytest.mark.parametrize(
    "seed",
    ["", "mt19937ar,00", SEED_PREFIX, SEED_PREFIX + "AAAA", SEED_PREFIX + "not base64!"],
)
def test_an_invalid_seed_is_refused(seed: str) -> None:
    with pytest.raises(ValueError, match="seed of the walls"):
        TenhouWalls(seed, 4)
