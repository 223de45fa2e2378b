"""Tracks every tile of an mjlog by its number.

The engine does not distinguish copies of a tile, but the record does. So a record can contradict
itself, or the wall of its seed, where the engine finds no difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from game.records.mjlog_codes import meld_of, pon_of


class TileNumbers:
    """Tracks where the tiles of a recorded hand are."""

    def __init__(self, wall: Sequence[int] | None) -> None:
        self.contradictions: list[tuple[int, str]] = []
        """Contradictions, each with the number of events of the hand before it."""
        self._wall = wall
        self._seen: set[int] = set()
        self._held: list[set[int]] = [set(), set(), set(), set()]
        self._melds: list[list[int]] = [[], [], [], []]
        """The codes of the calls of each seat."""
        self._indicators: list[int] = []
        self._discarded = -1

    def first_seen(self, number: int) -> None:
        """Note that the tile appears. Raises ``ValueError`` if it has appeared before."""
        if number in self._seen:
            raise ValueError(f"tile {number} appears a second time")
        self._seen.add(number)

    def check_wall(self, number: int, place: int, at: int) -> None:
        """Check the tile against that place of the wall, after `at` events of the hand."""
        if self._wall and self._wall[place] != number:
            self._add_contradiction(
                at, f"the wall of the seed has tile {self._wall[place]}, not {number}"
            )

    def take(self, seat: int, numbers: Iterable[int]) -> None:
        """Add tiles that the seat is dealt or draws."""
        self._held[seat].update(numbers)

    def indicator(self, number: int) -> None:
        self._indicators.append(number)

    def discard(self, seat: int, number: int, at: int) -> None:
        self._drop(seat, (number,), at)
        self._discarded = number

    def call(self, seat: int, code: int, at: int) -> None:
        meld = meld_of(code)
        self._drop(seat, meld.from_hand, at)
        if meld.name in ("chi", "pon", "daiminkan") and meld.called != self._discarded:
            self._add_contradiction(
                at, f"tile {meld.called} is called, {self._discarded} was discarded last"
            )
        if meld.name == "kakan":
            pon = pon_of(code)
            if pon in self._melds[seat]:
                self._melds[seat].remove(pon)
            else:
                self._add_contradiction(at, f"seat {seat} has no such pon")
        self._melds[seat].append(code)
        self._discarded = meld.called

    def win(
        self,
        seat: int,
        closed: Sequence[int],
        machi: int,
        melds: Sequence[int],
        shown: Sequence[int],
        at: int,
    ) -> None:
        """Check a win with these closed tiles, including the winning tile, with the melds of these
        codes and these open indicators."""
        if others := set(closed) ^ (self._held[seat] | {machi}):
            self._add_contradiction(
                at, f"the winning hand and what seat {seat} holds: {sorted(others)}"
            )
        if sorted(melds) != sorted(self._melds[seat]):
            self._add_contradiction(at, f"the melds of seat {seat} are {self._melds[seat]}")
        if list(shown) != self._indicators:
            self._add_contradiction(at, f"the indicators that were turned are {self._indicators}")

    def _drop(self, seat: int, numbers: Sequence[int], at: int) -> None:
        missing = [number for number in numbers if number not in self._held[seat]]
        if missing:
            self._add_contradiction(at, f"seat {seat} does not hold tile {missing[0]}")
        self._held[seat].difference_update(numbers)

    def _add_contradiction(self, at: int, what: str) -> None:
        self.contradictions.append((at, what))
