"""The client's reducer comes to the same view as the engine after every event."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final, get_args

import pytest

from game.engine.events import Event
from tests.kit import export_js_fixtures

HERE = Path(__file__).parent
SEEDS: Final = (*range(12), 13)
"""The games of the fixtures; the last two are of three players."""
HANDS: Final = 2


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_client_reduces_games_like_the_engine(tmp_path: Path) -> None:
    for seed in SEEDS:
        export_js_fixtures.write(tmp_path, seed=seed, hands=HANDS)
    files = sorted(str(path) for path in tmp_path.glob("*.json"))
    assert len(files) == 5 * len(SEEDS) - 2
    done = subprocess.run(
        ["node", str(HERE / "replay.js"), *files], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:6000]


def test_games_contain_every_event() -> None:
    games = [
        event
        for seed in SEEDS
        for _, events in export_js_fixtures.play_commits(seed, HANDS)
        for event in events
    ]
    assert {type(event) for event in games} == set(get_args(Event))
