"""Follows every single tile of an mjlog by its number.

The engine does not tell copies of a tile apart, the record does: so it can contradict itself,
or the wall of its seed, where the engine has nothing to object to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from game.records.mjlog_codes import meld_of, pon_of


class Numbers:
    """Where the tiles are that a hand's record has told of."""

    def __init__(self, wall: Sequence[int] | None) -> None:
        self.contradictions: list[tuple[int, str]] = []
        """After so many parts of the story, what does not fit."""
        self._wall = wall
        self._seen: set[int] = set()
        self._held: list[set[int]] = [set(), set(), set(), set()]
        self._melds: list[list[int]] = [[], [], [], []]
        """By seat, the codes of its calls."""
        self._indicators: list[int] = []
        self._thrown = -1

    def first_seen(self, number: int) -> None:
        """The tile turns up. Raises ``ValueError`` if it has done so before."""
        if number in self._seen:
            raise ValueError(f"tile {number} turns up a second time")
        self._seen.add(number)

    def lies(self, number: int, place: int, at: int) -> None:
        """The tile is laid at that place of the wall, the story having so many parts."""
        if self._wall and self._wall[place] != number:
            self._object(at, f"the wall of the seed has tile {self._wall[place]}, not {number}")

    def take(self, seat: int, numbers: Iterable[int]) -> None:
        """The seat is dealt or draws these."""
        self._held[seat].update(numbers)

    def indicator(self, number: int) -> None:
        self._indicators.append(number)

    def discard(self, seat: int, number: int, at: int) -> None:
        self._drop(seat, (number,), at)
        self._thrown = number

    def call(self, seat: int, code: int, at: int) -> None:
        meld = meld_of(code)
        self._drop(seat, meld.from_hand, at)
        if meld.name in ("chi", "pon", "daiminkan") and meld.called != self._thrown:
            self._object(at, f"tile {meld.called} is called, {self._thrown} was discarded last")
        if meld.name == "kakan":
            pon = pon_of(code)
            if pon in self._melds[seat]:
                self._melds[seat].remove(pon)
            else:
                self._object(at, f"seat {seat} has no such pon")
        self._melds[seat].append(code)
        self._thrown = meld.called

    def win(
        self,
        seat: int,
        closed: Sequence[int],
        machi: int,
        melds: Sequence[int],
        shown: Sequence[int],
        at: int,
    ) -> None:
        """The seat wins with these closed tiles, the winning one among them, and the melds of
        these codes; these indicators are shown."""
        if others := set(closed) ^ (self._held[seat] | {machi}):
            self._object(at, f"the winning hand and what seat {seat} holds: {sorted(others)}")
        if sorted(melds) != sorted(self._melds[seat]):
            self._object(at, f"the melds of seat {seat} are {self._melds[seat]}")
        if list(shown) != self._indicators:
            self._object(at, f"the indicators that were turned are {self._indicators}")

    def _drop(self, seat: int, numbers: Sequence[int], at: int) -> None:
        missing = [number for number in numbers if number not in self._held[seat]]
        if missing:
            self._object(at, f"seat {seat} does not hold tile {missing[0]}")
        self._held[seat].difference_update(numbers)

    def _object(self, at: int, what: str) -> None:
        self.contradictions.append((at, what))
