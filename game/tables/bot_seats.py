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


def question_fraction(room: Room, purpose: str) -> float:
    """Return a pseudo-random number from 0 to 1 for the open question: the same in every process.
    Different purposes get independent numbers."""
    text = f"{room.table_id}:{room.table.step}:{purpose}"
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64


def _bot_seed(room: Room, seat: int) -> bytes:
    """Return the seed of the bot's random choices: the same in every process. The game's seed is
    hashed into it, so that nobody at the table can compute it."""
    text = f"{room.table.step}:{seat}"
    return hashlib.blake2b(text.encode(), key=room.table.seed, digest_size=16).digest()


def choose_for_bot(room: Room, seat: int) -> Action:
    """Return the answer of the bot at `seat` to the open question. Raises ValueError if it is not
    legal, and whatever the bot raises."""
    actions = legal(room.table, seat)
    if len(actions) == 1:
        return actions[0]
    rng = Random(_bot_seed(room, seat))
    bot = bot_named(room.meta.seats[seat].bot)
    action = bot.choose(view(room.table, seat), seat, actions, rng)
    if action not in actions:
        raise ValueError(f"{action} is not among {actions}")
    return action


_MEDIAN_SHARE: Final = 0.17
"""The median, as a question_fraction of the time between the clock's shortest and longest."""
_LOG_DEVIATION: Final = 0.7
"""The standard deviation of the time's logarithm: most answers are quick, a few take long."""
_OPENING_TURNS: Final = 4
_OPENING_FACTOR: Final = 0.7
"""The factor for the first discards of a hand."""
_IN_RIICHI_FACTOR: Final = 0.4
_AFTER_CALL_FACTOR: Final = 0.8
_FACING_RIICHI_FACTOR: Final = 1.5
_STANDARD_NORMAL: Final = NormalDist()
_SMALLEST_FRACTION: Final = 1e-6


def thinking_ms(room: Room, seat: int) -> int:
    """Return for how many milliseconds the bot at `seat` thinks about its turn, after
    `ClockSettings.lead_ms`: between `bot_min_ms` and `bot_max_ms` of the clock."""
    settings = room.meta.clock
    drawn = min(max(question_fraction(room, "turn"), _SMALLEST_FRACTION), 1 - _SMALLEST_FRACTION)
    share = (
        _MEDIAN_SHARE
        * _thinking_factor(room, seat)
        * math.exp(_LOG_DEVIATION * _STANDARD_NORMAL.inv_cdf(drawn))
    )
    span = settings.bot_max_ms - settings.bot_min_ms
    return settings.bot_min_ms + int(span * min(1.0, share))


def _thinking_factor(room: Room, seat: int) -> float:
    """Return by how much longer (or, below 1, shorter) than usual the bot thinks this turn. Uses
    only what everybody at the table knows."""
    table = room.table
    hand = table.hands[seat]
    if hand.riichi != Riichi.NONE:
        return _IN_RIICHI_FACTOR
    factor = 1.0
    if len(hand.river) < _OPENING_TURNS:
        factor *= _OPENING_FACTOR
    if table.drawn == NO_TILE:
        factor *= _AFTER_CALL_FACTOR
    if any(table.hands[other].riichi != Riichi.NONE for other in table.seats if other != seat):
        factor *= _FACING_RIICHI_FACTOR
    return factor
