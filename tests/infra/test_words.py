"""The words of the languages are made from their catalogues when they are missing or old."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import words


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the root of a tree with the sources alone, in which words are made."""
    for path in (words.CLIENT_ENGLISH, *map(words.po_path, words.LANGUAGES)):
        target = tmp_path / path.relative_to(words.ROOT)
        target.parent.mkdir(parents=True)
        target.write_bytes(path.read_bytes())
    for name in ("CLIENT_ENGLISH", "TABLE_WORDS", "_MADE_FROM"):
        place = getattr(words, name).relative_to(words.ROOT)
        monkeypatch.setattr(words, name, tmp_path / place)
    monkeypatch.setattr(words, "ROOT", tmp_path)
    return tmp_path


def test_missing_damaged_and_old_words_are_made_again(copy: Path) -> None:
    assert words.main() == 0
    made = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()}
    assert len(made) == 3 + 2 * 2 + 2
    script = copy / "static" / "js" / "table" / "names" / "ja.js"
    script.unlink()
    (copy / "game" / "results" / "table_words.json").write_text("{}")
    words.main()
    assert {path: path.read_bytes() for path in made} == made
    po = words.po_path("ja")
    po.write_text(po.read_text(encoding="utf-8").replace("ドラ", "どら"), encoding="utf-8")
    words.main()
    assert script.read_bytes() != made[script]
