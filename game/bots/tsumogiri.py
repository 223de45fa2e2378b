"""The bot `tsumogiri`: wins when it can, passes on every call, discards the drawn tile."""

from __future__ import annotations

import random

from game.engine.actions import Action, Confirm, Discard, Pass, ShowTenpai, StopGame, Win
from game.engine.state import Table


def choose(table: Table, seat: int, actions: tuple[Action, ...], rng: random.Random) -> Action:
    """Return the action that changes the hand least."""
    for action_type in (Win, ShowTenpai, StopGame, Confirm, Pass):
        for action in actions:
            if isinstance(action, action_type):
                return action
    discards = [action for action in actions if isinstance(action, Discard)]
    for discard in discards:
        if discard.tsumogiri:
            return discard
    return discards[-1] if discards else actions[-1]
