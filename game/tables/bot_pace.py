"""Computes how long a bot thinks on its own turn.

The time depends on what everybody at the table knows (riichi, the number of discards, a call before
this turn) and on a random number of the table and the question. So it reveals nothing about the
bot's tiles or its decision.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

from game.engine.state import SEATS, Riichi
from game.engine.tiles import NO_TILE
from game.tables.bot_seats import fraction
from game.tables.room import Room

_MEDIAN: Final = 0.17
"""The median, as a fraction of the time between the clock's shortest and longest."""
_SPREAD: Final = 0.7
"""The standard deviation of the time's logarithm: most answers are quick, a few take long."""
_OPENING_TURNS: Final = 4
_OPENING: Final = 0.7
"""The factor for the first discards of a hand."""
_IN_RIICHI: Final = 0.4
_AFTER_CALL: Final = 0.8
_FACING_RIICHI: Final = 1.5
_NORMAL: Final = NormalDist()
_EDGE: Final = 1e-6


def thinking_ms(room: Room, seat: int) -> int:
    """Return for how long the bot at `seat` thinks about its turn, after `ClockSettings.lead_ms`.
    It is between `bot_min_ms` and `bot_max_ms` of the clock."""
    settings = room.meta.clock
    drawn = min(max(fraction(room, "turn"), _EDGE), 1 - _EDGE)
    share = _MEDIAN * _weight(room, seat) * math.exp(_SPREAD * _NORMAL.inv_cdf(drawn))
    span = settings.bot_max_ms - settings.bot_min_ms
    return settings.bot_min_ms + int(span * min(1.0, share))


def _weight(room: Room, seat: int) -> float:
    """Return the factor of this turn, from what everybody at the table knows."""
    table = room.table
    hand = table.hands[seat]
    if hand.riichi != Riichi.NONE:
        return _IN_RIICHI
    weight = 1.0
    if len(hand.river) < _OPENING_TURNS:
        weight *= _OPENING
    if table.drawn == NO_TILE:
        weight *= _AFTER_CALL
    if any(table.hands[other].riichi != Riichi.NONE for other in SEATS if other != seat):
        weight *= _FACING_RIICHI
    return weight
