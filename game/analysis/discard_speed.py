"""Shanten, useful tiles and chances after each discard.

The chances are to reach tenpai and to win for a player who draws alone: nobody calls, wins or deals
in, every draw sees the same unseen tiles, and only draws that reduce the shanten change the hand.
From 3-shanten on, the search follows only the hand with the most useful tiles, so the chances are
lower bounds. jansou_native, the compiled part of the package jansou, computes them. The caller
supplies the points of a complete hand. Where that binary does not load, there are no chances.
Must not know danger.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from operator import gt
from pkgutil import get_data
from typing import Final, NamedTuple
from zlib import decompress

import msgspec
from msgspec.structs import replace
from xiangting import calculate_necessary_tiles

from game.analysis.shape import PLAYER_COUNTS, shanten
from game.analysis.visible_tiles import COPIES_OF_KIND, VisibleTiles
from game.engine.points import hand_points
from game.engine.rules import RuleSet
from game.engine.state import Meld
from game.engine.tiles import EAST, NO_TILE, count_kinds, is_red, kind_of, kinds_in
from game.engine.value import WinContext, value_of

_MAX_CACHED_SITUATIONS: Final = 8
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
            found = self._found[key] = self._value(_tiles_from_counts(counts, reds), 2 * kind)
        return found

    def _value(self, tiles: tuple[int, ...], drawn: int) -> int:
        value = value_of(replace(self._situation, tiles=tiles, winning_tile=drawn))
        is_dealer = self._situation.seat_wind == EAST
        if value is None:
            return 0
        return hand_points(self._situation.rules, value, is_dealer, is_tsumo=True)


def win_points(visible: VisibleTiles) -> WinPoints:
    """Return the calculator of this seat's self-drawn wins, shared by equal situations."""
    table = visible.table
    return _win_points(
        table.rules,
        visible.hand.melds,
        table.dora,
        table.wind_of(visible.seat),
        table.round_wind,
        table.honba,
        visible.hand.norths,
    )


@lru_cache(maxsize=_MAX_CACHED_SITUATIONS)
def _win_points(
    rules: RuleSet,
    melds: tuple[Meld, ...],
    dora: tuple[int, ...],
    seat_wind: int,
    round_wind: int,
    honba: int,
    norths: int,
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
            norths=norths,
        )
    )


def _tiles_from_counts(counts: Sequence[int], reds: tuple[int, ...]) -> tuple[int, ...]:
    tiles = [2 * kind for kind, number in enumerate(counts) for _ in range(number)]
    for kind in reds:
        if 2 * kind in tiles:
            tiles.remove(2 * kind)
            tiles.append(2 * kind + 1)
    return tuple(sorted(tiles))


try:
    from jansou_native import OutlookSolver
except ImportError:  # the binary does not load on this system
    HAS_SOLVER = False
else:
    HAS_SOLVER = True
"""Whether chances can be computed here."""

MAX_CURVE_SHANTEN: Final = 3
"""No curves are computed above this shanten; each further shanten takes ten times as long."""
MAX_EXACT_SHANTEN: Final = 2
"""Up to this shanten the search follows every hand that a draw improves. Above, it follows only the
hand with the most useful tiles, which takes a fifth of the time."""
_ROUNDED_DIGITS: Final = 4
"""Decimal digits of chances."""


class Speed(msgspec.Struct, frozen=True, gc=False):
    """Shanten and useful tiles of a hand after a discard."""

    shanten: int
    useful: dict[int, int]
    """Number of unseen copies of each kind that reduces the shanten. Kinds without unseen copies
    are left out."""

    @property
    def unseen(self) -> int:
        """Number of unseen useful tiles."""
        return sum(self.useful.values())


class Curves(msgspec.Struct, frozen=True, gc=False):
    """Rounded chances after a discard. Entry `d` is the chance within `d` draws, from 0."""

    tenpai: tuple[float, ...]
    win: tuple[float, ...]
    points: float
    """Expected points of the win within all draws: the chance to win times `Chances.mean_points`.
    An upper bound, because the chance is that of a player who plays for the win alone."""


def speed_after(visible: VisibleTiles, kind: int) -> Speed:
    """Return the shanten and useful tiles of the seat's hand after the discard of this kind."""
    counts = visible.counts.copy()
    counts[kind] -= 1
    return speed_of(visible, counts)


def speed_of(visible: VisibleTiles, counts: list[int]) -> Speed:
    """Return the shanten and useful tiles of a hand before the seat's draw. `counts` are its
    concealed tiles by kind."""
    distance, mask = calculate_necessary_tiles(counts, PLAYER_COUNTS[visible.players])
    useful = {other: visible.unseen[other] for other in kinds_in(mask) if visible.unseen[other]}
    return Speed(distance - 1, useful)


def fastest_discards(speeds: dict[int, Speed]) -> frozenset[int]:
    """Return the keys with the least shanten and, among those, the most unseen useful tiles."""
    best = min((speed.shanten, -speed.unseen) for speed in speeds.values())
    return frozenset(key for key, speed in speeds.items() if (speed.shanten, -speed.unseen) == best)


def curves_after(visible: VisibleTiles, tile: int) -> Curves:
    """Return the chances after the discard of this tile, for up to all own draws left. Needs
    `HAS_SOLVER`."""
    tiles = list(visible.tiles)
    tiles.remove(tile)
    chances = chances_of(
        count_kinds(tiles),
        visible.unseen,
        players=visible.players,
        melds=len(visible.hand.melds),
        draws=min(visible.own_draws_left, sum(visible.unseen)),
        wins=win_points(visible),
        reds=tuple(sorted(kind_of(tile) for tile in tiles if is_red(tile))),
    )
    return Curves(
        tenpai=tuple([round(chance, _ROUNDED_DIGITS) for chance in chances.tenpai]),
        win=tuple([round(chance, _ROUNDED_DIGITS) for chance in chances.win]),
        points=round(chances.win[-1] * chances.mean_points, 1),
    )


class Chances(NamedTuple):
    """Exact chances of a hand before its draw. Entry `d` is the chance within `d` draws, from 0."""

    tenpai: list[float]
    win: list[float]
    mean_points: float
    """Mean points of a win within all draws by a player who plays for points."""


def chances_of(
    counts: list[int],
    unseen: Sequence[int],
    *,
    players: int,
    melds: int,
    draws: int,
    wins: WinPoints | None = None,
    reds: tuple[int, ...] = (),
) -> Chances:
    """Return the chances of a hand before its draw, within each number of draws up to `draws`.

    `counts` are the concealed tiles by kind, `unseen` the unseen copies of each kind, `melds` the
    number of melds, `reds` the kinds of the hand's red fives. Without `wins` every win counts 0
    points.
    """
    visible_elsewhere = [
        COPIES_OF_KIND - mine - left for mine, left in zip(counts, unseen, strict=True)
    ]
    beam = None if shanten(counts, players) <= MAX_EXACT_SHANTEN else 1
    solver = _shared_solver()
    tenpai, win = solver.solve(counts, melds, draws, visible_elsewhere, players, beam)
    mean = 0.0
    if wins is not None:
        # The solver also lists wins for which too few tiles are unseen; it gives them no weight.
        most = [COPIES_OF_KIND - number for number in visible_elsewhere]
        worths = [
            0.0
            if held[kind] >= most[kind] or any(map(gt, held, most))
            else float(wins.points(held, kind, reds))
            for held, kind in solver.pricing_entries(counts, melds, draws, players, beam)
        ]
        mean = solver.points_curve(counts, melds, draws, visible_elsewhere, worths, players, beam)[
            -1
        ]
    return Chances(tenpai, win, mean)


@cache
def _shared_solver() -> OutlookSolver:
    """Return the solver of this process, which keeps the hands that it has searched."""
    tables = get_data("jansou.analysis", "shanten_blocks.bin")
    if tables is None:
        raise FileNotFoundError("the package jansou has no shanten_blocks.bin")
    return OutlookSolver(decompress(tables))
