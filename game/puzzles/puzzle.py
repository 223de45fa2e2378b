"""A puzzle: a decision of one seat with its answers, and how a list of puzzles is stored."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from game.engine.state import Table
from game.reviews.figures import Choice

SHIPPED: Final = Path(__file__).with_name("shipped.msgpack.gz")
"""The puzzles from games of the site's own bots. `python -m bench.puzzles` makes them."""
THEMES: Final = ("efficiency", "push", "fold", "call")
LEVELS: Final = ("easy", "medium", "hard")


class Puzzle(msgspec.Struct, frozen=True, array_like=True):
    """A decision whose best answer is known."""

    position: Table
    """The view of the seat, without anything that it could not see."""
    seat: int
    theme: str
    """One of THEMES."""
    level: str
    """One of LEVELS, by how many of the weaker bots find the answer."""
    choices: list[Choice]
    """All answers with the figures of a review, without curves and single dangers."""
    chances: list[int]
    """By choice, how likely a strong player takes it, in per cent."""
    best: int
    """The answer, as a place in `choices`."""
    rival: int
    """The answer that was played out against it."""
    gains: tuple[int, int]
    """The points that the best answer was ahead in the mean, with the first and the second seed."""
    errors: tuple[int, int]
    """The standard errors of `gains`, in points."""
    source: str
    """The game and the position from which the puzzle was made, such as ``bots 17:230``."""

    @property
    def key(self) -> str:
        """What names the puzzle in addresses: the same position and answers give the same key."""
        named = msgspec.msgpack.encode((self.position, self.seat, self.choices))
        return sha256(named).hexdigest()[:12]


def encode_puzzles(puzzles: Sequence[Puzzle]) -> bytes:
    """Return the puzzles as a compressed file."""
    return gzip.compress(msgspec.msgpack.encode(puzzles), 9, mtime=0)


def decode_puzzles(data: bytes) -> list[Puzzle]:
    """Return the puzzles of such a file. Raises msgspec.DecodeError for other content."""
    return msgspec.msgpack.decode(gzip.decompress(data), type=list[Puzzle])


@cache
def shipped_puzzles() -> dict[str, Puzzle]:
    """Return the shipped puzzles by key, read once in each process."""
    return {puzzle.key: puzzle for puzzle in decode_puzzles(SHIPPED.read_bytes())}
