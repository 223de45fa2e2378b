"""The wall follows from the seed, and every tile has its place in the layout.

The example is the one of `docs/rules.md`. A change of the example would also change the walls of
every stored game and needs a new version of the shuffle.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from game.engine.presets import preset
from game.engine.rules import TENHOU, RuleSet
from game.engine.tiles import is_red, kind_of, tile_from_text, tile_to_text
from game.engine.wall import (
    LAYOUTS,
    dealt_tiles,
    dora_indicator,
    is_complete_wall,
    live_tile,
    replacement_tile,
    shuffled_wall,
    tile_set,
    ura_indicators,
)

SEED = bytes(range(32))
WALL = shuffled_wall(TENHOU, SEED, 0)
LAYOUT = LAYOUTS[4]
IN_ORDER = bytes(range(LAYOUT.tiles))
"""A sequence in which every place holds its own number; it is not a valid wall."""

RULES_PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules.md"
EXAMPLE = {
    "dealer": "5mr 9m 2p 4p 8p 8p 2s 3s 4s 9s S N F",
    "next seat": "1m 2m 3m 8m 9m 9m 4p 6p 1s 3s 4s 7s F",
    "opposite": "6m 8m 6p 9p 9p 1s 2s 5s 5sr 7s S N C",
    "before the dealer": "3m 4m 5m 7m 8m 9m 3p 7p 9p 2s W P C",
    "first draws": "3s 3m E 7s",
    "replacement tiles": "3p W 5s E",
    "dora indicators": "8s 4m 4m 8p 1m",
    "ura indicators": "5pr 7p 1p N C",
}


OF_THREE = preset("tenhou-3")
EXAMPLE_OF_THREE = {
    "dealer": "1p 3p 4p 5p 7p 7p 8p 8p 1s 4s 9s N C",
    "next seat": "9m 9m 2p 5p 6p 6p 9p 2s 3s 5s 5sr 8s F",
    "before the dealer": "1m 9m 2p 1s 2s 4s 7s 9s E W N P F",
    "first draws": "8s 7p 4p",
    "replacement tiles": "W 8p 9p 2p C 6s W 1p",
    "dora indicators": "7p S 9s P S",
    "ura indicators": "2s 8p E F 7s",
}


def text(*tiles: int) -> str:
    return " ".join(tile_to_text(tile) for tile in tiles)


def test_a_seed_deals_the_example_of_the_rules_page() -> None:
    seats = ("dealer", "next seat", "opposite", "before the dealer")
    found = {name: text(*dealt_tiles(WALL, place)) for place, name in enumerate(seats)}
    found["first draws"] = text(*(live_tile(WALL, LAYOUT.live - drawn, 0) for drawn in range(4)))
    found["replacement tiles"] = text(*(replacement_tile(WALL, number) for number in range(4)))
    found["dora indicators"] = text(*(dora_indicator(WALL, number) for number in range(5)))
    found["ura indicators"] = text(*ura_indicators(WALL, 5))
    assert found == EXAMPLE
    assert text(*WALL[-4:]) == "N 4s 9m 2s"
    assert sha256(WALL).hexdigest().startswith("3e6344e965cb9e96")


def test_a_seed_deals_the_example_of_three_players() -> None:
    wall = shuffled_wall(OF_THREE, SEED, 0)
    seats = ("dealer", "next seat", "before the dealer")
    live = LAYOUTS[3].live
    found = {name: text(*dealt_tiles(wall, place)) for place, name in enumerate(seats)}
    found["first draws"] = text(*(live_tile(wall, live - drawn, 0) for drawn in range(3)))
    found["replacement tiles"] = text(*(replacement_tile(wall, number) for number in range(8)))
    found["dora indicators"] = text(*(dora_indicator(wall, number) for number in range(5)))
    found["ura indicators"] = text(*ura_indicators(wall, 5))
    assert found == EXAMPLE_OF_THREE
    assert is_complete_wall(OF_THREE, wall)
    assert not is_complete_wall(OF_THREE, WALL)
    assert sha256(wall).hexdigest().startswith("af1b659fc61577fb")


def test_the_rules_page_shows_the_example() -> None:
    page = RULES_PAGE.read_text(encoding="utf-8")
    for name, tiles in (*EXAMPLE.items(), *EXAMPLE_OF_THREE.items()):
        assert f"| {name} | `{tiles}` |" in page
    assert "... N 4s 9m 2s" in page
    assert "begins with `3e6344e965cb9e96`" in page
    assert "begins with `af1b659fc61577fb`" in page


def test_the_stream_begins_as_the_rules_page_says() -> None:
    digest = sha256(b"riichi wall 1" + SEED + bytes(8)).digest()
    stream = [int.from_bytes(digest[at : at + 2]) for at in range(0, 8, 2)]
    assert stream == [33396, 17854, 28894, 31910]
    page = " ".join(RULES_PAGE.read_text(encoding="utf-8").split())
    assert f"the stream begins {', '.join(map(str, stream))}." in page
    assert stream[0] % LAYOUT.tiles == 76
    assert WALL[-1] == tile_set(TENHOU)[76]


def test_seed_and_hand_determine_the_wall() -> None:
    assert shuffled_wall(TENHOU, SEED, 0) == WALL
    others = [shuffled_wall(TENHOU, SEED, hand) for hand in range(1, 20)]
    others += [shuffled_wall(TENHOU, SEED[:-1] + bytes([last]), 0) for last in range(20)]
    assert len({WALL, *others}) == 1 + len(others)


@pytest.mark.parametrize("hand", [0, 1, 255, 256, 65_536])
def test_every_hand_number_gives_a_wall_of_all_tiles(hand: int) -> None:
    assert is_complete_wall(TENHOU, shuffled_wall(TENHOU, SEED, hand))


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_seed_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"32 bytes, not {size}"):
        shuffled_wall(TENHOU, bytes(size), 0)


@pytest.mark.parametrize("reds", [(0, 0, 0), (1, 1, 1), (1, 2, 1), (0, 4, 0)])
def test_number_of_red_fives_follows_the_rules(reds: tuple[int, int, int]) -> None:
    rules = RuleSet(red_fives=reds)
    wall = shuffled_wall(rules, SEED, 0)
    assert tuple(wall.count(tile_from_text(five)) for five in ("5mr", "5pr", "5sr")) == reds
    assert sum(map(is_red, wall)) == sum(reds)
    assert set(Counter(kind_of(tile) for tile in wall).values()) == {4}
    assert is_complete_wall(rules, wall)


def test_wrong_wall_is_refused() -> None:
    assert is_complete_wall(TENHOU, bytes(tile_set(TENHOU)))
    assert not is_complete_wall(msgspec.structs.replace(TENHOU, red_fives=(0, 0, 0)), WALL)
    assert not is_complete_wall(TENHOU, WALL[:-1])
    assert not is_complete_wall(TENHOU, WALL + WALL[:1])
    twice = bytes([*WALL[:-1], WALL[0]])
    assert is_complete_wall(TENHOU, twice) == (WALL[-1] == WALL[0])
    assert not is_complete_wall(TENHOU, b"")


def test_tiles_are_evenly_distributed_over_places() -> None:
    """Chi-square over the places of the three red fives has 405 degrees of freedom. An even shuffle
    exceeds 550 about twice in a million runs; a shuffle that swaps every tile with any of the 136
    reaches 600. The seeds are fixed, so that the result is the same in every run."""
    walls = [shuffled_wall(TENHOU, sha256(b"%d" % number).digest(), 0) for number in range(4_080)]
    expected = len(walls) / LAYOUT.tiles
    distance = 0.0
    for five in ("5mr", "5pr", "5sr"):
        places = Counter(wall.index(tile_from_text(five)) for wall in walls)
        distance += sum((places[at] - expected) ** 2 / expected for at in range(LAYOUT.tiles))
    assert distance < 550


def test_every_place_is_dealt_drawn_or_kept_once() -> None:
    hands = [tile for place in range(4) for tile in dealt_tiles(IN_ORDER, place)]
    live = [live_tile(IN_ORDER, left, 0) for left in range(LAYOUT.live, 0, -1)]
    replacements = [replacement_tile(IN_ORDER, number) for number in range(4)]
    indicators = [dora_indicator(IN_ORDER, number) for number in range(5)]
    everything = [*hands, *live, *replacements, *indicators, *ura_indicators(IN_ORDER, 5)]
    assert sorted(everything) == list(IN_ORDER)


def test_hands_are_dealt_in_fours_from_the_end() -> None:
    assert dealt_tiles(IN_ORDER, 0) == (87, 100, 101, 102, 103, *range(116, 120), *range(132, 136))
    assert dealt_tiles(IN_ORDER, 3) == (84, *range(88, 92), *range(104, 108), *range(120, 124))


def test_each_replacement_takes_the_last_live_tile() -> None:
    assert live_tile(IN_ORDER, LAYOUT.live, 0) == 83
    assert live_tile(IN_ORDER, LAYOUT.live - 1, 0) == 82
    assert live_tile(IN_ORDER, LAYOUT.live - 2, 1) == 82, "the replacement took one of those left"
    assert [live_tile(IN_ORDER, 1, kans) for kans in range(5)] == [14, 15, 16, 17, 18]


def test_dead_wall_is_laid_out_as_at_tenhou() -> None:
    assert [replacement_tile(IN_ORDER, number) for number in range(4)] == [1, 0, 3, 2]
    assert [dora_indicator(IN_ORDER, number) for number in range(5)] == [5, 7, 9, 11, 13]
    assert ura_indicators(IN_ORDER, 2) == (4, 6)
