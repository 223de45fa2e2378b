"""Plays whole games in memory: each player gets a view and answers at once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from game.engine.actions import Action
from game.engine.commands import Act, Command, DealHand, Proceed, StartGame
from game.engine.decide import Accepted, decide
from game.engine.events import Event
from game.engine.evolve import evolve
from game.engine.legal import legal, pending_seats
from game.engine.perspective import view
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Phase, Table

Chooser = Callable[[Table, int, tuple[Action, ...], Random], Action]
"""The function `choose` of a bot. Its arguments are the seat's view, the seat, the legal actions
and random numbers."""

_NAMES: Final = ("East", "South", "West", "North")
_MAX_STEPS: Final = 20_000


@dataclass
class BotGame:
    """A game in progress: the table, and all events from which it follows."""

    table: Table = field(default_factory=Table)
    events: list[Event] = field(default_factory=list)

    def do(self, command: Command) -> None:
        """Carry out a command. Raises ValueError if it is not accepted."""
        verdict = decide(self.table, command)
        if not isinstance(verdict, Accepted):
            raise ValueError(f"{command}: {verdict}")
        for event in verdict.events:
            self.table = evolve(self.table, event)
            self.events.append(event)


def start_game(seed: int, rules: RuleSet = TENHOU) -> BotGame:
    """Return a game after the first deal. The same seed gives the same walls."""
    game = BotGame()
    seed_of_walls = hashlib.sha256(b"%d" % seed).digest()
    game.do(StartGame(rules=rules, names=_NAMES[: rules.players], seed=seed_of_walls))
    game.do(DealHand())
    return game


def play_on(game: BotGame, choosers: Sequence[Chooser], rng: Random) -> None:
    """Ask every seat that has to answer the open question, then send `Proceed` if the question is
    still open and needs no other answer."""
    asked = pending_seats(game.table)
    step = game.table.step
    for seat in asked:
        if game.table.step != step:
            return
        actions = tuple(legal(game.table, seat))
        action = choosers[seat](view(game.table, seat), seat, actions, rng)
        game.do(Act(seat, step, action))
    if game.table.step == step and not pending_seats(game.table):
        game.do(Proceed(step))


def play_game(
    seed: int,
    choosers: Sequence[Chooser],
    rules: RuleSet = TENHOU,
    on_start: Iterable[Callable[[BotGame], None]] = (),
) -> BotGame:
    """Play a whole game and return it.

    `choosers` are by seat. Each function of `on_start` is called with the game after
    the first deal. Raises ValueError if the game does not end.
    """
    game = start_game(seed, rules)
    for call in on_start:
        call(game)
    rng = Random(seed)
    for _ in range(_MAX_STEPS):
        if game.table.phase == Phase.ENDED:
            return game
        play_on(game, choosers, rng)
    raise ValueError(f"game {seed} does not end: {game.table}")
