"""``python -m bench.puzzles``: makes puzzles from games of the site's own bots.

Plays games of the strongest bot, tries their decisions in a random order, and prints how many are
thrown out and why. Writes them after each decision, so that a run that was stopped goes on where
it was.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

from bench.bots.games import play_game
from game.bots import bot_named
from game.puzzles.candidates import REASONS, Position, ThrownOut, make_puzzle, positions_of
from game.puzzles.puzzle import SHIPPED, Puzzle, decode_puzzles, encode_puzzles
from game.reviews.moments import split_hands

_FROM_EACH_GAME: Final = 4
"""Puzzles of one game at most."""


def main() -> None:
    """Make puzzles until there are enough."""
    parser = argparse.ArgumentParser(prog="python -m bench.puzzles", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="puzzles to make")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first game")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument(
        "--join", type=Path, nargs="+", help="join the files of runs with different seeds instead"
    )
    options = parser.parse_args()
    if options.join:
        _join(options.join, options.out)
        return
    counts_path = _counts_path(options.out)
    puzzles = decode_puzzles(options.out.read_bytes()) if options.out.exists() else []
    counts = Counter(json.loads(counts_path.read_text()) if counts_path.exists() else {})
    while len(puzzles) < options.count:
        seed = options.seed + counts["games"]
        made = 0
        for puzzle in _of_game(seed, counts):
            made += puzzle is not None
            if puzzle is not None:
                puzzles.append(puzzle)
                options.out.write_bytes(encode_puzzles(puzzles))
                print(_report(counts, len(puzzles)), flush=True)
            counts_path.write_text(json.dumps(counts))
            if made == _FROM_EACH_GAME or len(puzzles) == options.count:
                break
        counts["games"] += 1
        counts["at"] = 0
        counts_path.write_text(json.dumps(counts))


def _counts_path(out: Path) -> Path:
    return out.with_suffix(".counts.json")


def _join(paths: Sequence[Path], out: Path) -> None:
    """Write the puzzles of these files into one, and print the sum of their counts."""
    counts = Counter[str]()
    puzzles: dict[str, Puzzle] = {}
    for path in paths:
        counts.update(json.loads(_counts_path(path).read_text()))
        puzzles |= {puzzle.key: puzzle for puzzle in decode_puzzles(path.read_bytes())}
    out.write_bytes(encode_puzzles(list(puzzles.values())))
    print(_report(counts, len(puzzles)))


def _of_game(seed: int, counts: Counter[str]) -> Iterator[Puzzle | None]:
    """Try the decisions of one game from the place `counts["at"]` on, and count them by their fate.
    Yield the puzzle, or None, after each of them."""
    game = play_game(seed, [bot_named("sensible").choose] * 4)
    positions: list[Position] = []
    for hand in split_hands(game.events):
        positions += positions_of(hand, f"bots {seed}")
    Random(seed).shuffle(positions)
    for number, position in enumerate(positions[counts["at"] :], counts["at"]):
        started = time.process_time()
        puzzle = None
        try:
            puzzle = make_puzzle(position, 10_000 * seed + number)
            counts["made"] += 1
        except ThrownOut as error:
            counts[error.reason] += 1
        counts["tried"] += 1
        counts["at"] = number + 1
        counts["cpu_ms"] += round(1_000 * (time.process_time() - started))
        yield puzzle


def _report(counts: Counter[str], made: int) -> str:
    """Return how many decisions were thrown out, and why."""
    tried = counts["tried"] or 1
    lines = [f"{made} puzzles of {counts['games']} games; {counts['tried']} decisions tried:"]
    lines += [
        f"{counts[reason]:7} {counts[reason] / tried:6.1%}  {text}"
        for reason, text in REASONS.items()
    ]
    lines.append(f"{counts['made']:7} {counts['made'] / tried:6.1%}  puzzles")
    lines.append(f"{counts['cpu_ms'] / 1_000 / (made or 1):.0f} s of CPU for each puzzle")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
