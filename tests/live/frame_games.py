"""Random games, and rooms from which frames of a table are written."""

from __future__ import annotations

from random import Random
from typing import Any

from bench.bots.games import BotGame, play_on, start_game
from game.engine.clock import Clock, ClockSettings
from game.engine.state import Phase, Table
from game.tables.room import Room, SeatMeta, TableId, TableMeta

USUAL = ClockSettings()
NOT_RUNNING = Clock()


SEAT_METAS = (
    SeatMeta("Anna"),
    SeatMeta("Ben", bot="sensible"),
    SeatMeta("Cleo", bot="tsumogiri"),
    SeatMeta("Dan"),
)


def room_of(
    table: Table, clock: Clock = NOT_RUNNING, settings: ClockSettings = USUAL, *, seq: int = 0
) -> Room:
    """Return a room with that table in which every viewer has been sent `seq` events."""
    meta = TableMeta(SEAT_METAS, settings, opened_at=0)
    return Room(TableId("a"), meta, table=table, clock=clock, seqs=(seq, seq, seq, seq, seq))


def choose_at_random(table: Table, seat: int, actions: tuple[Any, ...], rng: Random) -> Any:
    """Return a call, kan, riichi or win in most cases in which there is one, so that games have
    many of them."""
    calls = [action for action in actions if type(action).__name__ not in ("Discard", "Pass")]
    if calls and rng.random() < 0.6:
        return rng.choice(calls)
    return rng.choice(actions)


def play_game(seed: int, most_steps: int = 400) -> BotGame:
    game = start_game(seed)
    rng = Random(seed)
    for _ in range(most_steps):
        if game.table.phase == Phase.ENDED:
            break
        play_on(game, [choose_at_random] * 4, rng)
    return game
