"""Applied events per CPU-second of the engine, with players who choose at random.

An applied event is a draw, a discard or a call that has been put to the table. Whatever else
the engine does for it (listing what is legal, deciding, answers, results, deals) is paid for.
Garbage is collected as seldom as in the processes that hold tables.
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
from game.engine.legal import legal, pending
from game.engine.perspective import WATCHER, redact, view
from game.engine.rules import TENHOU
from game.engine.state import SEATS, Phase, Table
from mahjong_site.interpreter import collect_seldom

APPLIED: Final = frozenset(
    {
        *(Drawn, Discarded),
        *(ChiCalled, PonCalled, DaiminkanCalled, AnkanDeclared, KakanDeclared),
    }
)
AUDIENCES: Final = (*SEATS, WATCHER)

Shown = Callable[[Table, tuple[Event, ...]], None]
"""What is done after each command with the table and what has happened."""


def run(*, quick: bool) -> None:
    """Print both figures."""
    collect_seldom()
    runs, seconds = (3, 0.3) if quick else (7, 1.5)
    report.heading("engine: applied events (draws, discards, calls) per CPU-second, one process")
    plays = (("random players", unseen), ("random players, view and redact for 5 audiences", seen))
    for label, shown in plays:
        rates = [_rate(seed, seconds, shown) for seed in range(runs)]
        report.line(label, report.spread(rates, "events/CPU-s"))


def unseen(table: Table, events: tuple[Event, ...]) -> None:
    """Nobody looks."""


def seen(table: Table, events: tuple[Event, ...]) -> None:
    """What each audience is shown is made."""
    for audience in AUDIENCES:
        for event in events:
            redact(event, audience)
        view(table, audience)


def _rate(seed: int, seconds: float, shown: Shown) -> float:
    rng = Random(seed)
    applied = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds:
        applied += RandomGame(rng, shown).play()
    return applied / spent


class RandomGame:
    """One game, from its deal to its ranking."""

    def __init__(self, rng: Random, shown: Shown) -> None:
        self.rng = rng
        self.shown = shown
        self.table = Table()
        self.applied = 0

    def play(self) -> int:
        """Play it to its end; returns how many events were applied."""
        names = ("East", "South", "West", "North")
        self._do(StartGame(TENHOU, names, self.rng.randbytes(32)))
        self._do(DealHand())
        while self.table.phase != Phase.ENDED:
            self._answer_all()
        return self.applied

    def _answer_all(self) -> None:
        """Whoever owes an answer gives one, until the question is settled."""
        step = self.table.step
        for seat in pending(self.table):
            actions = legal(self.table, seat)
            action = actions[int(self.rng.random() * len(actions))]
            self._do(Act(seat, step, action))
            if self.table.step != step:
                return
        if not pending(self.table):
            self._do(Proceed(step))

    def _do(self, command: Command) -> None:
        verdict = decide(self.table, command)
        if not isinstance(verdict, Accepted):
            raise ValueError(f"{command} is not accepted: {verdict}")
        for event in verdict.events:
            self.table = evolve(self.table, event)
            self.applied += type(event) in APPLIED
        self.shown(self.table, verdict.events)
