"""Plays a game at random and writes down what a client is told of it.

    python -m tests.kit.export_js_fixtures DIRECTORY [--seed N] [--hands N]

One file for each audience (four seats and a watcher): the view before the first hand, then
every frame with its events and the view after each of them. The client's reducer has to
come to the same views (`tests/js/replay.js`).
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from game.engine.actions import Discard, Pass
from game.engine.commands import Act, Command, DealHand, Proceed, StartGame
from game.engine.decide import Accepted, decide
from game.engine.events import Event
from game.engine.evolve import evolve
from game.engine.furiten import is_furiten
from game.engine.legal import legal, pending
from game.engine.perspective import WATCHER, redact, view
from game.engine.rules import TENHOU
from game.engine.state import SEATS, Phase, Table
from game.wire import written

AUDIENCES: Final = (*SEATS, WATCHER)
NAMES: Final = ("Anna", "Berta", "Clara", "Dora")
_DULL: Final = (Discard, Pass)


def write(directory: Path, *, seed: int, hands: int) -> None:
    """Play `hands` hands and write a file for each audience."""
    steps = list(_played(seed, hands))
    for audience in AUDIENCES:
        story = _story(steps, audience)
        path = directory / f"game-{seed}-{'watcher' if audience == WATCHER else audience}.json"
        path.write_text(json.dumps(story, separators=(",", ":")), encoding="utf-8")


def _played(seed: int, hands: int) -> Iterator[tuple[Table, tuple[Event, ...]]]:
    """The table before each command, with the events of the command."""
    chance = random.Random(seed)
    table = Table()
    start = StartGame(rules=TENHOU, names=NAMES, seed=chance.randbytes(32))
    command: Command = start
    while table.phase != Phase.ENDED and table.hands_dealt <= hands:
        verdict = decide(table, command)
        if not isinstance(verdict, Accepted):
            raise AssertionError(f"{command} was listed as legal, then: {verdict}")
        yield table, tuple(verdict.events)
        for event in verdict.events:
            table = evolve(table, event)
        command = _next(table, chance)


def _next(table: Table, chance: random.Random) -> Command:
    if table.phase == Phase.IDLE:
        return DealHand()
    asked = pending(table)
    if not asked:
        return Proceed(table.step)
    seat = chance.choice(list(asked))
    choices = list(legal(table, seat))
    lively = [choice for choice in choices if not isinstance(choice, _DULL)]
    wanted = lively if lively and chance.random() < 0.6 else choices
    return Act(seat, table.step, chance.choice(wanted))


def _story(steps: list[tuple[Table, tuple[Event, ...]]], audience: int) -> dict[str, Any]:
    frames: list[list[dict[str, Any]]] = []
    for table, events in steps:
        frame: list[dict[str, Any]] = []
        for event in events:
            table = evolve(table, event)
            shown = redact(event, audience)
            if shown is not None:
                after = _written(table, audience)
                frame.append({"event": _plain(written.event(shown)), "view": after})
        frames.append(frame)
    seat = None if audience == WATCHER else audience
    return {"you": seat, "start": _written(steps[0][0], audience), "frames": frames}


def _written(table: Table, audience: int) -> Any:
    seen = view(table, audience)
    furiten = audience if audience in SEATS and is_furiten(seen, audience) else None
    return _plain(written.table(seen, [False] * 4, furiten))


def _plain(value: dict[str, Any]) -> Any:
    return json.loads(msgspec.json.encode(value))


def main() -> None:
    parser = argparse.ArgumentParser(description="Write fixtures for the client's tests.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hands", type=int, default=4)
    options = parser.parse_args()
    write(options.directory, seed=options.seed, hands=options.hands)


if __name__ == "__main__":
    main()
