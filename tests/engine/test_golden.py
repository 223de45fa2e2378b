"""Golden games play line by line as their files say.

``GOLDEN=write pytest tests/engine/test_golden.py`` writes the transcripts again. Compare each
change with the ruling in the file before you keep it.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import pytest

from game.engine.state import Phase
from tests.kit.golden import GoldenGame, Scene, play_scene, read_game, write_transcripts

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))
IS_WRITING = os.environ.get("GOLDEN") == "write"
PLAYED_BY_PRESETS = {"T13", "T16", "T17", "T20", "T31", "T38", "T40", "T47", "T54"}
"""Rulings in which known rule sets differ, so that at least two of them have to be played."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_plays_as_written(path: Path) -> None:
    game = read_game(path)
    assert game.rule, "a golden game names the rules that it is about"
    assert game.scenes, "a golden game says under which rules it is played"
    transcripts = []
    for scene in game.scenes:
        play, transcript = play_scene(game, scene)
        held = sum(play.table.scores) + 1000 * play.table.kyotaku
        if play.table.phase != Phase.ENDED:
            assert held == _held_at_first(game, scene), f"points get lost under {scene.under}"
        transcripts.append(transcript)
        if not IS_WRITING and transcript != scene.transcript:
            pytest.fail(_difference(scene, transcript), pytrace=False)
    if IS_WRITING:
        write_transcripts(path, transcripts)


def _held_at_first(game: GoldenGame, scene: Scene) -> int:
    play, _ = play_scene(game, scene._replace(moves=()))
    return sum(play.table.scores) + 1000 * play.table.kyotaku


def _difference(scene: Scene, transcript: str) -> str:
    lines = difflib.unified_diff(
        scene.transcript.splitlines(),
        transcript.splitlines(),
        "written",
        "played",
        n=4,
        lineterm="",
    )
    return "\n".join([f"under {scene.under}:", *lines])


def test_tricky_rules_have_golden_games() -> None:
    assert len(FILES) >= 40
    titles = [read_game(path).title for path in FILES]
    assert len(set(titles)) == len(titles)


def test_disputed_golden_games_are_played_under_several_rules() -> None:
    scenes: dict[str, set[str]] = {}
    for path in FILES:
        game = read_game(path)
        for rule in game.rule:
            scenes.setdefault(rule, set()).update(scene.transcript for scene in game.scenes)
    assert [rule for rule in sorted(PLAYED_BY_PRESETS) if len(scenes.get(rule, ())) < 2] == []


def test_changed_line_is_shown_with_context() -> None:
    game = read_game(FILES[0])
    scene = game.scenes[0]
    lines = scene.transcript.splitlines()
    changed = scene._replace(transcript="\n".join(["nothing of the kind", *lines[1:]]))
    difference = _difference(changed, scene.transcript)
    assert "-nothing of the kind" in difference
    assert f"+{lines[0]}" in difference
