"""The speed of discards: shanten, useful tiles, and the chances to reach tenpai and to win.

The chances are those of a player who draws alone: nobody calls, wins or deals in, every draw sees
the same unseen tiles, and only draws that reduce the shanten change the hand. From 3-shanten only
the hand with the most useful tiles is followed after such a draw, so that the chances are lower
bounds there. They come from jansou_native, the compiled part of the package jansou, which leaves it
to its caller what a complete hand is worth. Must not know danger.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import gt
from pkgutil import get_data
from typing import Final, NamedTuple
from zlib import decompress

import msgspec
from jansou_native import OutlookSolver
from xiangting import PlayerCount, calculate_necessary_tiles

from game.analysis.shape import shanten
from game.analysis.visible_tiles import COPIES, VisibleTiles
from game.analysis.win_points import WinPoints, win_points
from game.engine.tiles import count_kinds, is_red, kind_of, kinds_in

MAX_CURVE_SHANTEN: Final = 3
"""No curves above it: they would take ten times as long for each further shanten."""
MAX_EXACT_SHANTEN: Final = 2
"""Up to it, every hand is followed that a draw makes nearer; above, only the one with the most
useful tiles, which takes a fifth of the time."""
_DIGITS: Final = 4


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


def fastest(speeds: dict[int, Speed]) -> frozenset[int]:
    """Return the keys with the least shanten and, among those, the most unseen useful tiles."""
    best = min((speed.shanten, -speed.unseen) for speed in speeds.values())
    return frozenset(key for key, speed in speeds.items() if (speed.shanten, -speed.unseen) == best)


def curves_after(visible: VisibleTiles, tile: int) -> Curves:
    """Return the chances after the discard of this tile, for all own draws that are left."""
    tiles = list(visible.tiles)
    tiles.remove(tile)
    chances = chances_of(
        count_kinds(tiles),
        visible.unseen,
        melds=len(visible.hand.melds),
        draws=min(visible.draws, sum(visible.unseen)),
        wins=win_points(visible),
        reds=tuple(sorted(kind_of(tile) for tile in tiles if is_red(tile))),
    )
    return Curves(
        tenpai=tuple([round(chance, _DIGITS) for chance in chances.tenpai]),
        win=tuple([round(chance, _DIGITS) for chance in chances.win]),
        points=round(chances.win[-1] * chances.points, 1),
    )


class Chances(NamedTuple):
    """Chances for at most so many draws, from 0, and the mean points of a win within all of them,
    by a player who plays for points."""

    tenpai: list[float]
    win: list[float]
    points: float


def chances_of(
    counts: list[int],
    unseen: Sequence[int],
    *,
    melds: int,
    draws: int,
    wins: WinPoints | None = None,
    reds: tuple[int, ...] = (),
) -> Chances:
    """Return the chances of a hand before its draw: of `counts` tiles by kind, with so many unseen
    copies of each kind. Without `wins` every win counts 0 points. `reds` are the kinds of its red
    fives."""
    outside = [COPIES - mine - left for mine, left in zip(counts, unseen, strict=True)]
    beam = None if shanten(counts) <= MAX_EXACT_SHANTEN else 1
    solver = _solver()
    tenpai, win = solver.solve(counts, melds, draws, outside, 4, beam)
    mean = 0.0
    if wins is not None:
        # The solver also lists wins for which too few tiles are unseen; it gives them no weight.
        most = [COPIES - number for number in outside]
        worths = [
            0.0
            if held[kind] >= most[kind] or any(map(gt, held, most))
            else float(wins.points(held, kind, reds))
            for held, kind in solver.pricing_entries(counts, melds, draws, 4, beam)
        ]
        mean = solver.points_curve(counts, melds, draws, outside, worths, 4, beam)[-1]
    return Chances(tenpai, win, mean)


@cache
def _solver() -> OutlookSolver:
    """Return the solver of this process: it keeps the hands that it has searched."""
    tables = get_data("jansou.analysis", "shanten_blocks.bin")
    if tables is None:
        raise FileNotFoundError("the package jansou has no shanten_blocks.bin")
    return OutlookSolver(decompress(tables))
