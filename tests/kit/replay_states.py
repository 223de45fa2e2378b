"""Writes the scripts of replays together with the engine's state after each event, to test how the
page steps through replays.

A state is written as a hash of JSON with sorted keys, because the views of many games would fill
the disk.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import msgspec
import pytest

from game.engine.events import Event
from game.engine.evolve import evolve
from game.engine.perspective import OPEN_SPECTATOR, view
from game.engine.presets import PRESETS
from game.engine.state import Table
from game.live import encoding
from game.records import replay
from game.records.reading import read_recorded_game, record_paths
from game.records.recorded import BadHand
from game.results.replay_script import is_shown, replay_script
from tests.kit.random_games import NAMES, play_random_game

RECORDS: Final = Path(__file__).resolve().parents[2].parent / "shared" / "records"


def write_states(path: Path, events: list[Event]) -> int:
    """Write the script of these events and the hash of each state. Return the number of states."""
    script = replay_script(events, NAMES, write=encoding.encode_event)
    table, states = Table(), list[str]()
    for event in events:
        table = evolve(table, event)
        if is_shown(event):
            states.append("")
        states[-1] = _hash(table)
    content = {"script": msgspec.to_builtins(script), "states": states}
    path.write_bytes(msgspec.json.encode(content))
    return len(states)


def bot_game(seed: int, hands: int = 2) -> list[Event]:
    """Play a game of bots and return its events. Each seed uses the rules of another preset."""
    presets = sorted(PRESETS)
    rules = PRESETS[presets[seed % len(presets)]]
    return [
        event for _, _, events in play_random_game(Random(seed), rules, hands) for event in events
    ]


def recorded_game(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """Replay a recorded game and return the engine's events."""
    events: list[Event] = []

    def evolve_and_keep(table: Table, event: Event) -> Table:
        events.append(event)
        return evolve(table, event)

    with monkeypatch.context() as patch:
        patch.setattr(replay, "evolve", evolve_and_keep)
        game = read_recorded_game(path.read_bytes())
        replayed = replay.Replay(game, game.rules)
        for hand in game.hands:
            if not isinstance(hand, BadHand):
                replayed.play(hand)
    return events


def record_files() -> Iterator[Path]:
    """Yield the paths of all recorded games that are on this machine."""
    yield from record_paths([RECORDS])


def _hash(table: Table) -> str:
    written = encoding.encode_table(view(table, OPEN_SPECTATOR), list(NAMES), [False] * 4, None)
    for name in ("placement", "bonus"):
        written[name] = [[_javascript_number(item) for item in row] for row in written[name]]
    text = json.dumps(written, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


def _javascript_number(number: float) -> float:
    """Return the number as JavaScript writes it: 12 instead of 12.0."""
    return int(number) if float(number).is_integer() else number
