"""Plays a position on to the end of the hand: a pure fold of position, seed and own moves.

Owns how a move is written, and what happens between two moves of one's own: the bots answer. The
unseen tiles are drawn from the seed (`game.puzzles.playouts.redrawn`), or come with a whole table.
Nothing is stored: the same position, seed and moves give the same line. Playing a whole hand takes
some 20 ms of a processor.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from game.bots import bot_named
from game.engine.actions import (
    Action,
    CallChi,
    CallKan,
    CallPon,
    DeclareAnkan,
    DeclareKakan,
    DeclareRiichi,
    Discard,
    SetNorthAside,
)
from game.engine.commands import Act, Command, Proceed
from game.engine.events import Event
from game.engine.legal import legal, pending_seats
from game.engine.perspective import view
from game.engine.state import Phase, Table
from game.engine.tiles import tile_to_text
from game.puzzles.playouts import after_command, redrawn

MAX_MOVES: Final = 60
"""Own moves in a line. A hand has at most 18 draws of a seat, and answers to open tiles."""
_PLAYER: Final = "careful"
"""The bot that plays the other seats."""
_MAX_STEPS: Final = 500
_OVER: Final = (Phase.RESULT, Phase.ENDED)


class NoSuchMove(ValueError):
    """The seat cannot make this move."""


class Line(NamedTuple):
    """A position that was played on, up to the next move of one's own or the end of the hand."""

    table: Table
    """The whole table. Show only its view until the hand is over."""
    events: tuple[Event, ...]
    """What happened since the last own move, that move first; with hidden tiles."""
    moves: tuple[Action, ...]
    """What the seat can do now; empty once the hand is over."""

    @property
    def is_over(self) -> bool:
        """Whether the hand is over."""
        return not self.moves


def move_text(action: Action) -> str:
    """Return how a move is written in addresses and files: ``discard-5m``, ``chi-3p-4p``."""
    match action:
        case Discard(pai=pai, tsumogiri=tsumogiri):
            return _joined("drawn" if tsumogiri else "discard", pai)
        case DeclareRiichi(pai=pai, tsumogiri=tsumogiri):
            return _joined("riichi-drawn" if tsumogiri else "riichi", pai)
        case CallChi(consumed=consumed):
            return _joined("chi", *consumed)
        case CallPon(consumed=consumed):
            return _joined("pon", *consumed)
        case CallKan(consumed=consumed) | DeclareAnkan(consumed=consumed):
            return _joined("kan", *consumed)
        case DeclareKakan(pai=pai):
            return _joined("kan", pai)
        case SetNorthAside():
            return "north"
        case _:
            return type(action).__name__.lower()


def _joined(name: str, *tiles: int) -> str:
    return "-".join([name, *map(tile_to_text, tiles)])


def play_on(seen: Table, seat: int, seed: int, moves: Sequence[str]) -> Line:
    """Draw what the seat does not see in `seen`, its view, from the seed, and play these moves of
    the seat. Raises NoHand if nothing can be drawn, and NoSuchMove."""
    return play_from(redrawn(seen, seat, Random(f"{seed}:tiles")), seat, seed, moves)


def play_from(table: Table, seat: int, seed: int, moves: Sequence[str]) -> Line:
    """Play these moves of the seat from a whole table on. The seed is that of the bots. Raises
    NoSuchMove."""
    if len(moves) > MAX_MOVES:
        raise NoSuchMove(f"more than {MAX_MOVES} moves")
    line = _until_asked(table, seat, seed, ())
    for move in moves:
        action = next((each for each in line.moves if move_text(each) == move), None)
        if action is None:
            raise NoSuchMove(move)
        table, events = after_command(line.table, Act(seat, line.table.step, action))
        line = _until_asked(table, seat, seed, events)
    return line


def _until_asked(table: Table, seat: int, seed: int, events: tuple[Event, ...]) -> Line:
    """Let the bots play until the seat has more than one possible move, or the hand is over."""
    for _ in range(_MAX_STEPS):
        if table.phase in _OVER:
            return Line(table, events, ())
        waiting = pending_seats(table)
        command: Command = Proceed(table.step)
        if seat in waiting:
            moves = legal(view(table, seat), seat)
            if len(moves) > 1 and table.phase != Phase.SHOWING:
                return Line(table, events, moves)
            command = Act(seat, table.step, moves[0])
        elif waiting:
            asked = waiting[0]
            seen = view(table, asked)
            rng = Random(f"{seed}:{table.step}:{asked}")
            choice = bot_named(_PLAYER).choose(seen, asked, legal(seen, asked), rng)
            command = Act(asked, table.step, choice)
        table, happened = after_command(table, command)
        events += happened
    raise ValueError(f"the hand does not end: {table}")
