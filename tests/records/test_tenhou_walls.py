"""Tenhou's walls follow from the seed; its twister is the one of the standard library."""

from __future__ import annotations

import base64
from hashlib import sha256
from random import Random

import pytest

from game.records.tenhou_walls import SEED_PREFIX, TenhouWalls, seeded


def test_twister_is_seeded_like_the_standard_library() -> None:
    key = [int.from_bytes(sha256(bytes([at % 256, at // 256])).digest()[:4]) for at in range(624)]
    # A number is taken apart into its 32-bit words, the lowest first.
    theirs = Random(sum(word << 32 * at for at, word in enumerate(key)))
    ours = Random()
    ours.setstate((3, (*seeded(key), 624), None))
    assert [ours.getrandbits(32) for _ in range(2_000)] == [
        theirs.getrandbits(32) for _ in range(2_000)
    ]


def test_each_hand_has_a_complete_wall_of_its_own() -> None:
    walls = TenhouWalls(SEED_PREFIX + base64.b64encode(bytes(range(208)) * 12).decode())
    first, second = walls.next(), walls.next()
    assert sorted(first) == sorted(second) == list(range(136))
    assert first != second


def test_the_same_seed_gives_the_same_walls() -> None:
    seed = SEED_PREFIX + base64.b64encode(bytes(range(208)) * 12).decode()
    one, other = TenhouWalls(seed), TenhouWalls(seed)
    assert [one.next() for _ in range(3)] == [other.next() for _ in range(3)]


@pytest.mark.parametrize(
    "seed",
    ["", "mt19937ar,00", SEED_PREFIX, SEED_PREFIX + "AAAA", SEED_PREFIX + "not base64!"],
)
def test_an_invalid_seed_is_refused(seed: str) -> None:
    with pytest.raises(ValueError, match="seed of the walls"):
        TenhouWalls(seed)
