"""Positions are played on to the end of the hand, from a seed and one's own moves alone."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from bench.bots.games import play_game
from game.bots import bot_named
from game.engine.perspective import view
from game.engine.presets import preset
from game.engine.state import Phase, Table
from game.puzzles.candidates import positions_of
from game.puzzles.playing_on import MAX_MOVES, NoSuchMove, move_text, play_from, play_on
from game.puzzles.playouts import redrawn, unseen_tiles
from game.puzzles.puzzle import shipped_puzzles
from game.reviews.moments import split_hands


def played_to_the_end(seen: Table, seat: int, seed: int) -> list[str]:
    """Play random moves to the end of the hand, and return them."""
    rng = Random(seed)
    moves: list[str] = []
    line = play_on(seen, seat, seed, moves)
    while not line.is_over:
        assert line.table.phase in (Phase.TURN, Phase.CLAIMS)
        moves.append(move_text(rng.choice(line.moves)))
        line = play_on(seen, seat, seed, moves)
    assert line.table.results
    assert sum(line.table.scores) + 1_000 * line.table.kyotaku == sum(seen.scores) + (
        1_000 * seen.kyotaku
    )
    return moves


def test_every_shipped_puzzle_is_played_to_the_end_of_its_hand() -> None:
    longest = 0
    for puzzle in shipped_puzzles().values():
        longest = max(longest, len(played_to_the_end(puzzle.position, puzzle.seat, 1)))
    assert 5 < longest < MAX_MOVES


def test_first_position_is_the_one_that_the_seat_saw() -> None:
    for puzzle in list(shipped_puzzles().values())[::8]:
        line = play_on(puzzle.position, puzzle.seat, 3, [])
        assert view(line.table, puzzle.seat) == puzzle.position
        assert not line.events


def test_same_seed_and_moves_give_the_same_line() -> None:
    puzzle = next(iter(shipped_puzzles().values()))
    moves = played_to_the_end(puzzle.position, puzzle.seat, 7)
    first, second = (play_on(puzzle.position, puzzle.seat, 7, moves) for _ in range(2))
    assert first == second
    other = play_on(puzzle.position, puzzle.seat, 8, moves[:1])
    assert other.table.hands != play_on(puzzle.position, puzzle.seat, 7, moves[:1]).table.hands


def test_moves_that_the_seat_cannot_make_are_refused() -> None:
    puzzle = next(iter(shipped_puzzles().values()))
    for moves in (["discard-9x"], ["hora"], [""], ["pass"] * (MAX_MOVES + 1)):
        with pytest.raises(NoSuchMove):
            play_on(puzzle.position, puzzle.seat, 1, moves)


def test_moves_have_different_texts() -> None:
    for puzzle in shipped_puzzles().values():
        texts = list(map(move_text, play_on(puzzle.position, puzzle.seat, 1, []).moves))
        assert len(set(texts)) == len(texts)


def test_whole_tables_are_played_on_from_their_own_wall() -> None:
    puzzle = next(iter(shipped_puzzles().values()))
    table = redrawn(puzzle.position, puzzle.seat, Random("wall"))
    line = play_from(table, puzzle.seat, 1, [])
    while not line.is_over:
        assert line.table.wall == table.wall
        line = play_from(line.table, puzzle.seat, 1, [move_text(line.moves[-1])])


def test_positions_of_three_players_with_norths_are_played_on() -> None:
    rules = preset("tenhou-3")
    game = play_game(11, [bot_named("hasty").choose] * 3, rules=rules)
    positions = [each for hand in split_hands(game.events) for each in positions_of(hand, "bots")]
    with_norths = [each for each in positions if any(hand.norths for hand in each.seen.hands)]
    assert with_norths
    for seen, seat, _ in with_norths[::20]:
        assert len(unseen_tiles(seen, seat)) == len(
            unseen_tiles(replace(seen, hands=tuple(replace(h, norths=0) for h in seen.hands)), seat)
        ) - sum(hand.norths for hand in seen.hands)
        played_to_the_end(seen, seat, 2)
