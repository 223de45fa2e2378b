"""The danger of discards: which seats are likely tenpai, and on which waits.

Owns threats, the probability to deal in and the expected cost of discards. The probability of a
tile begins with its share among the waits that are still possible: a run or a pair needs unseen
tiles, and no wait contains a safe kind. So genbutsu, suji, walls of visible tiles and honours with
no copies left need no rules of their own. The share is then scaled by class of tile and turn, so
that the mean probability of each class is the rate counted in recorded games (`deal_in_rates`).

Rates against seats without riichi are not counted by class. The probability to deal in to such a
seat is that against a riichi with the same safe kinds, times a factor and the probability that the
seat is tenpai. Both are by its open melds. A likely flush multiplies the shares of its suit. Must
not know the goals of the seat's own hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from game.analysis.deal_in_rates import danger_class_of, turn_column
from game.analysis.visible_tiles import VisibleTiles, safe_masks, yakuhai_han
from game.engine.state import Hand, MeldType, Riichi
from game.engine.tiles import KINDS, NORTH, SUITS, kind_of

_TWO_SIDED_WEIGHT: Final = 1.0
_ONE_SIDED_WEIGHT: Final = 0.35
_PAIRS_WEIGHT: Final = 0.5
_SINGLE_WEIGHT: Final = 0.2
"""Relative frequency of each kind of wait, per combination of tiles that can form it."""
_HONOUR_PAIRS_WEIGHT: Final = 2.0
"""Factor for waits on pairs and singles of honours, which players keep more often."""

_SHARE_POWER: Final = 0.75
"""The probability grows with this power of the share. Fitted to 166 deal-ins in 11,920 recorded
discards: their log-likelihood is -636 without the share, -615 with this power and -616 in
proportion."""
_SCALES: Final[dict[str, tuple[float, ...]]] = {
    "1/9 no suji": (0.525, 0.768, 0.859, 0.963),
    "1/9 suji": (0.83, 0.89, 0.95, 0.86),
    "2/8 no suji": (0.57, 0.658, 0.717, 0.807),
    "2/8 suji": (0.55, 0.677, 0.76, 0.762),
    "3/7 no suji": (0.53, 0.596, 0.708, 0.755),
    "3/7 suji": (0.5, 0.63, 0.74, 0.62),
    "4/5/6 both suji": (0.38, 0.37, 0.345, 0.355),
    "4/5/6 half suji": (0.52, 0.56, 0.684, 0.736),
    "4/5/6 no suji": (0.6, 0.68, 0.72, 0.9),
    "honour, 0 seen": (0.778, 0.765, 0.775, 0.76),
    "honour, 1 seen": (0.47, 0.487, 0.543, 0.845),
    "honour, 2+ seen": (0.15, 0.17, 0.17, 0.18),
}
"""Counted rate divided by the mean of share**_SHARE_POWER in recorded games, by class and turn
(columns as in `deal_in_rates.COUNTS_BY_CLASS`). Smoothed over turns where the counts are small."""
_HONOUR_SCALE_OF_THREE: Final = 1.65
"""Factor for the scales of honours at tables of three, in 216 recorded games: 50 deal-ins, where
the scales of four predict 30. Those of suits fit as they are: 139 deal-ins, 139 predicted; by class
they differ no more than by chance (likelihood ratio 5.4 with 9 degrees of freedom)."""
_SCALES_BY_PLAYERS: Final[dict[int, dict[str, tuple[float, ...]]]] = {
    4: _SCALES,
    3: {
        name: tuple(
            [
                scale * (_HONOUR_SCALE_OF_THREE if name.startswith("honour") else 1)
                for scale in scales
            ]
        )
        for name, scales in _SCALES.items()
    },
}
"""The scales by the number of players."""
_MAX_PROBABILITY: Final = 0.5

_FLUSH_WEIGHTS: Final = (1.9, 0.4)
"""Weights of the waits in the suit of two or more open melds, and in the other suits."""
_MAYBE_FLUSH_WEIGHTS: Final = (1.2, 0.8)
"""Weights of the waits in the suit of one open meld beside honours, and in the other suits."""
_NEGLIGIBLE_TENPAI: Final = 0.03
"""Probability of tenpai below which a seat is no threat."""
_SERIOUS_TENPAI: Final = 0.6
"""Probability of tenpai from which a threat is serious."""


class _Habits(NamedTuple):
    """How opponents play, counted in recorded games. Points are those of a non-dealer's win on a
    discard."""

    riichi_loss: int
    """Mean points of a win in riichi."""
    base_loss: int
    """Points of a win with open melds that show no han."""
    han_loss: int
    """Points for each visible han of a win with open melds."""
    silent_loss: int
    """Mean points of a win with a closed hand without riichi."""
    north_loss: int
    """Points that each north set aside adds to a win with a closed hand. With open melds it is a
    visible han."""
    max_loss: int
    """Upper bound of the points of a win with open melds."""
    tenpai: tuple[tuple[float, ...], ...]
    """Probability that a seat without riichi is tenpai, by its open melds (0 to 4) and its discards
    (0, 2, 4 to 18)."""
    wait_factors: tuple[float, ...]
    """`Threat.wait_factor` by number of melds: the deal-ins, divided by the number that the
    probabilities against a riichi predict."""


_HABITS: Final = {
    4: _Habits(
        riichi_loss=5_700,
        base_loss=1_300,
        han_loss=1_700,
        silent_loss=4_500,
        north_loss=0,
        max_loss=12_000,
        tenpai=(
            (0.0, 0.0, 0.0, 0.01, 0.03, 0.06, 0.08, 0.09, 0.12, 0.16),
            (0.01, 0.01, 0.04, 0.11, 0.22, 0.33, 0.38, 0.43, 0.45, 0.54),
            (0.1, 0.1, 0.23, 0.35, 0.42, 0.53, 0.59, 0.61, 0.62, 0.64),
            (0.5, 0.5, 0.6, 0.8, 0.82, 0.84, 0.85, 0.84, 0.86, 0.86),
            (0.98,) * 10,
        ),
        wait_factors=(0.55, 0.9, 0.65, 0.65, 0.65),
    ),
    3: _Habits(
        riichi_loss=7_200,
        base_loss=3_300,
        han_loss=1_700,
        silent_loss=5_500,
        north_loss=1_500,
        max_loss=16_000,
        tenpai=(
            (0.0, 0.0, 0.02, 0.05, 0.09, 0.13, 0.18, 0.21, 0.21, 0.26),
            (0.0, 0.01, 0.12, 0.28, 0.39, 0.51, 0.56, 0.56, 0.56, 0.6),
            (0.1, 0.1, 0.37, 0.48, 0.61, 0.72, 0.77, 0.77, 0.77, 0.77),
            (0.5, 0.5, 0.65, 0.75, 0.9, 0.93, 0.96, 0.97, 0.97, 0.97),
            (0.98,) * 10,
        ),
        wait_factors=(0.72, 1.0, 0.82, 0.8, 0.8),
    ),
}
"""By the number of players. Tenpai was counted before 260,000 discards of others in 150 recorded
games of four, and before 113,000 in 216 games of three."""


class Threat(msgspec.Struct, frozen=True, gc=False):
    """A seat that may win on the next discard."""

    seat: int
    tenpai: float
    """Probability that the seat is tenpai."""
    loss: float
    """Points to pay if the seat wins on a discard, or the worth of these points for the place."""
    safe: int
    """Mask of the kinds that count as safe against the seat."""
    weights: tuple[float, float, float]
    """Relative likelihood of the seat's waits in each suit; 1 is usual."""
    wait_factor: float = 1.0
    """Probability that a tile is a wait of the seat if it is tenpai, divided by that of a seat in
    riichi."""

    @property
    def is_serious(self) -> bool:
        """Whether a hand far from tenpai should fold against the seat."""
        return self.tenpai >= _SERIOUS_TENPAI


def threats(visible: VisibleTiles) -> tuple[Threat, ...]:
    """Return the other seats that may be tenpai, judged by the visible tiles and actions."""
    masks = safe_masks(visible.table)
    found = (
        _judge_threat(visible, seat, safe)
        for seat, safe in enumerate(masks)
        if seat != visible.seat
    )
    return tuple(threat for threat in found if threat.tenpai >= _NEGLIGIBLE_TENPAI)


def _judge_threat(visible: VisibleTiles, seat: int, safe: int) -> Threat:
    table = visible.table
    hand, habits = table.hands[seat], _HABITS[visible.players]
    weights = _suit_weights(hand)
    wait_factor = 1.0
    norths = hand.norths * (1 + visible.dora[NORTH])
    if hand.riichi != Riichi.NONE:
        tenpai = 1.0
        loss = float(habits.riichi_loss + habits.north_loss * norths + 700 * hand.ippatsu)
    elif any(meld.type != MeldType.ANKAN for meld in hand.melds):
        tenpai = _tenpai_probability(habits, hand)
        wait_factor = habits.wait_factors[len(hand.melds)]
        han = norths + _visible_han(visible, seat) + 2 * (max(weights) > 1)
        loss = min(habits.max_loss, habits.base_loss + habits.han_loss * han)
    else:
        tenpai = _tenpai_probability(habits, hand)
        loss = float(habits.silent_loss + habits.north_loss * norths)
        wait_factor = habits.wait_factors[0]
    if table.dealer == seat:
        loss *= 1.5
    if visible.stakes is not None:
        loss = visible.stakes.deal_in(loss, seat)
    else:
        loss += table.rules.honba_points * table.honba
    return Threat(seat, tenpai, loss, safe, weights, wait_factor)


def _tenpai_probability(habits: _Habits, hand: Hand) -> float:
    """Return the probability that a seat without riichi is tenpai."""
    by_turn = habits.tenpai[sum(meld.type != MeldType.ANKAN for meld in hand.melds)]
    at = min(len(hand.river) / 2, len(by_turn) - 1)
    lower = min(int(at), len(by_turn) - 2)
    return by_turn[lower] + (at - lower) * (by_turn[lower + 1] - by_turn[lower])


def _visible_han(visible: VisibleTiles, seat: int) -> int:
    han = 0
    for meld in visible.table.hands[seat].melds:
        han += sum(map(visible.dora_in, meld.tiles))
        if meld.type != MeldType.CHI:
            han += yakuhai_han(visible.table, seat, kind_of(meld.tiles[0]))
    return han


def _suit_weights(hand: Hand) -> tuple[float, float, float]:
    """Return the weights of man, pin and sou among the waits. Two or more melds of one suit or of
    honours suggest a flush, and raise the weight of that suit; two melds of the suit itself suggest
    it more than one."""
    suited = [kind_of(meld.tiles[0]) // 9 for meld in hand.melds]
    suited = [suit for suit in suited if suit < len(SUITS)]
    if len(hand.melds) < 2 or len(set(suited)) != 1:
        return (1.0, 1.0, 1.0)
    same, different = _FLUSH_WEIGHTS if len(suited) > 1 else _MAYBE_FLUSH_WEIGHTS
    first, second, third = (same if suit == suited[0] else different for suit in range(3))
    return first, second, third


def wait_shares(
    unseen: Sequence[int],
    safe: int,
    weights: tuple[float, float, float] = (1.0, 1.0, 1.0),
) -> list[float]:
    """Return for each kind its share among the possible waits. A wait that contains a kind of the
    mask `safe` is impossible."""
    shares = [0.0] * KINDS
    total = 0.0
    suit_weights = (*weights, 1.0)
    for mask, waits, first, second, weight, suit in _WAITS:
        copies = unseen[first]
        if not copies or mask & safe:
            continue
        if second == first:
            scaled = weight * (_PAIRS_WEIGHT * copies * (copies - 1) / 2 + _SINGLE_WEIGHT * copies)
        elif unseen[second]:
            scaled = weight * copies * unseen[second]
        else:
            continue
        scaled *= suit_weights[suit]
        total += scaled
        for kind in waits:
            shares[kind] += scaled
    return [share / total for share in shares] if total else shares


def _possible_waits() -> Iterator[tuple[int, tuple[int, ...], int, int, float, int]]:
    """Yield every wait as (mask, kinds, first kind held, second kind held, weight, suit). If the
    first and second kind are equal, the wait completes a triplet or a pair."""
    for kind in range(KINDS):
        suit, rank = divmod(kind, 9)
        yield 1 << kind, (kind,), kind, kind, _HONOUR_PAIRS_WEIGHT if suit == 3 else 1.0, suit
        if suit == 3:
            continue
        if rank in (0, 7):
            wait = kind + 2 if rank == 0 else kind - 1
            yield 1 << wait, (wait,), kind, kind + 1, _ONE_SIDED_WEIGHT, suit
        elif rank < 7:
            both = (kind - 1, kind + 2)
            yield 1 << kind - 1 | 1 << kind + 2, both, kind, kind + 1, _TWO_SIDED_WEIGHT, suit
        if rank < 7:
            yield 1 << kind + 1, (kind + 1,), kind, kind + 2, _ONE_SIDED_WEIGHT, suit


_WAITS: Final = tuple(_possible_waits())


def riichi_deal_in_probabilities(
    unseen: Sequence[int],
    open_copies: Sequence[int],
    safe: int,
    turn: int,
    weights: tuple[float, float, float] = (1.0, 1.0, 1.0),
    *,
    players: int,
) -> list[float]:
    """Return for each kind the probability that its discard deals in to a seat in riichi.

    `open_copies` counts the tiles in rivers, melds and indicators by kind. `safe` is the mask of
    the kinds that count as safe against the seat. `turn` is the discarder's turn, from 1.
    """
    column, scales = turn_column(turn), _SCALES_BY_PLAYERS[players]
    probabilities = wait_shares(unseen, safe, weights)
    for kind, share in enumerate(probabilities):
        if share:
            scale = scales[danger_class_of(kind, safe, open_copies[kind], players)][column]
            probabilities[kind] = min(_MAX_PROBABILITY, scale * share**_SHARE_POWER)
    return probabilities


def deal_in_probabilities(visible: VisibleTiles, threat: Threat) -> list[float]:
    """Return for each kind the probability that its discard deals in to the threat if the threat
    is tenpai. The discarder is the seat of `visible`."""
    turn = len(visible.hand.river) + 1
    probabilities = riichi_deal_in_probabilities(
        visible.unseen,
        visible.open_copies,
        threat.safe,
        turn,
        threat.weights,
        players=visible.players,
    )
    factor = threat.wait_factor
    return probabilities if factor == 1.0 else [factor * value for value in probabilities]


def discard_costs(visible: VisibleTiles, against: tuple[Threat, ...]) -> list[float]:
    """Return for each kind the mean number of points that its discard loses by dealing in to the
    threats `against`."""
    costs = [0.0] * KINDS
    for threat in against:
        probabilities = deal_in_probabilities(visible, threat)
        stake = threat.tenpai * threat.loss
        for kind in range(KINDS):
            costs[kind] += stake * probabilities[kind] * (1.0 + 0.35 * visible.dora[kind])
    return costs
