"""Plays a random game and writes the frames of its clients to files.

python -m tests.kit.export_js_fixtures DIRECTORY [--seed N] [--hands N]

The program writes a file for each viewer (all seats and a spectator). The file has the view before
the first hand, then every frame. For a frame it has the events, in full and in the form of frames;
the view after each event; and for a seat the legal actions after the frame, in full and in the
short form. `tests/js/replay.js` checks that the client computes the same events, views and lists.
Each seed plays by the rules of another preset; sometimes a player goes away and comes back, or the
game is restored.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from game.engine.events import (
    AwayChanged,
    Event,
    GameRestored,
    LastHandCalled,
    WallBound,
    WallCommitted,
    WallDrawOpened,
    WallRevealed,
    WallSeeded,
    WallVoided,
)
from game.engine.evolve import evolve
from game.engine.furiten import is_furiten
from game.engine.legal import choices
from game.engine.perspective import SPECTATOR, redact, view
from game.engine.presets import PRESETS, preset
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import SEATS, Table
from game.engine.tiles import NO_TILE
from game.live import encoding
from game.live.outbound import shorten
from tests.kit.random_games import play_random_game

VIEWERS: Final = (*SEATS, SPECTATOR)
THREE_PLAYER_RULES: Final = {
    11: preset("tenhou-3"),
    13: replace(preset("tenhou-3"), name="own", nuki_interrupts=False),
}
"""The rules of games of three players, by seed."""
ENDING: Final = 0
"""The seed of a game with so few points that the game ends early."""
_MEAN_STEPS_TO_AWAY: Final = 40
"""On average, one in this number of commands is followed by a short absence of a player."""

_ZEROS: Final = bytes(32)
_WALL_DRAW: Final = (
    WallDrawOpened(1, (0, 1)),
    WallCommitted(0, _ZEROS),
    WallBound((_ZEROS, b"", b"", b""), _ZEROS, _ZEROS),
    WallRevealed(0, _ZEROS),
    WallVoided((1,)),
    WallSeeded(_ZEROS, ()),
)
"""Events that can be sent to a client at any table."""

Commit = tuple[Table, tuple[Event, ...]]
"""The table before a commit, and the events of the commit."""


def rules_of(seed: int) -> RuleSet:
    """Return the rules of the game with that seed."""
    if seed == ENDING:
        return replace(TENHOU, start_points=1_000, return_points=1_000, goal_points=1_000, oka=0)
    if seed in THREE_PLAYER_RULES:
        return THREE_PLAYER_RULES[seed]
    presets = sorted(PRESETS)
    return PRESETS[presets[seed % len(presets)]]


def play_commits(seed: int, hands: int) -> Iterator[Commit]:
    """Play the game with that seed for at most `hands` hands. Yield for each commit the table after
    it and its events."""
    chance = Random(seed)
    for table, _, events in play_random_game(Random(seed), rules_of(seed), hands):
        if chance.randrange(_MEAN_STEPS_TO_AWAY) == 0:
            seat = chance.randrange(len(table.seats))
            yield table, (AwayChanged(seat, True), AwayChanged(seat, False))
            yield table, (GameRestored(table.seed),)
            yield table, (LastHandCalled(),)
            if len(table.seats) == len(SEATS):
                yield table, _WALL_DRAW
        yield table, events


def write(directory: Path, *, seed: int, hands: int) -> None:
    """Play at most `hands` hands and write a file for each viewer."""
    players = rules_of(seed).players
    # Clients of a table of three get its first picture after the game has started.
    steps = [step for step in play_commits(seed, hands) if len(step[0].scores) == players]
    for viewer in (seat for seat in VIEWERS if seat < players):
        path = directory / f"game-{seed}-{'watcher' if viewer == SPECTATOR else viewer}.json"
        path.write_bytes(msgspec.json.encode(_record_viewer(steps, viewer)))


def _record_viewer(steps: list[Commit], viewer: int) -> dict[str, Any]:
    frames: list[list[dict[str, Any]]] = []
    for table, events in steps:
        frame: list[dict[str, Any]] = []
        for event in events:
            table = evolve(table, event)
            shown = redact(event, viewer)
            if shown is not None:
                frame.append(
                    {
                        "event": encoding.encode_event(shown),
                        "sent": encoding.encode_short_event(shown),
                        "view": _encode_view(table, viewer),
                    }
                )
        if frame and viewer in SEATS:
            seen = view(table, viewer)
            actions = choices(seen, viewer)
            drawn = seen.drawn if seen.turn == viewer else NO_TILE
            frame[-1]["legal"] = [encoding.encode_action(action) for action in actions]
            frame[-1]["sent_legal"] = shorten(actions, seen.hands[viewer].tiles, drawn)
        frames.append(frame)
    seat = None if viewer == SPECTATOR else viewer
    return {"you": seat, "start": _encode_view(steps[0][0], viewer), "frames": frames}


def _encode_view(table: Table, viewer: int) -> dict[str, Any]:
    seen = view(table, viewer)
    furiten = viewer if viewer in SEATS and is_furiten(seen, viewer) else None
    return encoding.encode_table(seen, list(seen.names), [False] * len(seen.names), furiten)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write fixtures for the client's tests.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hands", type=int, default=4)
    options = parser.parse_args()
    write(options.directory, seed=options.seed, hands=options.hands)


if __name__ == "__main__":
    main()
