"""Bots: programs that play.

Owns the bots and their ids; `bot_named` returns the bot of an id. A bot sees what a person in its
seat would see, a view made by `game.engine.perspective`, and answers with one of the actions
offered to it. It keeps no state: the same view, actions and random numbers give the same answer in
any process.
"""

from __future__ import annotations

import random
from typing import Final, Protocol

from game.bots import hasty, novice, tsumogiri
from game.bots.planning import STRONGEST, PlanningBot, Style
from game.engine.actions import Action
from game.engine.state import Table


class Bot(Protocol):
    """The interface of a bot. Modules of this package implement it."""

    def choose(
        self, table: Table, seat: int, actions: tuple[Action, ...], rng: random.Random
    ) -> Action:
        """Return one of `actions`, which must not be empty. `table` is the view of `seat`."""


BOTS: Final[dict[str, Bot]] = {
    "tsumogiri": tsumogiri,
    "novice": novice,
    "hasty": hasty,
    "careful": PlanningBot(
        Style(fears="riichi", follows_players=False, weighs_riichi=False, weighs_places=False)
    ),
    "sensible": PlanningBot(STRONGEST),
}

LEVELS: Final = ("novice", "hasty", "careful", "sensible")
"""Ids of the bots that people choose from, the weakest first."""

BOT_NAMES: Final = ("Aki", "Fuyu", "Haru", "Natsu")
"""Names of bots as players of a table."""


def bot_named(name: str) -> Bot:
    """Return the bot of this id. Raise ``KeyError`` with the known ids if there is none."""
    try:
        return BOTS[name]
    except KeyError:
        raise KeyError(f"no bot {name!r}; there are {', '.join(sorted(BOTS))}") from None
