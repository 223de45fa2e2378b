"""Perft: counts in how many ways a hand can continue from a position, move by move.

A *move* is an action of one seat. Draws are not moves, because they follow from the wall. Seats
that are asked at the same time answer in turn, from the seat after the owner of the tile; a seat
whose answer no longer matters makes no move. The leaves are the lines of exactly `depth` moves, and
shorter lines that end the hand.

A changed count shows that legality has changed; the counts by first move (`count_by_first_move`)
show where. This module owns the counting and some positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from game.engine.actions import Action
from game.engine.commands import Act, Command, DealHand, Proceed, StartGame
from game.engine.decide import Accepted, decide
from game.engine.evolve import evolve
from game.engine.legal import legal, pending_seats
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Phase, Table
from game.engine.tiles import tile_to_text
from game.engine.wall import (
    LAYOUTS,
    SEED_BYTES,
    dealt_tiles,
    live_tile,
    replacement_tile,
    shuffled_wall,
)
from tests.kit.tables import tiles

_PLAYED: Final = (Phase.TURN, Phase.CLAIMS, Phase.SHOWING)
_NAMES: Final = ("East", "South", "West", "North")


class PerftPosition(NamedTuple):
    """A hand that was just dealt. Tiles that are not named are shuffled by `seed`."""

    about: str
    hands: tuple[str, ...] = ()
    """By seat, the dealer first, as in ``123m0p7sEEP``: 0 is a red five, PFC are haku, hatsu and
    chun."""
    draws: str = ""
    """The first draws, from the dealer's first draw on."""
    replacements: str = ""
    seed: int = 0


POSITIONS: Final[dict[str, PerftPosition]] = {
    "deal": PerftPosition("an ordinary deal, nothing staged", seed=7),
    "calls": PerftPosition(
        "East draws 4m, with which South has three runs, West a pon and a kan",
        ("169m258p369sESWN", "23556m27p148sWNP", "444m158p269sESFC", "139m47p258sEWNPC"),
        "4m 9p 1s 7s",
    ),
    "kans": PerftPosition(
        "East and South hold closed kans, East draws a second; West may call 6s",
        ("111m999s47p25sEPF", "888p35m47sSSWNFC", "66s47m2359pESWPP", "258m147p38sWNPFC"),
        "1m 8p 9m 6s",
        "9s 2m",
    ),
    "riichi": PerftPosition(
        "three hands that are ready, waiting for the same tiles",
        ("234567m345p67s99s", "234678m456p67s11s", "345m123789p67s22p", "EEWWNNFF19m19p1s"),
        "P F C S 8s",
    ),
    "orphans": PerftPosition(
        "nine kinds to abort with, thirteen orphans to win with",
        ("19m19p19sESWNPFC", "119m19p19sESWNPF", "258m258p258s1347m", "369m369p369s14pFC"),
        "9s C",
    ),
}


def open_position(position: PerftPosition, rules: RuleSet = TENHOU) -> Table:
    """Return the table at that position. Raises ``ValueError`` if the rules have fewer of a tile
    than the position names."""
    table = Table()
    seed = position.seed.to_bytes(SEED_BYTES, "big")
    table = _table_after(table, StartGame(rules, _NAMES[: rules.players], seed))
    return _table_after(table, DealHand(_wall(position, rules, shuffled_wall(rules, seed, 0))))


def _wall(position: PerftPosition, rules: RuleSet, shuffled_wall: bytes) -> bytes:
    """Return the shuffled wall, with the position's tiles swapped to their places."""
    places = bytes(range(len(shuffled_wall)))
    wanted: dict[int, int] = {}
    for seat, hand in enumerate(position.hands):
        wanted.update(zip(dealt_tiles(places, seat), tiles(hand), strict=True))
    for number, tile in enumerate(tiles(position.draws)):
        wanted[live_tile(places, LAYOUTS[rules.players].live - number, 0)] = tile
    for number, tile in enumerate(tiles(position.replacements)):
        wanted[replacement_tile(places, number)] = tile
    wall = list(shuffled_wall)
    settled: set[int] = set()
    for place, tile in wanted.items():
        free = (at for at in places if at not in settled and wall[at] == tile)
        source = place if wall[place] == tile else next(free, None)
        if source is None:
            raise ValueError(f"these rules have too few of {tile_to_text(tile)}")
        wall[place], wall[source] = wall[source], wall[place]
        settled.add(place)
    return bytes(wall)


def perft(table: Table, depth: int) -> int:
    """Count the leaves below the table."""
    if depth == 0 or table.phase not in _PLAYED:
        return 1
    return sum(perft(after, depth - 1) for _, _, after in next_moves(table))


def count_by_first_move(table: Table, depth: int) -> dict[str, int]:
    """Count the leaves below each first move, in the order of the legal actions."""
    return {
        move_text(seat, action): perft(after, depth - 1)
        for seat, action, after in next_moves(table)
    }


def next_moves(table: Table) -> Iterator[tuple[int, Action, Table]]:
    """Yield each next move as seat, action, and the table at which a seat is asked again."""
    seat = _next_asked(table)
    for action in legal(table, seat):
        yield seat, action, proceed_until_asked(_table_after(table, Act(seat, table.step, action)))


def _next_asked(table: Table) -> int:
    """Return the first seat with an open question, counted from the one after `Table.turn`."""
    return min(pending_seats(table), key=lambda seat: (seat - table.turn - 1) % len(table.seats))


def proceed_until_asked(table: Table) -> Table:
    """Continue until a seat is asked or the hand is over."""
    while table.phase in _PLAYED and not pending_seats(table):
        table = _table_after(table, Proceed(table.step))
    return table


def move_text(seat: int, action: Action) -> str:
    """Return a move in mjai's notation, such as ``1 chi 2m 3m``; ``*`` marks a discard of the drawn
    tile."""
    words = [str(seat), str(type(action).__struct_config__.tag)]
    for value in msgspec.structs.astuple(action):
        if isinstance(value, bool):
            words += ["*"] * value
        elif isinstance(value, tuple):
            words += map(tile_to_text, value)
        else:
            words.append(tile_to_text(value))
    return " ".join(words)


def _table_after(table: Table, command: Command) -> Table:
    verdict = decide(table, command)
    if not isinstance(verdict, Accepted):
        raise ValueError(f"{command} is not accepted: {verdict}")
    for event in verdict.events:
        table = evolve(table, event)
    return table
