"""The steps of a replay agree with the engine, forward and back.

`ALL_REPLAYS=1` steps through every recorded game that is available, and through 200 games of bots.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.kit import replay_states

HERE: Final = Path(__file__).parent
ALL: Final = bool(os.environ.get("ALL_REPLAYS"))
BOT_GAMES: Final = 200 if ALL else 11
EVERY: Final = 1 if ALL else 25
"""One record out of this number is replayed."""
NEEDS_NODE: Final = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
pytestmark = pytest.mark.timeout(3_600 if ALL else 600)


def step_through(files: list[Path]) -> str:
    command = ["node", str(HERE / "replay_steps.js"), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:6000]
    return done.stdout


@NEEDS_NODE
def test_steps_of_bot_games_equal_the_engine(tmp_path: Path) -> None:
    files = [tmp_path / f"{seed}.json" for seed in range(BOT_GAMES)]
    states = [
        replay_states.write_states(path, replay_states.bot_game(seed, 99 if ALL else 2))
        for seed, path in enumerate(files)
    ]
    print(len(files), "games,", sum(states), "states:", step_through(files))


@NEEDS_NODE
@pytest.mark.skipif(not replay_states.RECORDS.is_dir(), reason="needs recorded games")
def test_steps_of_recorded_games_equal_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, states = list[Path](), 0
    for number, record in enumerate(sorted(replay_states.record_files())[::EVERY]):
        files.append(tmp_path / f"{number}.json")
        states += replay_states.write_states(
            files[-1], replay_states.recorded_game(record, monkeypatch)
        )
    print(len(files), "games,", states, "states:", step_through(files))
