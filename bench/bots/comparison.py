"""Compares bots: one bot A against bots B at all other seats, or a different bot at each seat.

Owns the games of a deal, their statistics and the interval. A deal is one whole game for each seat
of the rules, all with the same walls, with each bot in each seat, so that lucky tiles cancel out.
These games are not independent of each other, so the interval is over deals. Everything but the CPU
times follows from the seed.
"""

from __future__ import annotations

import math
import statistics
import time
from array import array
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Final

from msgspec.structs import replace

from bench.bots.games import Chooser, play_game
from bench.bots.outside import OutsideSeat
from bench.bots.revisions import bot_of
from bench.bots.tally import Tally
from game.engine.actions import Action
from game.engine.events import Event
from game.engine.presets import preset
from game.engine.rules import RuleSet
from game.engine.state import SEATS_OF, Table
from game.mjai_programs.spec import ProgramSpec
from game.records.own import own_game
from game.records.writing_mjai import write_mjai

_NORMAL_95: Final = 1.96
_MS: Final = 1e6
_SIDE_LETTERS: Final = "ABCD"
_NUMBER_WORDS: Final = {2: "two", 3: "three"}
_ORDERS: Final = {
    players: [(0, *others) for others in permutations(seats[1:])]
    for players, seats in SEATS_OF.items()
}
"""The orders in which different bots can sit round a table, by the number of players. The deals use
the orders in turn, so that each bot sits equally often in the seat before each other bot."""


@dataclass(frozen=True)
class Comparison:
    """The bots to compare, and the rules and the seed of their games. `bench.bots.revisions`
    finds the bots by name."""

    bots: tuple[str, ...]
    """Two bots, of which the first plays alone against bots of the second; or one bot for each
    seat."""
    rules: str = "tenhou"
    length: str = "east"
    seed: int = 1
    outside: tuple[ProgramSpec, ...] = ()
    """Outside programs that `bots` may name."""
    records: Path | None = None
    """The folder for the records of the games, one mjai file each."""

    def seating(self, deal: int, game: int) -> list[int]:
        """Return for each seat the index of its bot in `bots`. `deal` and `game` count from 0."""
        players = self.players
        if len(self.bots) == 2:
            return [0 if seat == game else 1 for seat in range(players)]
        orders = _ORDERS[players]
        order = orders[deal % len(orders)]
        return [order[(seat - game) % players] for seat in range(players)]

    @property
    def rule_set(self) -> RuleSet:
        return replace(preset(self.rules), length=self.length)

    @property
    def players(self) -> int:
        """The number of seats of a table, and of the games of a deal."""
        return preset(self.rules).players

    def program_of(self, bot: str) -> ProgramSpec | None:
        """Return the outside program of that name; None if there is none."""
        return next((spec for spec in self.outside if spec.name == bot), None)


@dataclass
class Side:
    """The results of one bot of the match."""

    tally: Tally = field(default_factory=Tally)
    cpu_ns: array[int] = field(default_factory=lambda: array("q"))
    """The CPU time of each decision between two or more actions; empty for outside programs."""
    faults: int = 0
    """Number of questions that an outside program did not answer with a possible action."""
    mean_ranks: list[float] = field(default_factory=list)
    """Mean place of the bot in the games of each deal."""

    @property
    def margin(self) -> float:
        """Half of the width of the 95 % interval of the mean place."""
        if len(self.mean_ranks) < 2:
            return float("inf")
        return _NORMAL_95 * statistics.stdev(self.mean_ranks) / math.sqrt(len(self.mean_ranks))

    def merge(self, other: Side) -> None:
        self.tally.merge(other.tally)
        self.cpu_ns.extend(other.cpu_ns)
        self.faults += other.faults
        self.mean_ranks.extend(other.mean_ranks)


@dataclass
class Result:
    """The results of one deal or of many: a side for each bot of the match."""

    sides: list[Side]

    @staticmethod
    def empty(match: Comparison) -> Result:
        """Return a result without games."""
        return Result([Side() for _ in match.bots])

    @property
    def deals(self) -> int:
        """Number of deals played."""
        return len(self.sides[0].mean_ranks)

    def merge(self, other: Result) -> None:
        for side, more in zip(self.sides, other.sides, strict=True):
            side.merge(more)


def play_deal(match: Comparison, deal: int) -> Result:
    """Play the games of deal number `deal`, counted from 0."""
    result = Result.empty(match)
    seed = match.seed * 1_000_003 + deal
    for game in range(match.players):
        seating = match.seating(deal, game)
        names = [match.bots[index] for index in seating]
        events = _play(match, names, [result.sides[index] for index in seating], seed, game)
        if match.records is not None:
            path = match.records / f"deal{deal:05}-{game}.mjson"
            path.write_text(_record(events, names), encoding="utf-8")
        for index, side in enumerate(result.sides):
            seats = [seat for seat, bot in enumerate(seating) if bot == index]
            side.tally.add(events, frozenset(seats))
    for side in result.sides:
        side.mean_ranks.append(side.tally.mean_rank)
    return result


def _play(
    match: Comparison, names: Sequence[str], sides: Sequence[Side], seed: int, game: int
) -> list[Event]:
    """Play one game and return its events. `names` and `sides` are by seat."""
    choosers, outside = list[Chooser](), list[tuple[OutsideSeat, Side]]()
    with ExitStack() as stack:
        for seat, (bot, side) in enumerate(zip(names, sides, strict=True)):
            program = match.program_of(bot)
            if program is None:
                choosers.append(_measured_chooser(bot, side, f"{seed}:{game}:{seat}"))
            else:
                player = stack.enter_context(OutsideSeat(program, seat))
                outside.append((player, side))
                choosers.append(player.choose)
        on_start = [player.set_game for player, _ in outside]
        events = play_game(seed, choosers, match.rule_set, on_start).events
    for player, side in outside:
        side.faults += player.faults
    return events


def _record(events: Iterable[Event], names: Sequence[str]) -> str:
    """Return the game as mjai."""
    return write_mjai(own_game(events, tuple(names), is_broken_off=False))


def _measured_chooser(bot: str, side: Side, seed: str) -> Chooser:
    """Return a chooser that records the CPU time of each decision of the bot in `side`. It uses
    random numbers of its own."""
    choose = _loaded_chooser(bot)
    own = Random(seed)

    def answer(table: Table, seat: int, actions: tuple[Action, ...], _: Random) -> Action:
        if len(actions) == 1:
            return actions[0]
        began = time.process_time_ns()
        action = choose(table, seat, actions, own)
        side.cpu_ns.append(time.process_time_ns() - began)
        return action

    return answer


@lru_cache(maxsize=8)
def _loaded_chooser(bot: str) -> Chooser:
    return bot_of(bot).choose


def report(match: Comparison, result: Result) -> Iterable[str]:
    """Yield the lines of the report."""
    deals, sides = result.deals, result.sides
    named = [f"{bot} ({letter})" for bot, letter in zip(match.bots, _SIDE_LETTERS, strict=False)]
    if len(match.bots) == 2:
        others = _NUMBER_WORDS[match.players - 1]
        who = f"{match.bots[0]} alone (A) against {others} of {named[1]}"
    else:
        who = ", ".join(named[:-1]) + f" and {named[-1]}"
    yield (
        f"{who}: {match.rules}, {match.length}, {deals} {'deal' if deals == 1 else 'deals'}, "
        f"{match.players * deals} games, seed {match.seed}"
    )
    yield f"{'':<30}" + "".join(f"{letter:>10}" for letter in _SIDE_LETTERS[: len(sides)])
    yield f"{'mean rank':<30}" + "".join(f"{side.tally.mean_rank:>10.3f}" for side in sides)
    yield f"{'95 % interval over deals':<30}" + "".join(
        f"{f'± {side.margin:.3f}':>10}" for side in sides
    )
    for place in range(match.players):
        shares = [side.tally.places[place] / side.tally.seats for side in sides]
        yield f"{f'place {place + 1}':<30}" + "".join(f"{share:>10.1%}" for share in shares)
    for label, shown in (
        ("mean final points", [f"{s.tally.scores / s.tally.seats:.0f}" for s in sides]),
        (
            "with uma and oka, thousands",
            [f"{s.tally.thousands / s.tally.seats:.2f}" for s in sides],
        ),
        ("wins, of hands", [f"{s.tally.win_rate:.1%}" for s in sides]),
        ("deal-ins", [f"{s.tally.deal_in_rate:.1%}" for s in sides]),
        ("riichi", [f"{s.tally.riichi_rate:.1%}" for s in sides]),
        ("calls", [f"{s.tally.call_rate:.1%}" for s in sides]),
        ("mean win", [f"{s.tally.points_won / max(1, s.tally.wins):.0f}" for s in sides]),
        ("mean deal-in", [f"{s.tally.points_dealt / max(1, s.tally.deal_ins):.0f}" for s in sides]),
        ("CPU a decision, median ms", [_quantile(s.cpu_ns, 0.5) for s in sides]),
        ("CPU a decision, p99 ms", [_quantile(s.cpu_ns, 0.99) for s in sides]),
        ("impossible answers", [str(s.faults) for s in sides]),
    ):
        yield f"{label:<30}" + "".join(f"{text:>10}" for text in shown)


def _quantile(times: array[int], share: float) -> str:
    """Return the quantile in milliseconds; "-" for an outside program, which is not measured."""
    ordered = sorted(times)
    if not ordered:
        return "-"
    return f"{ordered[min(len(ordered) - 1, int(share * len(ordered)))] / _MS:.2f}"
