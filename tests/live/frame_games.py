"""Random games, and as much of a room as a frame needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from game.engine.clock import Clock, ClockSettings
from game.engine.state import Phase, Table
from tests.kit.driver import Game, play_on, start_game

USUAL = ClockSettings()
NOT_RUNNING = Clock()


@dataclass(frozen=True)
class Seat:
    bot: str = ""
    name: str = "Anna"
    person: str = ""


@dataclass(frozen=True)
class Meta:
    seats: tuple[Seat, ...] = (Seat(), Seat("sensible"), Seat("tsumogiri"), Seat())
    clock: ClockSettings = USUAL
    help: bool = True
    watch_delay_s: int = 0
    opens_after: Literal["hand", "game"] = "hand"


@dataclass(frozen=True)
class Room:
    """As much of a room as a frame needs."""

    table: Table
    clock: Clock = NOT_RUNNING
    meta: Meta = field(default_factory=Meta)
    shown: int = 0
    at: int = 1_790_000_001_000
    votes: tuple[str, ...] = ("", "", "", "")
    notice: str = ""

    def seq(self, audience: int) -> int:
        return self.shown


def lively(table: Table, seat: int, actions: tuple[Any, ...], rng: Random) -> Any:
    """Calls and riichi now and then, so that much happens."""
    bold = [action for action in actions if type(action).__name__ not in ("Discard", "Pass")]
    if bold and rng.random() < 0.6:
        return rng.choice(bold)
    return rng.choice(actions)


def play_game(seed: int, most_steps: int = 400) -> Game:
    game = start_game(seed)
    rng = Random(seed)
    for _ in range(most_steps):
        if game.table.phase == Phase.ENDED:
            break
        play_on(game, [lively] * 4, rng)
    return game
