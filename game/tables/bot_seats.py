"""Asks the bots at a table for their answers. A bot gets the view of its own seat only."""

from __future__ import annotations

import hashlib
import math
from random import Random
from statistics import NormalDist
from typing import Final

from game.bots import bot_named
from game.engine.actions import Action
from game.engine.legal import legal
from game.engine.perspective import view
from game.engine.state import Riichi
from game.engine.tiles import NO_TILE
from game.tables.room import Room


def fraction(room: Room, purpose: str) -> float:
    """Return a number from 0 to 1 for this question, the same in every process."""
    text = f"{room.table_id}:{room.table.step}:{purpose}"
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64


def _secret(room: Room, seat: int) -> bytes:
    """Return the seed of the bot's random choices: the same in every process. The game's seed is
    part of it, so that nobody at the table can compute it."""
    text = f"{room.table.step}:{seat}"
    return hashlib.blake2b(text.encode(), key=room.table.seed, digest_size=16).digest()


def choose_for_bot(room: Room, seat: int) -> Action:
    """Return the answer of the bot at `seat` to the open question. Raises ValueError if it is not
    legal, and whatever the bot raises."""
    actions = legal(room.table, seat)
    if len(actions) == 1:
        return actions[0]
    rng = Random(_secret(room, seat))
    bot = bot_named(room.meta.seats[seat].bot)
    action = bot.choose(view(room.table, seat), seat, actions, rng)
    if action not in actions:
        raise ValueError(f"{action} is not among {actions}")
    return action


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
    if any(table.hands[other].riichi != Riichi.NONE for other in table.seats if other != seat):
        weight *= _FACING_RIICHI
    return weight
