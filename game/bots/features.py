"""The features of discards: what a strong player looks at before a discard.

Owns the numbers from which the network `discards` rates each possible discard: shanten, outs and
value of the rest of the hand, how the tile fits into the hand, and how dangerous it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from game.analysis.danger import Threat, deal_in_probabilities, discard_costs
from game.analysis.hand_goals import Goal, goals_of
from game.analysis.hand_value import count_dora, goal_value, has_discarded_a_wait
from game.analysis.shape import count_outs, mean_next_outs, shanten_and_useful
from game.analysis.visible_tiles import COPIES_OF_KIND, VisibleTiles, safe_masks
from game.engine.hand import is_closed
from game.engine.progress import last_regular_kyoku
from game.engine.state import RIVER_TILE, Meld, Riichi
from game.engine.tiles import (
    EAST,
    HAKU,
    KINDS,
    ORPHANS,
    SUITS,
    count_kinds,
    is_red,
    kind_of,
    kinds_in,
)

_FAR_AHEAD: Final = 20_000
"""Difference of scores that stands for a missing seat above or below."""


def other_seats(visible: VisibleTiles) -> list[int]:
    """Return the seats of the opponents."""
    return [seat for seat in visible.table.seats if seat != visible.seat]


def riichi_opponents(visible: VisibleTiles) -> list[int]:
    """Return the opponents in riichi."""
    hands = visible.table.hands
    return [seat for seat in other_seats(visible) if hands[seat].riichi != Riichi.NONE]


def situation_of(
    visible: VisibleTiles, melds: tuple[Meld, ...], against: tuple[Threat, ...]
) -> list[float]:
    """Return the features of the situation. `melds` are the seat's own melds, `against` the seats
    to defend against."""
    table = visible.table
    riichis = riichi_opponents(visible)
    return [
        len(visible.hand.river) / 10,
        visible.own_draws_left / 10,
        len(melds) / 2,
        is_closed(melds),
        visible.is_dealer,
        len(riichis) == 1,
        len(riichis) > 1,
        table.dealer in riichis,
        max([threat.tenpai for threat in against], default=0.0),
        max([threat.tenpai * threat.loss for threat in against], default=0.0) / 8_000,
        max(0, last_regular_kyoku(table.rules) - table.kyoku) / 4,
        *_standing(visible),
    ]


def _standing(visible: VisibleTiles) -> tuple[float, ...]:
    """Return whether the seat is first or last, and the distances to the next scores."""
    scores = visible.table.scores
    mine = scores[visible.seat]
    above = [scores[other] - mine for other in other_seats(visible) if scores[other] >= mine]
    below = [mine - scores[other] for other in other_seats(visible) if scores[other] < mine]
    ahead = [*above, _FAR_AHEAD]
    behind = [*below, _FAR_AHEAD]
    return not above, not below, min(ahead) / 10_000, min(behind) / 10_000


_EVERY_KIND: Final = (1 << KINDS) - 1
_GOALS: Final = ("closed", "tanyao", "flush", "yakuhai", "toitoi")
_FAR_SHANTEN: Final = 5
"""Stands for the shanten of a goal that is out of reach."""
_MAX_DEEP_SHANTEN: Final = 2
"""Up to this shanten, the outs after the next draw are computed."""
_DEEP_SHARE: Final = 0.5
"""Share of the most outs from which a discard has its outs after the next draw computed."""
_NEIGHBOURS: Final = (-3, -2, -1, 1, 2, 3)
_RANKS: Final = 9


class _Rest(NamedTuple):
    """The hand after a discard."""

    shanten: int
    useful: int
    """Mask of the kinds that reduce the shanten."""
    outs: int
    next_outs: float
    """Mean number of outs after the next useful tile; 0 if it is not computed."""
    value: float
    """Points of the best goal, times the chance to reach it."""
    goals: list[Goal]

    @property
    def two_steps(self) -> float:
        """Mean number of ways to reduce the shanten twice: outs times outs after the next draw."""
        return self.outs * self.next_outs


class _Best(NamedTuple):
    """The best figure of any discard's rest: least shanten, otherwise the highest number."""

    shanten: int
    outs: int
    next_outs: float
    two_steps: float
    value: float


def discard_features(
    visible: VisibleTiles,
    tiles: tuple[int, ...],
    melds: tuple[Meld, ...],
    candidates: Sequence[int],
    against: tuple[Threat, ...],
) -> list[list[float]]:
    """Return the features of each candidate, in their order. `tiles` are the concealed tiles after
    a draw or a call."""
    counts = count_kinds(tiles)
    rests = _rests(visible, counts, melds, candidates, count_dora(visible, tiles, melds))
    least = min(rest.shanten for rest in rests)
    best = _Best(
        least,
        max([rest.outs for rest in rests if rest.shanten == least] + [1]),
        max([rest.next_outs for rest in rests] + [1.0]),
        max([rest.two_steps for rest in rests] + [1.0]),
        max([rest.value for rest in rests] + [1.0]),
    )
    in_suits = _tiles_by_suit(tiles, melds)
    shared = [
        *situation_of(visible, melds, against),
        *_hand_features(visible, counts, in_suits),
        count_dora(visible, tiles, melds) / 3,
        *(least == shanten for shanten in (0, 1, 2, 3)),
        best.outs / 20,
        best.next_outs / 10,
        best.value / 3_000,
    ]
    safety = _Safety(visible, candidates, against)
    found = []
    for tile, rest in zip(candidates, rests, strict=True):
        kind = kind_of(tile)
        counts[kind] -= 1
        after = [*_rest_features(visible, rest, best), *_count_features(counts, is_closed(melds))]
        safe = safety.features(kind, counts)
        counts[kind] += 1
        found.append([*shared, *after, *_tile_features(visible, counts, tile, in_suits), *safe])
    return found


def _rests(
    visible: VisibleTiles,
    counts: list[int],
    melds: tuple[Meld, ...],
    candidates: Sequence[int],
    dora: int,
) -> list[_Rest]:
    found = []
    for tile in candidates:
        kind = kind_of(tile)
        counts[kind] -= 1
        shanten, useful = shanten_and_useful(counts, visible.players)
        goals = goals_of(visible, counts, melds, dora - visible.dora_in(tile))
        counts[kind] += 1
        value = max([goal_value(visible, goal) for goal in goals], default=0.0)
        number = count_outs(useful, visible.unseen)
        found.append(_Rest(shanten, useful, number, 0.0, value, goals))
    least = min(rest.shanten for rest in found)
    if not 0 < least <= _MAX_DEEP_SHANTEN:
        return found
    enough = _DEEP_SHARE * max(rest.outs for rest in found if rest.shanten == least)
    for at, (tile, rest) in enumerate(zip(candidates, found, strict=True)):
        if rest.shanten == least and rest.outs >= enough:
            counts[kind_of(tile)] -= 1
            deep = mean_next_outs(counts, rest.useful, _EVERY_KIND, visible.unseen, visible.players)
            counts[kind_of(tile)] += 1
            found[at] = rest._replace(next_outs=deep)
    return found


def _tiles_by_suit(tiles: tuple[int, ...], melds: tuple[Meld, ...]) -> list[int]:
    """Return the number of tiles in each suit, then of honours."""
    found = [0] * (len(SUITS) + 1)
    for tile in (*tiles, *(tile for meld in melds for tile in meld.tiles)):
        found[kind_of(tile) // _RANKS] += 1
    return found


def _hand_features(visible: VisibleTiles, counts: list[int], in_suits: list[int]) -> list[float]:
    """Return the features of the hand before the discard."""
    yakuhai_pairs = sum(
        counts[kind] >= 2 and visible.yakuhai_han_of(kind) > 0 and visible.unseen[kind] > 0
        for kind in range(EAST, KINDS)
    )
    return [
        sum(number >= 2 for number in counts) / 3,
        sum(number >= 3 for number in counts) / 2,
        yakuhai_pairs,
        sum(counts[kind] for kind in kinds_in(ORPHANS)) / 5,
        max(in_suits[:-1]) / 8,
        in_suits[-1] / 5,
    ]


def _rest_features(visible: VisibleTiles, rest: _Rest, best: _Best) -> list[float]:
    """Return the features of shanten, outs and value of the rest of the hand, also compared with
    the best."""
    is_nearest = rest.shanten == best.shanten
    goals = dict.fromkeys(_GOALS, _FAR_SHANTEN)
    for goal in rest.goals:
        name = "yakuhai" if goal.name == "yakuhai_pair" else goal.name
        if name in goals:
            goals[name] = min(goals[name], goal.shanten)
    return [
        rest.shanten - best.shanten,
        rest.outs / 20,
        rest.outs / best.outs if is_nearest else 0.0,
        is_nearest and rest.outs == best.outs,
        rest.next_outs / 10,
        rest.next_outs / best.next_outs,
        rest.next_outs >= best.next_outs,
        rest.two_steps / 100,
        rest.two_steps / best.two_steps,
        rest.two_steps >= best.two_steps,
        rest.value / 3_000,
        rest.value / best.value,
        *(shanten / 3 for shanten in goals.values()),
        rest.shanten <= 0 and has_discarded_a_wait(visible, rest.useful),
    ]


def _count_features(counts: list[int], can_be_pairs: bool) -> list[float]:
    """Return the features of seven pairs and tanyao from the counts of the rest of the hand."""
    pairs = sum(number >= 2 for number in counts)
    orphans = sum(counts[kind] for kind in kinds_in(ORPHANS))
    return [(6 - pairs if can_be_pairs else 6) / 3, pairs / 3, orphans == 0, orphans == 1]


def _tile_features(
    visible: VisibleTiles, counts: list[int], tile: int, in_suits: list[int]
) -> list[float]:
    """Return the features of the tile itself and of its neighbours in the hand and among the unseen
    tiles."""
    kind = kind_of(tile)
    suit, rank = divmod(kind, _RANKS)
    is_honour = kind >= EAST
    distance_to_edge = -1 if is_honour else min(rank, _RANKS - 1 - rank)
    beside = {
        step: kind + step if not is_honour and 0 <= rank + step < _RANKS else None
        for step in _NEIGHBOURS
    }
    near = [at for step in (-1, 1) if (at := beside[step]) is not None]
    far = [at for step in (-2, 2) if (at := beside[step]) is not None]
    return [
        is_red(tile),
        visible.dora[kind],
        sum(visible.dora[at] for at in near),
        sum(visible.dora[at] for at in far),
        counts[kind] == 1,
        counts[kind] == 2,
        counts[kind] >= 3,
        is_honour,
        kind >= HAKU,
        visible.yakuhai_han_of(kind),
        EAST <= kind < HAKU and not visible.yakuhai_han_of(kind),
        *(distance_to_edge == distance for distance in range(5)),
        visible.unseen[kind] / 3,
        *(0 if at is None else counts[at] for at in beside.values()),
        *(0 if at is None else visible.unseen[at] / COPIES_OF_KIND for at in beside.values()),
        in_suits[suit] / 8,
        in_suits[suit] == max(in_suits[:-1]),
        any(kind_of(entry & RIVER_TILE) == kind for entry in visible.hand.river),
    ]


class _Safety:
    """The features of danger of the discards in one situation."""

    def __init__(
        self, visible: VisibleTiles, candidates: Sequence[int], against: tuple[Threat, ...]
    ) -> None:
        self._costs = discard_costs(visible, against)
        self._least = min(self._costs[kind_of(tile)] for tile in candidates)
        self._masks = safe_masks(visible.table)
        self._dealer = visible.table.dealer if not visible.is_dealer else None
        self._others = other_seats(visible)
        self._riichis = riichi_opponents(visible)
        by_threat = [(threat, deal_in_probabilities(visible, threat)) for threat in against]
        self._against_riichi = [each for threat, each in by_threat if threat.seat in self._riichis]
        self._against_quiet = [
            (threat.tenpai, each) for threat, each in by_threat if threat.seat not in self._riichis
        ]

    def features(self, kind: int, counts: list[int]) -> list[float]:
        """Return the features of danger of this kind, and of safe tiles in the rest of the hand.
        `counts` are the counts of the rest."""
        masks = self._masks
        left = [sum(counts[safe] for safe in kinds_in(masks[seat])) for seat in self._riichis]
        return [
            self._costs[kind] / 1_000,
            (self._costs[kind] - self._least) / 1_000,
            max([by_kind[kind] for by_kind in self._against_riichi], default=0.0) * 10,
            sum(tenpai * by_kind[kind] for tenpai, by_kind in self._against_quiet) * 10,
            sum(masks[seat] >> kind & 1 for seat in self._others),
            bool(self._riichis) and all(masks[seat] >> kind & 1 for seat in self._riichis),
            self._dealer is not None and masks[self._dealer] >> kind & 1,
            min(left, default=0) / 5,
        ]
