"""The goals of a hand: the ways in which it can win.

Owns the goals: closed with riichi, tanyao, a flush, toitoi, yakuhai, kokushi. Each goal has a
shanten, the tiles that reduce it, and the han of the win. Must not know chances, the points of
other goals than yakuman, or danger.
"""

from __future__ import annotations

from typing import Final

import msgspec

from game.analysis.shape import (
    count_outs,
    goes_for_kokushi,
    kokushi_shanten,
    replace_unusable_tiles,
    shanten_and_useful,
    triplet_shanten,
)
from game.analysis.visible_tiles import VisibleTiles, yakuhai_han
from game.engine.hand import is_closed
from game.engine.state import STICK_POINTS, Meld, MeldType
from game.engine.tiles import (
    EAST,
    HONOURS,
    KINDS,
    NOT_IN_PLAY,
    ORPHANS,
    SUITS,
    kind_of,
    kinds_in,
    mask_of,
)

_ALL_KINDS: Final = (1 << KINDS) - 1
_SIMPLES: Final = _ALL_KINDS & ~ORPHANS
_HONOUR_FILLERS: Final = tuple(range(EAST, KINDS))
_FLUSH_FILLERS: Final = {
    players: tuple(
        tuple(
            9 * other_suit + rank
            for other_suit in range(3)
            if other_suit != suit
            for rank in (0, 3, 6)
            if not left_out >> 9 * other_suit + rank & 1
        )
        for suit in range(3)
    )
    for players, left_out in NOT_IN_PLAY.items()
}
"""By the number of players and by suit."""
_OUTS_SHARE_OF_GOAL: Final = {"tanyao": 0.8, "flush": 0.5, "toitoi": 0.4}
"""`Goal.outs_share` by name of the goal; 1 for other goals."""
_MAX_FILLERS: Final = 3
"""A goal counts as out of reach if more tiles than this do not fit it."""
_YAKUMAN_POINTS: Final = 32_000
_RIICHI_BONUS: Final = {4: 0.9, 3: 1.2}
"""Mean han that ippatsu, self-draw and ura dora add to a riichi, by the number of players."""
_PON_FACTOR: Final = 2
"""Weight as outs of the tiles that make a triplet of a yakuhai pair: they can be called from any
seat."""


class Goal(msgspec.Struct, frozen=True, gc=False):
    """A way to win, and how far the hand is from it."""

    name: str
    shanten: int
    outs: int
    """Number of unseen tiles that reduce the shanten."""
    han: float
    is_open: bool
    """Whether the goal allows calls and is planned without riichi."""
    useful: int
    """Mask of the kinds that reduce the shanten."""
    points: int = 0
    """Points of the win; 0 if they follow from `han`."""
    shape: tuple[int, ...] = ()
    """The counts of the hand with every tile that does not fit the goal replaced by a tile that
    fits nothing. Empty if the outs after the next draw cannot be computed from the counts."""
    allowed: int = _ALL_KINDS
    """Mask of the kinds that fit the goal."""
    outs_share: float = 1.0
    """Usual number of outs for this goal, divided by that of a hand that may use all kinds."""


def goals_of(
    visible: VisibleTiles, hand: list[int], melds: tuple[Meld, ...], dora: int
) -> list[Goal]:
    """Return the goals within reach of a hand before its draw. `dora` is the number of its dora."""
    found = open_goals(visible, hand, melds, dora)
    if is_closed(melds):
        found.append(_closed_goal(visible, hand, melds, dora))
    return found


def _closed_goal(
    visible: VisibleTiles, hand: list[int], melds: tuple[Meld, ...], dora: int
) -> Goal:
    shanten, useful = shanten_and_useful(hand, visible.players)
    number = count_outs(useful, visible.unseen)
    if not melds and shanten == kokushi_shanten(hand) and goes_for_kokushi(hand):
        return Goal("kokushi", shanten, number, 13, False, useful, _YAKUMAN_POINTS)
    han = dora + yakuhai_han_of_hand(visible, hand, melds) + _shape_han(hand, melds)
    han += _riichi_han(visible)
    return Goal("closed", shanten, number, han, False, useful, shape=tuple(hand))


def _riichi_han(visible: VisibleTiles) -> float:
    """Return the mean han that a closed hand gets from riichi with its bonus, or from a self-draw
    if it cannot declare riichi."""
    can_pay = visible.table.scores[visible.seat] >= STICK_POINTS
    if can_pay or not visible.table.rules.riichi_needs_points:
        return 1 + _RIICHI_BONUS[visible.players]
    return 0.5


def _shape_han(hand: list[int], melds: tuple[Meld, ...]) -> float:
    """Return the expected han of tanyao and pinfu, guessed from the tiles of a closed hand."""
    orphans = sum(hand[kind] for kind in kinds_in(ORPHANS))
    han = (1.0, 0.5, 0.2)[orphans] if orphans < 3 and not melds else 0.0
    if not melds and not any(number >= 3 for number in hand):
        han += 0.4
    return han


def yakuhai_han_of_hand(visible: VisibleTiles, hand: list[int], melds: tuple[Meld, ...]) -> int:
    """Return the han of the yakuhai triplets of the hand, concealed and open."""
    han = sum(visible.yakuhai_han_of(kind) for kind in range(EAST, KINDS) if hand[kind] >= 3)
    for meld in melds:
        han += yakuhai_han(visible.table, visible.seat, kind_of(meld.tiles[0]))
    return han


def open_goals(
    visible: VisibleTiles, hand: list[int], melds: tuple[Meld, ...], dora: int
) -> list[Goal]:
    """Return the goals that give a yaku even with open melds."""
    held = mask_of(tile for meld in melds for tile in meld.tiles)
    yakuhai = yakuhai_han_of_hand(visible, hand, melds)
    found: list[Goal] = []
    if yakuhai:
        found.append(_open_goal("yakuhai", visible, hand, yakuhai + dora))
    else:
        found.extend(_yakuhai_pair_goals(visible, hand, dora))
    if visible.table.rules.kuitan and not held & ORPHANS:
        inside = _usable_hand(hand, _SIMPLES, _HONOUR_FILLERS)
        if inside:
            found.append(_open_goal("tanyao", visible, inside, 1 + dora, _SIMPLES))
    found.extend(_flush_goals(visible, hand, melds, held, yakuhai + dora))
    if all(meld.type != MeldType.CHI for meld in melds):
        shanten, useful = triplet_shanten(hand, 4 - len(melds))
        if shanten <= 2:
            number = count_outs(useful, visible.unseen)
            outs_share = _OUTS_SHARE_OF_GOAL["toitoi"]
            han = 2 + yakuhai + dora
            found.append(Goal("toitoi", shanten, number, han, True, useful, outs_share=outs_share))
    return found


def _open_goal(
    name: str,
    visible: VisibleTiles,
    shape: list[int],
    han: float,
    allowed: int = _ALL_KINDS,
) -> Goal:
    shanten, useful = shanten_and_useful(shape, visible.players)
    useful &= allowed
    if not useful:
        # Only a pair is missing and the single tile does not fit the goal, so that one more tile of
        # the goal is needed first.
        shanten, useful = shanten + 1, allowed
    number = count_outs(useful, visible.unseen)
    outs_share = _OUTS_SHARE_OF_GOAL.get(name, 1.0)
    return Goal(name, shanten, number, han, True, useful, 0, tuple(shape), allowed, outs_share)


def _usable_hand(hand: list[int], allowed: int, fillers: tuple[int, ...]) -> list[int] | None:
    outside = sum(hand[kind] for kind in kinds_in(_ALL_KINDS & ~allowed))
    return replace_unusable_tiles(hand, allowed, fillers) if outside <= _MAX_FILLERS else None


def _yakuhai_pair_goals(visible: VisibleTiles, hand: list[int], dora: int) -> list[Goal]:
    """Return a goal for each yakuhai pair that can become a triplet. The shanten of the goal is
    that of the other tiles, plus 1 for the triplet."""
    found: list[Goal] = []
    for kind in range(EAST, KINDS):
        han = visible.yakuhai_han_of(kind)
        if hand[kind] != 2 or not han or not visible.unseen[kind]:
            continue
        hand[kind] = 0
        rest, useful = shanten_and_useful(hand, visible.players)
        hand[kind] = 2
        number = count_outs(useful, visible.unseen) if rest >= 0 else 0
        number += (_PON_FACTOR if rest >= 0 else 1) * visible.unseen[kind]
        useful = (useful if rest >= 0 else 0) | 1 << kind
        found.append(Goal("yakuhai_pair", rest + 1, number, han + dora, True, useful))
    return found


def _flush_goals(
    visible: VisibleTiles, hand: list[int], melds: tuple[Meld, ...], held: int, han: float
) -> list[Goal]:
    found: list[Goal] = []
    for suit, suit_mask in enumerate(SUITS):
        allowed = suit_mask | HONOURS
        if held & ~allowed:
            continue
        inside = _usable_hand(hand, allowed, _FLUSH_FILLERS[visible.players][suit])
        if not inside:
            continue
        value = 2.0 if held & HONOURS or any(hand[EAST:]) else 5.0
        goal = _open_goal("flush", visible, inside, han + value, allowed)
        if is_closed(melds) and not goal.shanten:
            value += 1 + _riichi_han(visible)
            goal = msgspec.structs.replace(goal, han=han + value, is_open=False)
        found.append(goal)
    return found
