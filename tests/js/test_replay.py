"""The client's reducer against the engine: the same views, event for event."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.kit import export_js_fixtures

HERE = Path(__file__).parent


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("seed", range(1, 7))
def test_the_client_folds_a_game_as_the_engine_does(seed: int, tmp_path: Path) -> None:
    export_js_fixtures.write(tmp_path, seed=seed, hands=6)
    files = sorted(str(path) for path in tmp_path.glob("*.json"))
    assert len(files) == 5
    done = subprocess.run(
        ["node", str(HERE / "replay.js"), *files], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:6000]
