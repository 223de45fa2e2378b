"""The wall of a recorded hand.

Owns the places from which the engine deals and draws the recorded tiles. Places whose tiles the
record does not show are filled with the remaining tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from game.engine.kans import MAX_KANS
from game.engine.rules import RuleSet
from game.engine.state import SEATS_OF
from game.engine.tiles import TILE_TO_TEXT
from game.engine.wall import LAYOUTS, tile_set


class RecordedWall:
    """The wall of one hand, filled with the tiles that the record shows."""

    def __init__(self, rules: RuleSet, dealer: int) -> None:
        """Start an empty wall. Raises ``ValueError`` if the table has no seat `dealer`."""
        if dealer not in SEATS_OF[rules.players]:
            raise ValueError(f"there is no seat {dealer}")
        self._dealer = dealer
        self._players = rules.players
        self._layout = LAYOUTS[rules.players]
        self._set = Counter(tile_set(rules))
        count = MAX_KANS if rules.fifth_kan != "use_ura" and rules.nukidora == "off" else None
        self._replacements = self._layout.replacements[:count]
        self._places: dict[int, int] = {}
        self._held: Counter[int] = Counter()
        self._drawn = self._replacements_drawn = self._indicators = 0

    def deal(self, seat: int, tiles: Sequence[int]) -> tuple[int, ...]:
        """Place the 13 tiles of the seat and return their places.

        Raises ``ValueError`` for another number of tiles. All methods raise ``ValueError`` for too
        many copies of a tile.
        """
        at = self._layout.deal[(seat - self._dealer) % self._players]
        if len(tiles) != len(at):
            raise ValueError(f"seat {seat} is dealt {len(tiles)} tiles")
        for place, tile in zip(at, tiles, strict=True):
            self._place_tile(place, tile)
        return at

    def draw(self, tile: int, *, rinshan: bool) -> int:
        """Place the next tile of the live wall, or the next replacement tile, and return its
        place."""
        if rinshan:
            if self._replacements_drawn == len(self._replacements):
                raise ValueError("no replacement tile is left to draw")
            place = self._replacements[self._replacements_drawn]
            self._replacements_drawn += 1
        else:
            place = self._layout.first_draw - self._drawn
            self._drawn += 1
        if self._drawn + self._replacements_drawn > self._layout.live:
            raise ValueError(f"more than {self._layout.live} tiles are drawn")
        self._place_tile(place, tile)
        return place

    def place_indicator(self, tile: int) -> int:
        """Place the next dora indicator and return its place."""
        if self._indicators == len(self._layout.indicators):
            raise ValueError("a sixth dora indicator is turned")
        place = self._layout.indicators[self._indicators]
        self._place_tile(place, tile)
        self._indicators += 1
        return place

    def place_ura(self, tiles: Iterable[int]) -> None:
        """Place the ura indicators. Two winners may both have shown them."""
        for at, tile in zip(self._layout.indicators, tiles, strict=False):
            if self._places.get(at - 1) != tile:
                self._place_tile(at - 1, tile)

    def _place_tile(self, place: int, tile: int) -> None:
        self._held[tile] += 1
        most = self._set[tile]
        if self._held[tile] > most:
            text = TILE_TO_TEXT.get(tile, str(tile))
            raise ValueError(f"the tile {text} appears {self._held[tile]} times; only {most} exist")
        if place in self._places:
            raise ValueError("two different tiles have the same place in the wall")
        self._places[place] = tile

    def wall(self) -> bytes:
        """Return the complete wall, with the remaining tiles in the unknown places."""
        left = iter(sorted((self._set - self._held).elements()))
        places = range(self._layout.tiles)
        return bytes([self._places[at] if at in self._places else next(left) for at in places])
