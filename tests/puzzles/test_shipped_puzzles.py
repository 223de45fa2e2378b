"""The shipped puzzles keep what their page promises, and hide what the seat did not see."""

from __future__ import annotations

import pytest

from game.engine.perspective import view
from game.engine.tiles import HIDDEN
from game.puzzles.candidates import LEAST_CHANCE
from game.puzzles.playouts import LEAST_ERRORS
from game.puzzles.puzzle import (
    LEVELS,
    THEMES,
    Puzzle,
    decode_puzzles,
    encode_puzzles,
    shipped_puzzles,
)

SHIPPED = list(shipped_puzzles().values())


def test_keys_are_different_and_kept() -> None:
    again = decode_puzzles(encode_puzzles(SHIPPED))
    assert [puzzle.key for puzzle in again] == list(shipped_puzzles())
    assert len({puzzle.key for puzzle in again}) == len(SHIPPED)


@pytest.mark.parametrize("puzzle", SHIPPED, ids=lambda puzzle: puzzle.key)
def test_puzzle_keeps_what_is_promised(puzzle: Puzzle) -> None:
    assert puzzle.chances[puzzle.best] >= round(100 * LEAST_CHANCE)
    assert abs(sum(puzzle.chances) - 100) <= len(puzzle.chances)
    for gain, error in zip(puzzle.gains, puzzle.errors, strict=True):
        assert gain >= LEAST_ERRORS * error - LEAST_ERRORS, "rounded by up to half a point each"
    assert puzzle.theme in THEMES
    assert puzzle.level in LEVELS
    assert puzzle.best != puzzle.rival


@pytest.mark.parametrize("puzzle", SHIPPED, ids=lambda puzzle: puzzle.key)
def test_puzzle_holds_only_what_the_seat_saw(puzzle: Puzzle) -> None:
    seen = puzzle.position
    assert view(seen, puzzle.seat) == seen
    assert not seen.wall
    assert not seen.seed
    for seat, hand in enumerate(seen.hands):
        assert (set(hand.tiles) <= {HIDDEN}) == (seat != puzzle.seat)
