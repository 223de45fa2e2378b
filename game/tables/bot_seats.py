"""What the bots at a table answer. They see their own view and nothing else."""

from __future__ import annotations

import hashlib
from random import Random

from game.bots import bot_named
from game.engine.actions import Action
from game.engine.legal import legal
from game.engine.perspective import view
from game.tables.room import Room


def fraction(room: Room, purpose: str) -> float:
    """A number from 0 to 1 that is the same in every process, for this question."""
    text = f"{room.table_id}:{room.table.step}:{purpose}"
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest) / 2**64


def _secret(room: Room, seat: int) -> bytes:
    """What the bot's chance follows from: the same in every process, and nobody at the table
    can work it out, since the game's seed is in it."""
    text = f"{room.table.step}:{seat}"
    return hashlib.blake2b(text.encode(), key=room.table.seed, digest_size=16).digest()


def bot_answer(room: Room, seat: int) -> Action:
    """The answer of the bot at `seat` to the open question. Raises if it has no good one."""
    actions = legal(room.table, seat)
    if len(actions) == 1:
        return actions[0]
    rng = Random(_secret(room, seat))
    bot = bot_named(room.meta.seats[seat].bot)
    action = bot.choose(view(room.table, seat), seat, actions, rng)
    if action not in actions:
        raise ValueError(f"{action} is not among {actions}")
    return action
