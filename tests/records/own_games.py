"""Games of our own engine, as lists of events by hand, to be written as records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from game.engine.actions import StopGame
from game.engine.commands import Act, Command, DealHand, Proceed, StartGame
from game.engine.decide import Accepted, decide
from game.engine.events import Event, HandStarted
from game.engine.evolve import evolve
from game.engine.legal import choices, legal, pending_seats
from game.engine.progress import dealer_may_stop
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Phase, Table
from tests.kit.random_games import NAMES, TEMPERS, shuffle_badly

Hands = list[list[Event]]


def random_game(seed: int, rules: RuleSet = TENHOU) -> Hands:
    """Return a game on badly shuffled walls, in which every kind of event is frequent."""
    chance = Random(seed)
    return game_on(_bad_walls(rules, chance), chance, rules)


def _bad_walls(rules: RuleSet, chance: Random) -> Iterator[bytes]:
    while True:
        yield shuffle_badly(rules, chance, chance.choice((2.0, 10.0, 40.0)))


def game_on(walls: Iterable[bytes], chance: Random, rules: RuleSet = TENHOU) -> Hands:
    """Return a game on these walls, played to its end."""
    tempers = [chance.choice(TEMPERS) for _ in range(4)]
    next_wall = iter(walls)
    table = Table()
    hands: Hands = []
    command: Command = StartGame(rules=rules, names=NAMES[: rules.players], seed=bytes(32))
    while True:
        verdict = decide(table, command)
        assert isinstance(verdict, Accepted), f"{command}: {verdict}"
        for event in verdict.events:
            table = evolve(table, event)
            if isinstance(event, HandStarted):
                hands.append([])
            if hands:
                hands[-1].append(event)
        if table.phase == Phase.ENDED:
            return hands
        is_asked = dealer_may_stop(table)
        owing = pending_seats(table) if table.phase != Phase.RESULT or is_asked else ()
        if owing:
            seat = chance.choice(owing)
            errs = rules.false_declarations and chance.random() < 0.05
            options = choices(table, seat) if errs else legal(table, seat)
            temper = tempers[seat]
            action = chance.choice(options) if is_asked else temper(table, seat, options, chance)
            command = Act(seat, table.step, action)
        elif is_asked and isinstance(table.answers[table.dealer], StopGame):
            command = Proceed(table.step)
        elif table.phase in (Phase.IDLE, Phase.RESULT):
            command = DealHand(next(next_wall))
        else:
            command = Proceed(table.step)
