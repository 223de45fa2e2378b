"""The speed of discards: shanten, useful tiles, and the chances to reach tenpai and to win.

The chances are those of a player who draws alone: nobody calls, wins or deals in, every draw sees
the same unseen tiles, and only draws that reduce the shanten change the hand. From 3-shanten only
the hand with the most useful tiles is followed after such a draw, so that the chances are lower
bounds there. They come from the package jansou. Must not know danger.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from jansou.analysis.ev import Outlook, Valuation, hand_outlook
from jansou.core.hand import SOURCE_OF_RELATIVE
from jansou.core.hand import Meld as JansouMeld
from jansou.core.hand import MeldType as JansouMeldType
from jansou.core.rules import Rules
from jansou.core.tiles import Tile, TileKind, Wind
from xiangting import PlayerCount, calculate_necessary_tiles

from game.analysis.shape import shanten
from game.analysis.visible_tiles import VisibleTiles
from game.engine.state import Meld, MeldType
from game.engine.tiles import EAST, KINDS, NO_TILE, is_red, kind_of, kinds_in

MAX_CURVE_SHANTEN: Final = 3
"""No curves above it: they would take ten times as long for each further shanten."""
MAX_EXACT_SHANTEN: Final = 2
"""Up to it, every hand is followed that a draw makes nearer; above, only the one with the most
useful tiles, which takes a fifth of the time."""
_DIGITS: Final = 4
_TYPES: Final = {
    MeldType.CHI: JansouMeldType.CHII,
    MeldType.PON: JansouMeldType.PON,
    MeldType.DAIMINKAN: JansouMeldType.DAIMINKAN,
    MeldType.ANKAN: JansouMeldType.ANKAN,
    MeldType.KAKAN: JansouMeldType.SHOUMINKAN,
}


class Speed(msgspec.Struct, frozen=True, gc=False):
    """The hand after a discard."""

    shanten: int
    useful: dict[int, int]
    """The unseen copies of each kind that reduces the shanten; kinds without any are left out."""

    @property
    def unseen(self) -> int:
        """The number of unseen useful tiles."""
        return sum(self.useful.values())


class Curves(msgspec.Struct, frozen=True, gc=False):
    """Chances by the number of draws: entry `d` is for at most `d` draws, from 0."""

    tenpai: tuple[float, ...]
    win: tuple[float, ...]
    points: float
    """Expected points of the win within all draws. An upper bound: it multiplies the best chance to
    win with the mean points of the wins of a player who plays for points."""


def speed_after(visible: VisibleTiles, kind: int) -> Speed:
    """Return the speed of the seat's hand after the discard of this kind."""
    counts = visible.counts.copy()
    counts[kind] -= 1
    return speed_of(visible, counts)


def speed_of(visible: VisibleTiles, counts: list[int]) -> Speed:
    """Return the speed of these concealed tiles by kind, before the seat's draw."""
    replacement, mask = calculate_necessary_tiles(counts, PlayerCount.FOUR)
    useful = {other: visible.unseen[other] for other in kinds_in(mask) if visible.unseen[other]}
    return Speed(replacement - 1, useful)


def least_shanten(speeds: Iterable[Speed]) -> int:
    return min(speed.shanten for speed in speeds)


def fastest(speeds: dict[int, Speed]) -> frozenset[int]:
    """Return the keys with the least shanten and, among those, the most unseen useful tiles."""
    best = min((speed.shanten, -speed.unseen) for speed in speeds.values())
    return frozenset(key for key, speed in speeds.items() if (speed.shanten, -speed.unseen) == best)


def curves_after(visible: VisibleTiles, tile: int) -> Curves:
    """Return the chances after the discard of this tile, for all own draws that are left."""
    counts = visible.counts.copy()
    counts[kind_of(tile)] -= 1
    outlook = outlook_of(
        counts,
        visible.unseen,
        melds=len(visible.hand.melds),
        draws=min(visible.draws, sum(visible.unseen)),
        valuation=_valuation(visible, tile),
    )
    return Curves(
        tenpai=tuple([round(chance, _DIGITS) for chance in outlook.ready]),
        win=tuple([round(chance, _DIGITS) for chance in outlook.win]),
        points=round(outlook.win[-1] * outlook.points[-1], 1),
    )


def outlook_of(
    counts: list[int],
    unseen: Sequence[int],
    *,
    melds: int,
    draws: int,
    valuation: Valuation | None = None,
) -> Outlook:
    """Return jansou's outlook of a hand before its draw: of `counts` tiles by kind, with so many
    unseen copies of each kind."""
    outside = [4 - mine - left for mine, left in zip(counts, unseen, strict=True)]
    is_exact = shanten(counts) <= MAX_EXACT_SHANTEN
    return hand_outlook(
        counts,
        melds,
        draws,
        visible=outside,
        beam=None if is_exact else 1,
        max_distance=None,
        valuation=valuation,
    )


def _valuation(visible: VisibleTiles, discard: int) -> Valuation:
    """Return what jansou needs to price the wins of a hand."""
    table = visible.table
    rules = table.rules
    tiles = list(visible.tiles)
    tiles.remove(discard)
    reds = [0] * KINDS
    for tile in tiles:
        reds[kind_of(tile)] += is_red(tile)
    return Valuation(
        rules=Rules(
            double_wind_fu=rules.double_wind_fu,
            kiriage_mangan=rules.kiriage_mangan,
            kazoe_yakuman=rules.kazoe == "yakuman",
            double_yakuman=bool(rules.double_yakuman),
            kuitan=rules.kuitan,
        ),
        melds=tuple(_meld(meld, visible.seat) for meld in visible.hand.melds),
        dora_indicators=tuple(map(_tile, table.dora)),
        round_wind=Wind(table.round_wind - EAST),
        seat_wind=Wind(table.wind_of(visible.seat) - EAST),
        red_fives=tuple(reds),
    )


def _tile(tile: int) -> Tile:
    return Tile(TileKind(kind_of(tile)), red=is_red(tile))


def _meld(meld: Meld, seat: int) -> JansouMeld:
    is_called = meld.called != NO_TILE
    return JansouMeld(
        type=_TYPES[meld.type],
        tiles=tuple(map(_tile, meld.tiles)),
        called=_tile(meld.called) if is_called else None,
        source=SOURCE_OF_RELATIVE[(seat - meld.target) % 4] if is_called else None,
        added=_tile(meld.added) if meld.added != NO_TILE else None,
    )
