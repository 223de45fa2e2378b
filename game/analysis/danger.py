"""How dear each discard may become: who is likely tenpai, and on what.

The odds of a tile are counted from the waits that can still exist: a run or pair needs
tiles that are unseen, and no wait holds a kind the seat cannot win on. So genbutsu, suji,
walls of visible tiles and honours that are all out come to what players expect of them,
without a rule for each. Knows nothing of the own hand's plans.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from game.analysis.visible_tiles import VisibleTiles, safe_masks, yakuhai_han
from game.engine.state import SEATS, Hand, MeldType, Riichi
from game.engine.tiles import HONOURS, KINDS, SUITS, is_red

_TWO_SIDED: Final = 1.0
_ONE_SIDED: Final = 0.35
_PAIRS: Final = 0.5
_SINGLE: Final = 0.2
"""How common each kind of wait is, per combination of tiles that can form it."""
_HONOUR_PAIRS: Final = 2.0
"""Pairs and singles of honours are kept for a wait so much more often."""

_RIICHI_LOSS: Final = 5_700
_BASE_LOSS: Final = 1_300
_HAN_LOSS: Final = 1_700
_SILENT_LOSS: Final = 4_500
_MOST_LOSS: Final = 12_000
_FLUSH_SUIT: Final = 2.2
_OTHER_SUIT: Final = 0.25
_NEGLIGIBLE: Final = 0.03
_OPEN_TENPAI: Final = (0.0, 0.1, 0.28, 0.62, 0.95)
"""Odds that a seat is tenpai at the tenth discard, by its number of open sets."""


class Threat(msgspec.Struct, frozen=True, gc=False):
    """A seat that may win on the next discard."""

    seat: int
    tenpai: float
    """Odds that it is tenpai."""
    loss: float
    """Points to be paid if it wins on a discard."""
    safe: int
    """Mask of the kinds it cannot win on."""
    weights: tuple[float, float, float]
    """How likely its waits are in each suit, 1 being usual."""

    @property
    def is_serious(self) -> bool:
        """Whether a hand that is far from tenpai should give way to it."""
        return self.tenpai >= 0.5


def threats(sight: VisibleTiles) -> tuple[Threat, ...]:
    """The other seats that may be tenpai, as far as can be seen."""
    masks = safe_masks(sight.table)
    found = (_threat(sight, seat, masks[seat]) for seat in SEATS if seat != sight.seat)
    return tuple(threat for threat in found if threat.tenpai >= _NEGLIGIBLE)


def _threat(sight: VisibleTiles, seat: int, safe: int) -> Threat:
    table = sight.table
    hand = table.hands[seat]
    turns = len(hand.river)
    weights = _suit_weights(hand)
    if hand.riichi != Riichi.NONE:
        tenpai, loss = 1.0, float(_RIICHI_LOSS + 700 * hand.ippatsu)
    elif any(meld.type != MeldType.ANKAN for meld in hand.melds):
        tenpai = min(1.0, _OPEN_TENPAI[len(hand.melds)] * (0.4 + turns * 0.06))
        han = _visible_han(sight, seat) + 2 * (max(weights) > 1)
        loss = min(_MOST_LOSS, _BASE_LOSS + _HAN_LOSS * han)
    else:
        tenpai, loss = max(0.0, min(0.2, (turns - 7) * 0.02)), float(_SILENT_LOSS)
    if table.dealer == seat:
        loss *= 1.5
    return Threat(seat, tenpai, loss + table.rules.honba_points * table.honba, safe, weights)


def _visible_han(sight: VisibleTiles, seat: int) -> int:
    han = 0
    for meld in sight.table.hands[seat].melds:
        han += sum(sight.dora[tile >> 1] + is_red(tile) for tile in meld.tiles)
        if meld.type != MeldType.CHI:
            han += yakuhai_han(sight.table, seat, meld.tiles[0] >> 1)
    return han


def _suit_weights(hand: Hand) -> tuple[float, float, float]:
    """Two or more open sets in one suit, honours aside, speak of a flush."""
    held = 0
    for meld in hand.melds:
        held |= 1 << (meld.tiles[0] >> 1)
    suits = [suit for suit, mask in enumerate(SUITS) if held & mask]
    if len(hand.melds) < 2 or len(suits) != 1 or not held & ~HONOURS:
        return (1.0, 1.0, 1.0)
    first, second, third = (_FLUSH_SUIT if suit == suits[0] else _OTHER_SUIT for suit in range(3))
    return first, second, third


def wait_odds(
    unseen: Sequence[int],
    safe: int,
    weights: tuple[float, float, float] = (1.0, 1.0, 1.0),
) -> list[float]:
    """For each kind, the odds that a tenpai seat waits on it; waits may hold no `safe` kind."""
    odds = [0.0] * KINDS
    total = 0.0
    for waits, weight, suit in _waits(unseen):
        if any(safe >> kind & 1 for kind in waits):
            continue
        scaled = weight * weights[suit] if suit < 3 else weight
        total += scaled
        for kind in waits:
            odds[kind] += scaled
    return [odd / total for odd in odds] if total else odds


def _waits(unseen: Sequence[int]) -> Iterator[tuple[tuple[int, ...], float, int]]:
    """Every possible wait as (kinds, combinations of unseen tiles times how common, suit)."""
    for kind, copies in enumerate(unseen):
        suit, rank = divmod(kind, 9)
        if not copies:
            continue
        common = _HONOUR_PAIRS if suit == 3 else 1.0
        alone = _PAIRS * copies * (copies - 1) / 2 + _SINGLE * copies
        yield (kind,), common * alone, suit
        if suit == 3:
            continue
        if rank < 8 and unseen[kind + 1]:
            both = copies * unseen[kind + 1]
            if rank == 0:
                yield (kind + 2,), _ONE_SIDED * both, suit
            elif rank == 7:
                yield (kind - 1,), _ONE_SIDED * both, suit
            else:
                yield (kind - 1, kind + 2), _TWO_SIDED * both, suit
        if rank < 7 and unseen[kind + 2]:
            yield (kind + 1,), _ONE_SIDED * copies * unseen[kind + 2], suit


def discard_costs(sight: VisibleTiles, against: tuple[Threat, ...]) -> list[float]:
    """For each kind, the points that discarding one costs on average."""
    costs = [0.0] * KINDS
    for threat in against:
        odds = wait_odds(sight.unseen, threat.safe, threat.weights)
        stake = threat.tenpai * threat.loss
        for kind in range(KINDS):
            costs[kind] += stake * odds[kind] * (1.0 + 0.35 * sight.dora[kind])
    return costs
