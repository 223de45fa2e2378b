"""Asks the bots at a table for their answers. A bot gets the view of its own seat only."""

from __future__ import annotations

import hashlib
from random import Random

from game.bots import bot_named
from game.engine.actions import Action
from game.engine.legal import legal
from game.engine.perspective import view
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
