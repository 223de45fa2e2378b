"""Plays games at random, so that every rule is used.

Some walls are shuffled well, others badly: there similar tiles are neighbours, so that kans, runs
and wins are far more frequent. Players have different habits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from game.engine.actions import (
    Action,
    CallKan,
    CallPon,
    DeclareAnkan,
    DeclareKakan,
    DeclareKyushu,
    DeclareRiichi,
    Discard,
    Pass,
    SetNorthAside,
    Win,
)
from game.engine.commands import Act, Command, DealHand, Proceed, StartGame, Timeout
from game.engine.decide import Accepted, decide
from game.engine.events import Event
from game.engine.evolve import evolve
from game.engine.hand import distance, remove_tiles, with_tile
from game.engine.legal import choices, legal, pending_seats
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Phase, Table
from game.engine.tiles import NO_TILE, kind_of
from game.engine.wall import tile_set

Temper = Callable[[Table, int, tuple[Action, ...], Random], Action]
Step = tuple[Table, Command, tuple[Event, ...]]
"""The table before a command, the command, and its events."""

NAMES: Final = ("Anna", "Berta", "Clara", "Dora")
_PLAIN: Final = (Discard, Pass)
_KANS: Final = (CallKan, DeclareAnkan, DeclareKakan, SetNorthAside)
"""What a replacement tile follows."""


def choose_any(table: Table, seat: int, actions: tuple[Action, ...], chance: Random) -> Action:
    """Choose any legal action."""
    return chance.choice(actions)


def bold(table: Table, seat: int, actions: tuple[Action, ...], chance: Random) -> Action:
    """Choose a call or declaration in most cases, if there is one."""
    found = [action for action in actions if not isinstance(action, _PLAIN)]
    return chance.choice(found if found and chance.random() < 0.7 else actions)


def keen_on_kans(table: Table, seat: int, actions: tuple[Action, ...], chance: Random) -> Action:
    """Declare every kan, set every north aside, never win, and discard tiles of which the hand has
    one."""
    kans = [action for action in actions if isinstance(action, _KANS)]
    if kans:
        return chance.choice(kans)
    quiet = [action for action in actions if not isinstance(action, Win | DeclareKyushu)]
    return min(quiet, key=lambda action: (_count_copies(table, seat, action), chance.random()))


def _count_copies(table: Table, seat: int, action: Action) -> int:
    if not isinstance(action, Discard):
        return 9
    return sum(kind_of(tile) == kind_of(action.pai) for tile in table.hands[seat].tiles)


def quick(table: Table, seat: int, actions: tuple[Action, ...], chance: Random) -> Action:
    """Play a closed hand: win, declare riichi, otherwise discard towards tenpai."""
    for wanted in (Win, DeclareRiichi):
        found = [action for action in actions if isinstance(action, wanted)]
        if found and chance.random() < 0.9:
            return chance.choice(found)
    discards = [action for action in actions if isinstance(action, Discard)]
    if not discards:
        return Pass() if Pass() in actions else chance.choice(actions)
    if chance.random() < 0.02:
        return chance.choice(actions)
    return min(
        discards, key=lambda discard: (_distance_to_tenpai(table, seat, discard), chance.random())
    )


def _distance_to_tenpai(table: Table, seat: int, discard: Discard) -> int:
    tiles = table.hands[seat].tiles
    if discard.tsumogiri:
        return distance(tiles)[0]
    rest = remove_tiles(tiles, (discard.pai,))
    return distance(rest if table.drawn == NO_TILE else with_tile(rest, table.drawn))[0]


def keen_on_sets(table: Table, seat: int, actions: tuple[Action, ...], chance: Random) -> Action:
    """Win; otherwise call triplets and kans; otherwise discard towards tenpai, honours first."""
    for wanted in ((Win,), (CallPon, *_KANS)):
        found = [action for action in actions if isinstance(action, wanted)]
        if found:
            return chance.choice(found)
    discards = [action for action in actions if isinstance(action, Discard)]
    if not discards:
        return actions[-1]
    nearest = min(_distance_to_tenpai(table, seat, discard) for discard in discards)
    best = [discard for discard in discards if _distance_to_tenpai(table, seat, discard) == nearest]
    return max(best, key=lambda discard: (discard.pai, chance.random()))


def idle(table: Table, seat: int, actions: tuple[Action, ...], chance: Random) -> Action:
    """Discard the drawn tile, and pass on every call."""
    drawn = [action for action in actions if isinstance(action, Discard) and action.tsumogiri]
    quiet = [action for action in actions if isinstance(action, _PLAIN)]
    return (drawn or quiet or list(actions))[0]


TEMPERS: Final = (choose_any, bold, quick, quick, keen_on_kans)


def shuffle_badly(rules: RuleSet, chance: Random, spread: float) -> bytes:
    """Return a wall in which equal tiles are about `spread` places apart, or come in blocks of four
    to one player."""
    order = {tile: chance.random() for tile in range(70)}
    tiles = tile_set(rules)
    places = [order[tile] * len(tiles) + chance.gauss(0, spread) for tile in tiles]
    return bytes([tile for _, tile in sorted(zip(places, tiles, strict=True))])


def random_wall(rules: RuleSet, chance: Random) -> bytes:
    """Return a badly shuffled wall, or b'' for a wall from the game's seed."""
    spread = chance.choice((2.0, 10.0, 40.0))
    return shuffle_badly(rules, chance, spread) if chance.random() < 0.8 else b""


def play_random_game(
    chance: Random,
    rules: RuleSet = TENHOU,
    hands: int = 8,
    *,
    wall: Callable[[RuleSet, Random], bytes] = random_wall,
    start: Callable[[Random, Table], tuple[Event, ...]] | None = None,
    tempers: Sequence[Temper] = (),
) -> Iterator[Step]:
    """Play one game of at most `hands` hands. Yield for each command the table before it, the
    command and its events. `start` may return events that deal the first hand instead of
    `DealHand`; `wall` makes the walls."""
    table = Table()
    tempers = tempers or [chance.choice(TEMPERS) for _ in range(4)]
    command: Command = StartGame(
        rules=rules, names=NAMES[: rules.players], seed=chance.randbytes(32)
    )
    dealt = 0
    while True:
        verdict = decide(table, command)
        assert isinstance(verdict, Accepted), f"{command} was possible, then: {verdict}"
        yield table, command, verdict.events
        for event in verdict.events:
            table = evolve(table, event)
        if table.phase == Phase.ENDED or (table.phase == Phase.RESULT and dealt == hands):
            return
        if start is not None and table.phase == Phase.IDLE:
            events = start(chance, table)
            yield table, DealHand(), events
            for event in events:
                table = evolve(table, event)
            dealt += 1
        if is_hand_due(table):
            command = DealHand(wall(table.rules, chance))
        else:
            command = _next_command(table, tempers, chance)
        dealt += isinstance(command, DealHand)


def is_hand_due(table: Table) -> bool:
    """Return whether the next hand can be dealt."""
    return table.phase == Phase.IDLE or (table.phase == Phase.RESULT and not pending_seats(table))


def _next_command(table: Table, tempers: Sequence[Temper], chance: Random) -> Command:
    owing = pending_seats(table)
    if not owing:
        return Proceed(table.step)
    if chance.random() < 0.01:
        return Timeout(table.step, owing)
    seat = chance.choice(owing)
    errs = table.rules.false_declarations and chance.random() < 0.05
    options = choices(table, seat) if errs else legal(table, seat)
    return Act(seat, table.step, tempers[seat](table, seat, options, chance))
