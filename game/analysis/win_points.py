"""The points of a seat's self-drawn wins, for its expected points.

Owns the points of a hypothetical complete hand: it wins with the seat's present melds and the
indicators turned so far, without riichi, ura dora, honba and sticks. The engine values it. Must not
know chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from game.analysis.visible_tiles import VisibleTiles
from game.engine.points import hand_points
from game.engine.rules import RuleSet
from game.engine.state import Meld
from game.engine.tiles import EAST, NO_TILE
from game.engine.value import WinContext, value_of

_SITUATIONS: Final = 8
"""Number of situations whose points are cached: the four seats of a hand, and some seats that have
just called."""


class WinPoints:
    """The points of self-drawn wins in one situation, each computed once."""

    def __init__(self, situation: WinContext) -> None:
        self._situation = situation
        self._found: dict[tuple[bytes, int, tuple[int, ...]], int] = {}

    def points(self, counts: Sequence[int], kind: int, reds: tuple[int, ...]) -> int:
        """Return the points that all payers pay together; 0 without a yaku.

        `counts` are the concealed tiles by kind without the drawn tile, and `kind` is the kind of
        the drawn tile, which is no red five. `reds` are the kinds of the red fives that the seat
        holds now; as many fives in `counts` are red.
        """
        key = (bytes(counts), kind, reds)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._value(_tiles(counts, reds), 2 * kind)
        return found

    def _value(self, tiles: tuple[int, ...], drawn: int) -> int:
        value = value_of(replace(self._situation, tiles=tiles, winning_tile=drawn))
        is_dealer = self._situation.seat_wind == EAST
        return hand_points(value, is_dealer, is_tsumo=True) if value is not None else 0


def win_points(visible: VisibleTiles) -> WinPoints:
    """Return the points of this seat's wins. Equal situations share one object."""
    table = visible.table
    return _win_points(
        table.rules,
        visible.hand.melds,
        table.dora,
        table.wind_of(visible.seat),
        table.round_wind,
        table.honba,
    )


@lru_cache(maxsize=_SITUATIONS)
def _win_points(
    rules: RuleSet,
    melds: tuple[Meld, ...],
    dora: tuple[int, ...],
    seat_wind: int,
    round_wind: int,
    honba: int,
) -> WinPoints:
    return WinPoints(
        WinContext(
            rules=rules,
            tiles=(),
            melds=melds,
            winning_tile=NO_TILE,
            is_tsumo=True,
            seat_wind=seat_wind,
            round_wind=round_wind,
            dora=dora,
            honba=honba,
        )
    )


def _tiles(counts: Sequence[int], reds: tuple[int, ...]) -> tuple[int, ...]:
    tiles = [2 * kind for kind, number in enumerate(counts) for _ in range(number)]
    for kind in reds:
        if 2 * kind in tiles:
            tiles.remove(2 * kind)
            tiles.append(2 * kind + 1)
    return tuple(sorted(tiles))
