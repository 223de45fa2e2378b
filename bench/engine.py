"""Measures applied events per CPU-second of the engine, with players who choose at random.

An applied event is a draw, a discard or a call. The time includes all else that the engine does for
it: listing legal actions, decisions, answers, results, deals. Garbage collection is as rare as in
the processes that hold tables.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Final

from bench import report
from game.engine.commands import Act, Command, DealHand, Proceed, StartGame
from game.engine.decide import Accepted, decide
from game.engine.events import (
    AnkanDeclared,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    Drawn,
    Event,
    KakanDeclared,
    PonCalled,
)
from game.engine.evolve import evolve
from game.engine.legal import legal, pending_seats
from game.engine.perspective import SPECTATOR, redact, view
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import SEATS, Phase, Table
from mahjong_site.interpreter import collect_garbage_rarely

APPLIED: Final = frozenset(
    {
        *(Drawn, Discarded),
        *(ChiCalled, PonCalled, DaiminkanCalled, AnkanDeclared, KakanDeclared),
    }
)
VIEWERS: Final = (*SEATS, SPECTATOR)

Observe = Callable[[Table, tuple[Event, ...]], None]
"""Called after each command with the table and the new events."""


def run(*, quick: bool) -> None:
    """Print the figures without and with views."""
    collect_garbage_rarely()
    runs, seconds = (3, 0.3) if quick else (7, 1.5)
    report.print_heading(
        "engine: applied events (draws, discards, calls) per CPU-second, one process"
    )
    plays = (
        ("random players", ignore_events),
        ("random players, view and redact for 5 viewers", make_views),
    )
    for label, observe in plays:
        rates = [_event_rate(seed, seconds, observe) for seed in range(runs)]
        report.print_line(label, report.format_spread(rates, "events/CPU-s"))


def ignore_events(table: Table, events: tuple[Event, ...]) -> None:
    """Do nothing."""


def make_views(table: Table, events: tuple[Event, ...]) -> None:
    """Redact the events and make the view for each viewer."""
    for viewer in VIEWERS:
        for event in events:
            redact(event, viewer)
        view(table, viewer)


def _event_rate(seed: int, seconds: float, observe: Observe) -> float:
    rng = Random(seed)
    applied = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds:
        applied += RandomGame(rng, observe).play()
    return applied / spent


class RandomGame:
    """One game, from the deal to the ranking."""

    def __init__(self, rng: Random, observe: Observe, rules: RuleSet = TENHOU) -> None:
        self.rng = rng
        self.observe = observe
        self.rules = rules
        self.table = Table()
        self.applied = 0

    def play(self) -> int:
        """Play the game to its end. Return the number of applied events."""
        names = ("East", "South", "West", "North")
        self._execute(StartGame(self.rules, names, self.rng.randbytes(32)))
        self._execute(DealHand())
        while self.table.phase != Phase.ENDED:
            self._answer_all()
        return self.applied

    def _answer_all(self) -> None:
        """Answer for each pending seat, until the question is closed."""
        step = self.table.step
        for seat in pending_seats(self.table):
            actions = legal(self.table, seat)
            action = actions[int(self.rng.random() * len(actions))]
            self._execute(Act(seat, step, action))
            if self.table.step != step:
                return
        if not pending_seats(self.table):
            self._execute(Proceed(step))

    def _execute(self, command: Command) -> None:
        verdict = decide(self.table, command)
        if not isinstance(verdict, Accepted):
            raise ValueError(f"{command} is not accepted: {verdict}")
        for event in verdict.events:
            self.table = evolve(self.table, event)
            self.applied += type(event) in APPLIED
        self.observe(self.table, verdict.events)
