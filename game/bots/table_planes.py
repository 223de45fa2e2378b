"""What a seat sees of the whole table, as numbers for the table network.

Owns two views of one position of four players. The planes are counts and marks by kind of tile: the
own hand and, for each opponent, river and melds. The globals are numbers without a kind: scores,
winds, riichi, what is left. Opponents are in the order of play after the seat.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from game.analysis.shape import shanten_and_unneeded, shanten_and_useful
from game.analysis.visible_tiles import VisibleTiles, safe_masks
from game.engine.state import (
    RIVER_RIICHI,
    RIVER_TAKEN,
    RIVER_TILE,
    RIVER_TSUMOGIRI,
    Hand,
    MeldType,
    Riichi,
)
from game.engine.tiles import KINDS, NO_TILE, is_red, kind_of, kinds_in

Planes = NDArray[np.uint8]
Globals = NDArray[np.float32]

_OWN: Final = 11
_BY_SEAT: Final = 10
PLANES: Final = _OWN + 4 * _BY_SEAT
"""Number of planes. The unit of each is in `PLANE_SCALES`."""
_EARLY: Final = 6
"""Number of discards of a river that count as early."""

(
    _COUNT,
    _RED,
    _NEW,
    _DORA,
    _UNSEEN,
    _YAKUHAI,
    _UNNEEDED,
    _USEFUL,
    _MELDED,
    _HAS_PAIR,
    _IS_OFFERED,
) = range(_OWN)
_RIVER, _FROM_HAND, _IS_EARLY, _ORDER, _IN_RIICHI, _TAKEN, _CHI, _SET, _SAFE, _WIND = range(
    _BY_SEAT
)

_OWN_SCALES: Final = (1, 1, 1, 1, 1 / 2, 1, 1, 1, 1, 1, 1)
_SEAT_SCALES: Final = (1, 1, 1, 1 / 12, 1, 1, 1, 1 / 2, 1, 1)
PLANE_SCALES: Final = np.array(_OWN_SCALES + 4 * _SEAT_SCALES, np.float32)
"""Factors that bring the planes to the size of 1."""


def planes_of(visible: VisibleTiles) -> Planes:
    """Return the planes of the position, of shape (kinds, planes)."""
    table, seat = visible.table, visible.seat
    found = bytearray(KINDS * PLANES)
    for kind in range(KINDS):
        at = kind * PLANES
        count = visible.counts[kind]
        found[at + _COUNT] = count
        found[at + _HAS_PAIR] = count > 1
        found[at + _DORA] = visible.dora[kind]
        found[at + _UNSEEN] = visible.unseen[kind]
        found[at + _YAKUHAI] = visible.yakuhai_han_of(kind)
    for tile in visible.tiles:
        if is_red(tile):
            found[kind_of(tile) * PLANES + _RED] = 1
    has_drawn = len(visible.tiles) % 3 == 2
    shape = shanten_and_unneeded if has_drawn else shanten_and_useful
    for kind in kinds_in(shape(visible.counts, visible.players)[1]):
        found[kind * PLANES + (_UNNEEDED if has_drawn else _USEFUL)] = 1
    if has_drawn:
        if table.drawn != NO_TILE:
            found[kind_of(table.drawn) * PLANES + _NEW] = 1
    elif table.claimed != NO_TILE:
        found[kind_of(table.claimed) * PLANES + _IS_OFFERED] = 1
    for meld in visible.hand.melds:
        for tile in meld.tiles:
            found[kind_of(tile) * PLANES + _MELDED] += 1
    masks = safe_masks(table)
    for step in range(4):
        other = (seat + step) % 4
        _add_seat(found, _OWN + step * _BY_SEAT, table.hands[other])
        for kind in kinds_in(masks[other]):
            found[kind * PLANES + _OWN + step * _BY_SEAT + _SAFE] = 1
        found[table.wind_of(other) * PLANES + _OWN + step * _BY_SEAT + _WIND] = 1
    return np.frombuffer(found, np.uint8).reshape(KINDS, PLANES)


def _add_seat(found: bytearray, first: int, hand: Hand) -> None:
    """Write the river and melds of a seat into its planes, which begin at plane `first`."""
    in_riichi = False
    for order, entry in enumerate(hand.river, 1):
        at = kind_of(entry & RIVER_TILE) * PLANES + first
        found[at + _RIVER] += 1
        found[at + _ORDER] = order
        if not entry & RIVER_TSUMOGIRI:
            found[at + _FROM_HAND] += 1
        if order <= _EARLY:
            found[at + _IS_EARLY] = 1
        if entry & RIVER_TAKEN:
            found[at + _TAKEN] += 1
        in_riichi = in_riichi or bool(entry & RIVER_RIICHI)
        if in_riichi:
            found[at + _IN_RIICHI] += 1
    for meld in hand.melds:
        plane = _CHI if meld.type == MeldType.CHI else _SET
        for tile in meld.tiles:
            found[kind_of(tile) * PLANES + first + plane] += 1


def globals_of(visible: VisibleTiles) -> Globals:
    """Return the numbers of the position that have no kind."""
    table, seat = visible.table, visible.seat
    mine = table.scores[seat]
    has_drawn = len(visible.tiles) % 3 == 2
    shape = shanten_and_unneeded if has_drawn else shanten_and_useful
    shanten = shape(visible.counts, visible.players)[0]
    found: list[float] = [
        *(shanten == number for number in range(5)),
        has_drawn,
        table.left / 70,
        table.honba / 3,
        table.kyotaku / 2,
        *(table.kyoku // 4 == wind for wind in range(3)),
        *(table.kyoku % 4 == number for number in range(4)),
        len(table.dora) - 1,
        *((seat - table.dealer) % 4 == wind for wind in range(4)),
        mine / 30_000,
    ]
    for step in range(4):
        other = (seat + step) % 4
        hand = table.hands[other]
        declared = next((at for at, entry in enumerate(hand.river) if entry & RIVER_RIICHI), None)
        found += (
            hand.riichi != Riichi.NONE,
            hand.ippatsu,
            0 if declared is None else (len(hand.river) - declared) / 10,
            0 if declared is None else declared / 10,
            *(len(hand.melds) == number for number in range(1, 4)),
            len(hand.river) / 10,
            _drawn_discards_at_end(hand) / 5,
            other == table.dealer,
            max(-3.0, min(3.0, (table.scores[other] - mine) / 10_000)),
            sum(visible.dora_in(tile) for meld in hand.melds for tile in meld.tiles) / 3,
        )
    return np.array(found, np.float32)


def _drawn_discards_at_end(hand: Hand) -> int:
    """Return how many of the last discards in a row were the tiles just drawn."""
    number = 0
    for entry in reversed(hand.river):
        if not entry & RIVER_TSUMOGIRI:
            break
        number += 1
    return number
