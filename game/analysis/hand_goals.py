"""The ways to a win that are open to a hand.

An *aim* is one of them: closed with riichi, all simples, a flush, triplets, a triplet of
yakuhai, thirteen orphans. Each says how far the hand is from it, how many tiles bring it
nearer, and how many han it would have. Knows nothing of chances, points or danger.
"""

from __future__ import annotations

from typing import Final

import msgspec

from game.analysis.shape import (
    advance,
    confined,
    is_orphaned,
    kinds,
    kokushi_shanten,
    outs,
    triplet_shanten,
)
from game.analysis.visible_tiles import VisibleTiles, is_closed, yakuhai_han
from game.engine.state import Meld, MeldType
from game.engine.tiles import HONOURS, ORPHANS, SUITS

_ALL_KINDS: Final = (1 << 34) - 1
_SIMPLES: Final = _ALL_KINDS & ~ORPHANS
_HONOUR_FILLERS: Final = tuple(range(27, 34))
_FLUSH_FILLERS: Final = tuple(
    tuple(9 * other + rank for other in range(3) if other != suit for rank in (0, 3, 6))
    for suit in range(3)
)
_SCOPES: Final = {"tanyao": 0.8, "flush": 0.5, "toitoi": 0.4}
_MOST_FILLERS: Final = 3
"""With more tiles outside of a restricted aim, it is too far to count on."""
_YAKUMAN: Final = 32_000
_LUCK: Final = 0.9
"""Han that a riichi gains on average by ippatsu, self-draw and ura dora."""
_PON_REACH: Final = 2
"""How many outs the third tile of a pair of yakuhai stands for: any seat's can be called."""


class Aim(msgspec.Struct, frozen=True, gc=False):
    """One way to a win, as far as the hand has come on it."""

    name: str
    shanten: int
    outs: int
    han: float
    is_open: bool
    wanted: int
    """Mask of the kinds that bring it nearer."""
    points: int = 0
    """Points of the win if they do not follow from `han`."""
    shape: tuple[int, ...] = ()
    """The hand as this aim sees it, by kind, tiles it has no use for made to fit nothing;
    empty if what comes after the next tile cannot be told from the shape."""
    allowed: int = _ALL_KINDS
    """Mask of the kinds it has a use for."""
    scope: float = 1.0
    """Part of the usual number of outs that such a hand has, being so choosy."""


def aims(sight: VisibleTiles, hand: list[int], melds: tuple[Meld, ...], dora: int) -> list[Aim]:
    """The aims within reach of a hand (counts before a draw) that holds so many dora."""
    found = open_aims(sight, hand, melds, dora)
    if is_closed(melds):
        found.append(_closed_aim(sight, hand, melds, dora))
    return found


def _closed_aim(sight: VisibleTiles, hand: list[int], melds: tuple[Meld, ...], dora: int) -> Aim:
    distance, wanted = advance(hand)
    number = outs(wanted, sight.unseen)
    if not melds and distance == kokushi_shanten(hand) and is_orphaned(hand):
        return Aim("kokushi", distance, number, 13, False, wanted, _YAKUMAN)
    han = dora + yakuhai_sets(sight, hand, melds) + _shape_han(hand, melds)
    han += _riichi_han(sight)
    return Aim("closed", distance, number, han, False, wanted, shape=tuple(hand))


def _riichi_han(sight: VisibleTiles) -> float:
    """What being closed gives: riichi with its luck, or else at times a self-draw."""
    can_pay = sight.table.scores[sight.seat] >= 1_000
    return 1 + _LUCK if can_pay or not sight.table.rules.riichi_needs_points else 0.5


def _shape_han(hand: list[int], melds: tuple[Meld, ...]) -> float:
    """Han to hope for from the shape alone, in a closed hand: simples, runs only."""
    orphans = sum(hand[kind] for kind in kinds(ORPHANS))
    han = (1.0, 0.5, 0.2)[orphans] if orphans < 3 and not melds else 0.0
    if not melds and not any(number >= 3 for number in hand):
        han += 0.4
    return han


def yakuhai_sets(sight: VisibleTiles, hand: list[int], melds: tuple[Meld, ...]) -> int:
    """Han of the yakuhai triplets the hand has already, open or not."""
    han = sum(sight.is_yakuhai(kind) for kind in range(27, 34) if hand[kind] >= 3)
    for meld in melds:
        han += yakuhai_han(sight.table, sight.seat, meld.tiles[0] >> 1)
    return han


def open_aims(
    sight: VisibleTiles, hand: list[int], melds: tuple[Meld, ...], dora: int
) -> list[Aim]:
    """The aims that give a yaku even with open sets."""
    held = 0
    for meld in melds:
        for tile in meld.tiles:
            held |= 1 << (tile >> 1)
    sets = yakuhai_sets(sight, hand, melds)
    found: list[Aim] = []
    if sets:
        found.append(_aim("yakuhai", sight, hand, sets + dora))
    else:
        found.extend(_pair_aims(sight, hand, dora))
    if sight.table.rules.kuitan and not held & ORPHANS:
        inside = _inside(hand, _SIMPLES, _HONOUR_FILLERS)
        if inside:
            found.append(_aim("tanyao", sight, inside, 1 + dora, _SIMPLES))
    found.extend(_flush_aims(sight, hand, melds, held, sets + dora))
    if all(meld.type != MeldType.CHI for meld in melds):
        distance, wanted = triplet_shanten(hand, 4 - len(melds))
        if distance <= 2:
            number = outs(wanted, sight.unseen)
            scope = _SCOPES["toitoi"]
            han = 2 + sets + dora
            found.append(Aim("toitoi", distance, number, han, True, wanted, scope=scope))
    return found


def _aim(
    name: str,
    sight: VisibleTiles,
    shape: list[int],
    han: float,
    allowed: int = _ALL_KINDS,
) -> Aim:
    distance, wanted = advance(shape)
    wanted &= allowed
    if not wanted:
        # Only a pair is missing, and what would be paired is of no use: any other tile helps.
        distance, wanted = distance + 1, allowed
    number = outs(wanted, sight.unseen)
    scope = _SCOPES.get(name, 1.0)
    return Aim(name, distance, number, han, True, wanted, 0, tuple(shape), allowed, scope)


def _inside(hand: list[int], allowed: int, fillers: tuple[int, ...]) -> list[int] | None:
    outside = sum(hand[kind] for kind in kinds(_ALL_KINDS & ~allowed))
    return confined(hand, allowed, fillers) if outside <= _MOST_FILLERS else None


def _pair_aims(sight: VisibleTiles, hand: list[int], dora: int) -> list[Aim]:
    """A pair of yakuhai that becomes a triplet. The other tiles, one more than they need
    once it is there, have to make the rest of the hand."""
    found: list[Aim] = []
    for kind in range(27, 34):
        han = sight.is_yakuhai(kind)
        if hand[kind] != 2 or not han or not sight.unseen[kind]:
            continue
        hand[kind] = 0
        rest, wanted = advance(hand)
        hand[kind] = 2
        number = outs(wanted, sight.unseen) if rest >= 0 else 0
        number += (_PON_REACH if rest >= 0 else 1) * sight.unseen[kind]
        wanted = (wanted if rest >= 0 else 0) | 1 << kind
        found.append(Aim("yakuhai_pair", rest + 1, number, han + dora, True, wanted))
    return found


def _flush_aims(
    sight: VisibleTiles, hand: list[int], melds: tuple[Meld, ...], held: int, han: float
) -> list[Aim]:
    found: list[Aim] = []
    for suit, suit_mask in enumerate(SUITS):
        allowed = suit_mask | HONOURS
        if held & ~allowed:
            continue
        inside = _inside(hand, allowed, _FLUSH_FILLERS[suit])
        if not inside:
            continue
        value = 2.0 if held & HONOURS or any(hand[27:]) else 5.0
        aim = _aim("flush", sight, inside, han + value, allowed)
        if is_closed(melds) and not aim.shanten:
            value += 1 + _riichi_han(sight)
            aim = msgspec.structs.replace(aim, han=han + value, is_open=False)
        found.append(aim)
    return found
