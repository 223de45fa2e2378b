"""Shuffles are even: no tile is more likely at one place of the wall than at another.

``SHUFFLES=1000000 pytest -s tests/engine/test_even_shuffles.py`` shuffles a million times (some
minutes) and prints the figures. Each figure is a distance from even shuffles in standard
deviations. The tests fail at `ALARM`; even shuffles exceed it less than once in a hundred
thousand runs. The seeds are fixed, so that the result is the same in every run.

The smallest bias that is found (`bias_of_one_place`, `bias_everywhere`):

| shuffles | a tile at one place | all tiles at all places |
|---|---|---|
| 20,000 | 41 % | 1.9 % |
| 1,000,000 | 5.7 % | 0.27 % |

5.7 % means that a tile with four copies is at one of the 136 places 1.057 times as often as it
should be. 0.27 % means that each tile is too frequent or too rare by that share at each place.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from hashlib import sha256
from operator import eq
from random import Random
from typing import Final

import pytest

from game.engine import wall as walls
from game.engine.rules import TENHOU
from game.engine.wall import LAYOUTS, Layout, shuffled_wall, tile_set

SHUFFLES: Final = int(os.environ.get("SHUFFLES", "20000"))
ALARM: Final = 6.0
BATCH: Final = 10_000
LAYOUT: Final = LAYOUTS[4]
TILES: Final = LAYOUT.tiles
TILE_COUNTS: Final = {tile: tile_set(TENHOU).count(tile) for tile in set(tile_set(TENHOU))}
FREEDOM: Final = (len(TILE_COUNTS) - 1) * (TILES - 1)
LAGS: Final = (1, 4, 16)
"""Distances of neighbours: in the wall, within a hand's four tiles, and between two rounds of four
tiles."""
_KINDS: Final = bytes(number // 2 for number in range(256))

Shuffle = Callable[[int], bytes]
"""A function that returns the wall with that number."""


def seeded_wall(number: int) -> bytes:
    return shuffled_wall(TENHOU, sha256(b"%d" % number).digest(), 0)


class Figures:
    """Counts how often each tile is at each place, and how often equal kinds are neighbours."""

    def __init__(self, shuffle: Shuffle, count: int) -> None:
        self.count = count
        self._at = {(tile, place): 0 for tile in TILE_COUNTS for place in range(TILES)}
        self._alike = dict.fromkeys(LAGS, 0)
        for first in range(0, count, BATCH):
            self._add([shuffle(number) for number in range(first, min(first + BATCH, count))])

    def _add(self, batch: list[bytes]) -> None:
        joined = b"".join(batch)
        for place in range(TILES):
            column = joined[place::TILES]
            for tile in TILE_COUNTS:
                self._at[tile, place] += column.count(tile)
        for wall in batch:
            kinds = wall.translate(_KINDS)
            for lag in LAGS:
                self._alike[lag] += sum(map(eq, kinds, kinds[lag:]))

    def places(self) -> float:
        """Return chi-square over all tiles and places, as a distance in standard deviations."""
        total = sum(
            (found - self._expected(tile)) ** 2 / self._expected(tile)
            for (tile, _), found in self._at.items()
        )
        return (total * (TILES - 1) / TILES - FREEDOM) / math.sqrt(2 * FREEDOM)

    def farthest(self) -> float:
        """Return the greatest distance of a tile at a place from its expected number, in standard
        deviations."""
        return max(
            abs(found - expected) / math.sqrt(expected * (1 - expected / self.count))
            for (tile, _), found in self._at.items()
            for expected in [self._expected(tile)]
        )

    def neighbours(self) -> float:
        """Return the greatest deviation for equal kinds at the distances of `LAGS`."""
        return max(abs(self._neighbours(lag)) for lag in LAGS)

    def _neighbours(self, lag: int) -> float:
        """Return the deviation at this distance. Two places hold tiles of one kind with probability
        3/135, and pairs of places are nearly independent."""
        chance = 3 / (TILES - 1)
        expected = self.count * (TILES - lag) * chance
        return (self._alike[lag] - expected) / math.sqrt(expected * (1 - chance))

    def _expected(self, tile: int) -> float:
        return self.count * TILE_COUNTS[tile] / TILES

    def all(self) -> dict[str, float]:
        found = {
            "places": self.places(),
            "farthest place": self.farthest(),
            "neighbours": self.neighbours(),
        }
        return {name: round(value, 2) for name, value in found.items()}


def bias_of_one_place(count: int) -> float:
    """Return the bias of a tile with four copies at one place that is nearly always found: the
    share by which the tile has to be too frequent for `farthest` to exceed `ALARM` by four standard
    deviations."""
    chance = 4 / TILES
    return (ALARM + 4) * math.sqrt((1 - chance) / (count * chance))


def bias_everywhere(count: int) -> float:
    """Return the bias of all tiles at all places that is nearly always found: the share by which
    each has to be too frequent or too rare for `places` to exceed `ALARM` by four standard
    deviations. Each adds ``count * chance * share ** 2`` to chi-square."""
    return math.sqrt((ALARM + 4) * math.sqrt(2 * FREEDOM) / (count * TILES))


@pytest.mark.timeout(3_600)
def test_shuffles_are_even() -> None:
    found = Figures(seeded_wall, SHUFFLES).all()
    print(f"\n{SHUFFLES:,} shuffles: {found}")
    print(f"would find {bias_of_one_place(SHUFFLES):.2%} at one place")
    print(f"would find {bias_everywhere(SHUFFLES):.2%} everywhere")
    assert max(found.values()) < ALARM, found


def test_smallest_bias_is_as_documented() -> None:
    rows = [
        f"| {count:,} | {bias_of_one_place(count):.2%} | {bias_everywhere(count):.2%} |"
        for count in (20_000, 1_000_000)
    ]
    assert rows == ["| 20,000 | 40.62% | 1.90% |", "| 1,000,000 | 5.74% | 0.27% |"]


def swapped_with_any(number: int) -> bytes:
    """Return a wall shuffled with a well-known mistake: each tile is swapped with any of the
    136."""
    rng, tiles = Random(number), tile_set(TENHOU)
    for place in range(TILES):
        other = rng.randrange(TILES)
        tiles[place], tiles[other] = tiles[other], tiles[place]
    return bytes(tiles)


def in_one_cycle(number: int) -> bytes:
    """Return a wall shuffled with another well-known mistake: every tile leaves its place, and the
    permutation is one cycle."""
    rng, tiles = Random(number), tile_set(TENHOU)
    for last in range(TILES - 1, 0, -1):
        other = rng.randrange(last)
        tiles[last], tiles[other] = tiles[other], tiles[last]
    return bytes(tiles)


def riffle_once(number: int) -> bytes:
    """Return a sorted wall after one riffle, which leaves equal kinds beside each other."""
    rng, tiles = Random(number), tile_set(TENHOU)
    start = rng.randrange(TILES)
    return bytes(tiles[start:] + tiles[:start])


def favour_one_tile(share: float) -> Shuffle:
    """Return a shuffle that is even except for one tile, which is at one place too often by that
    share."""

    def shuffle(number: int) -> bytes:
        rng, tiles = Random(number), bytearray(seeded_wall(number))
        if tiles[FAVOURED_PLACE] != FAVOURED_TILE and rng.random() < share * 4 / TILES:
            other = tiles.index(FAVOURED_TILE)
            tiles[other], tiles[FAVOURED_PLACE] = tiles[FAVOURED_PLACE], tiles[other]
        return bytes(tiles)

    return shuffle


FAVOURED_TILE: Final = 66
FAVOURED_PLACE: Final = LAYOUT.first_draw


@pytest.mark.parametrize(
    ("shuffle", "figure"),
    [
        (swapped_with_any, "places"),
        (in_one_cycle, "places"),
        (riffle_once, "neighbours"),
        (favour_one_tile(bias_of_one_place(2_000)), "farthest place"),
    ],
    ids=["swapped with any", "one cycle", "badly mixed", "favoured tile"],
)
def test_uneven_shuffle_is_found(shuffle: Shuffle, figure: str) -> None:
    assert Figures(shuffle, 2_000).all()[figure] > ALARM


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_each_swap_is_exactly_even(layout: Layout) -> None:
    """Numbers below the limit give each place equally often, because the limit is a multiple of the
    number of places. The largest such limit skips the fewest numbers."""
    assert [last for last, _ in layout.limits] == list(range(layout.tiles - 1, 0, -1))
    for last, limit in layout.limits:
        assert limit % (last + 1) == 0
        assert 65_536 - (last + 1) < limit <= 65_536


def test_numbers_beyond_the_limit_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    def stream(salt: bytes, seed: bytes, hand: int) -> Iterator[int]:
        for last, limit in LAYOUT.limits:
            if limit < 65_536:
                yield from (65_535, limit)
            yield last

    monkeypatch.setattr(walls, "_random_numbers", stream)
    assert shuffled_wall(TENHOU, bytes(32), 0) == bytes(tile_set(TENHOU)), (
        "each tile keeps its place"
    )
