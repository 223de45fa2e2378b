"""The danger of discards: which seats are likely tenpai, and on which waits.

Owns threats, the odds of waits and the expected cost of discards. The odds of a tile are counted
from the waits that are still possible: a run or a pair needs unseen tiles, and no wait contains a
kind on which the seat cannot win. So genbutsu, suji, walls of visible tiles and honours with no
copies left need no rules of their own. Must not know the goals of the seat's own hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from game.analysis.visible_tiles import VisibleTiles, safe_masks, yakuhai_han
from game.engine.state import SEATS, Hand, MeldType, Riichi
from game.engine.tiles import HONOURS, KINDS, SUITS, kind_of, mask_of

_TWO_SIDED: Final = 1.0
_ONE_SIDED: Final = 0.35
_PAIRS: Final = 0.5
_SINGLE: Final = 0.2
"""Relative frequency of each kind of wait, per combination of tiles that can form it."""
_HONOUR_PAIRS: Final = 2.0
"""Factor for waits on pairs and singles of honours, which players keep more often."""

_RIICHI_LOSS: Final = 5_700
_BASE_LOSS: Final = 1_300
_HAN_LOSS: Final = 1_700
_SILENT_LOSS: Final = 4_500
_MOST_LOSS: Final = 12_000
_FLUSH_SUIT: Final = 2.2
_OTHER_SUIT: Final = 0.25
_NEGLIGIBLE: Final = 0.03
_OPEN_TENPAI: Final = (0.0, 0.1, 0.28, 0.62, 0.95)
"""Odds that a seat is tenpai at the tenth discard, by its number of open melds."""


class Threat(msgspec.Struct, frozen=True, gc=False):
    """A seat that may win on the next discard."""

    seat: int
    tenpai: float
    """Odds that the seat is tenpai."""
    loss: float
    """Points to pay if the seat wins on a discard."""
    safe: int
    """Mask of the kinds on which the seat cannot win."""
    weights: tuple[float, float, float]
    """Relative likelihood of its waits in each suit; 1 is usual."""

    @property
    def is_serious(self) -> bool:
        """Whether a hand far from tenpai should fold against the seat."""
        return self.tenpai >= 0.5


def threats(visible: VisibleTiles) -> tuple[Threat, ...]:
    """Return the other seats that may be tenpai, judged by what is visible."""
    masks = safe_masks(visible.table)
    found = (_threat(visible, seat, masks[seat]) for seat in SEATS if seat != visible.seat)
    return tuple(threat for threat in found if threat.tenpai >= _NEGLIGIBLE)


def _threat(visible: VisibleTiles, seat: int, safe: int) -> Threat:
    table = visible.table
    hand = table.hands[seat]
    turns = len(hand.river)
    weights = _suit_weights(hand)
    if hand.riichi != Riichi.NONE:
        tenpai, loss = 1.0, float(_RIICHI_LOSS + 700 * hand.ippatsu)
    elif any(meld.type != MeldType.ANKAN for meld in hand.melds):
        tenpai = min(1.0, _OPEN_TENPAI[len(hand.melds)] * (0.4 + turns * 0.06))
        han = _visible_han(visible, seat) + 2 * (max(weights) > 1)
        loss = min(_MOST_LOSS, _BASE_LOSS + _HAN_LOSS * han)
    else:
        tenpai, loss = max(0.0, min(0.2, (turns - 7) * 0.02)), float(_SILENT_LOSS)
    if table.dealer == seat:
        loss *= 1.5
    return Threat(seat, tenpai, loss + table.rules.honba_points * table.honba, safe, weights)


def _visible_han(visible: VisibleTiles, seat: int) -> int:
    han = 0
    for meld in visible.table.hands[seat].melds:
        han += sum(map(visible.dora_in, meld.tiles))
        if meld.type != MeldType.CHI:
            han += yakuhai_han(visible.table, seat, kind_of(meld.tiles[0]))
    return han


def _suit_weights(hand: Hand) -> tuple[float, float, float]:
    """Return the weights of the suits. Two or more open melds in one suit, apart from honours,
    suggest a flush."""
    held = mask_of(meld.tiles[0] for meld in hand.melds)
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
    """Return for each kind the odds that a tenpai seat waits on it. Waits contain no `safe`
    kind."""
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
    """Yield every possible wait as (kinds, weight, suit). The weight is the number of combinations
    of unseen tiles times their frequency."""
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


def discard_costs(visible: VisibleTiles, against: tuple[Threat, ...]) -> list[float]:
    """Return for each kind the average points that its discard costs."""
    costs = [0.0] * KINDS
    for threat in against:
        odds = wait_odds(visible.unseen, threat.safe, threat.weights)
        stake = threat.tenpai * threat.loss
        for kind in range(KINDS):
            costs[kind] += stake * odds[kind] * (1.0 + 0.35 * visible.dora[kind])
    return costs
