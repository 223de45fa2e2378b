"""The positions that the gallery shows are those that the engine reaches."""

from __future__ import annotations

from tests.kit.gallery_positions import FILE, module_lines


def test_gallery_shows_what_the_engine_reaches() -> None:
    """After a change of the engine or of a scene: ``python -m tests.kit.gallery_positions``."""
    assert FILE.read_text(encoding="utf-8").splitlines() == list(module_lines())
