"""Which tile to let go: the worth of the hand that is left, less what the discard may cost.

One measure serves attack and defence. A hand far from tenpai would have to pay the price
of danger several times before it wins, so for it the price counts more, and it gives way
by itself when somebody has declared riichi.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from game.analysis.danger import Threat, discard_costs
from game.analysis.hand_value import Outlook, dora_held, outlook
from game.analysis.visible_tiles import VisibleTiles
from game.engine.state import Meld
from game.engine.tiles import is_honour

_CAUTION: Final = 1.5
"""How many more dangerous discards a hand expects to make for each step from tenpai."""
_DEEP_LOOK: Final = 0.7
"""From this part of the best worth on, the waits after the next draw are looked at too."""
_STEP_BACK: Final = 0.7
"""What a step away from tenpai leaves of the worth: its many outs promise too much, since
few of them leave the hand better than it was."""
_KEEP: Final = 6.0
"""Points by which a tile one step more useful is kept, other things being equal."""
_SHAPE: Final = 40.0
"""Points for each step nearer to tenpai in a hand that has no yaku within reach."""


class Weighed(msgspec.Struct, frozen=True, gc=False):
    """A discard and what comes of it."""

    tile: int
    outlook: Outlook
    """Of the hand after it."""
    worth: float
    """Of that hand, against the other discards, in points."""
    cost: float
    """Points it costs on average by dealing in."""
    score: float

    @property
    def is_affordable(self) -> bool:
        """Whether the hand that is left is worth the danger."""
        return self.worth >= self.cost


def weigh(
    sight: VisibleTiles,
    tiles: tuple[int, ...],
    melds: tuple[Meld, ...],
    candidates: Iterable[int],
    against: tuple[Threat, ...],
) -> list[Weighed]:
    """The discards of a hand after its draw, the best first. `candidates` are tiles of it."""
    counts = [0] * len(sight.counts)
    for tile in tiles:
        counts[tile >> 1] += 1
    dora = dora_held(sight, tiles, melds)
    outlooks = {
        tile: _after(sight, counts, melds, dora, tile, is_deep=False) for tile in set(candidates)
    }
    least = _DEEP_LOOK * max(after.worth for after in outlooks.values())
    for tile, after in outlooks.items():
        if after.shanten <= 1 and after.worth >= least:
            outlooks[tile] = _after(sight, counts, melds, dora, tile, is_deep=True)
    costs = discard_costs(sight, against)
    caution = 1.0 + _CAUTION * max(0, min(after.shanten for after in outlooks.values()))
    nearest = _nearest(outlooks.values())
    weighed = []
    for tile, after in outlooks.items():
        worth = after.worth
        if after.aim is None:
            worth -= _SHAPE * after.shanten
        else:
            worth *= _STEP_BACK ** (after.aim.shanten - nearest[after.aim.name])
        cost = caution * costs[tile >> 1]
        score = worth - cost - _KEEP * _use(sight, tile)
        weighed.append(Weighed(tile, after, worth, cost, score))
    return sorted(weighed, key=lambda each: (-each.score, each.tile))


def _nearest(outlooks: Iterable[Outlook]) -> dict[str, int]:
    """For each aim by name, how near to it a discard can leave the hand."""
    nearest: dict[str, int] = {}
    for after in outlooks:
        if after.aim is not None:
            known = nearest.get(after.aim.name, after.aim.shanten)
            nearest[after.aim.name] = min(known, after.aim.shanten)
    return nearest


def _after(
    sight: VisibleTiles,
    counts: list[int],
    melds: tuple[Meld, ...],
    dora: int,
    tile: int,
    is_deep: bool,
) -> Outlook:
    counts[tile >> 1] -= 1
    after = outlook(sight, counts, melds, dora - sight.dora_in(tile), is_deep)
    counts[tile >> 1] += 1
    return after


def _use(sight: VisibleTiles, tile: int) -> float:
    """What a tile is good for beyond what it does for the shape: runs to come, yakuhai,
    and dora even where no yaku is in sight."""
    kind = tile >> 1
    use = 2.0 * sight.dora_in(tile)
    if is_honour(kind):
        return use + (1.2 if sight.is_yakuhai(kind) and sight.unseen[kind] > 1 else 0.3)
    return use + (1.0, 2.0, 3.0, 3.0, 3.3)[min(kind % 9, 8 - kind % 9)]
