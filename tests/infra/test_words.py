"""The words of the languages are made from their catalogues when they are missing or old."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.processes import environment
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
    assert len(made) == 3 + 3 * len(words.LANGUAGES)
    script = copy / "static" / "js" / "table" / "names" / "ja.js"
    script.unlink()
    (copy / "game" / "results" / "table_words.json").write_text("{}")
    words.main()
    assert {path: path.read_bytes() for path in made} == made
    po = words.po_path("ja")
    po.write_text(po.read_text(encoding="utf-8").replace("ドラ", "どら"), encoding="utf-8")
    words.main()
    assert script.read_bytes() != made[script]


def test_a_clean_copy_has_all_that_the_site_needs(tmp_path: Path) -> None:
    """What the image copies, without what git ignores, and one step: `tools.bundle`. Therefore the
    site needs neither tests nor measures."""
    for recipe in ("run", "serve"):
        steps = subprocess.run(
            ["make", "-n", "--no-print-directory", recipe],
            cwd=words.ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert steps.stdout.splitlines()[0].endswith("tools/bootstrap.py -m tools.bundle")
    copy = tmp_path / "copy"
    copy.mkdir()
    image = (words.ROOT / "deploy" / "Dockerfile").read_text()
    for name in re.findall(r"^COPY (\w+) \1$", image, re.MULTILINE):
        shutil.copytree(words.ROOT / name, copy / name, ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copy(words.ROOT / "manage.py", copy)
    for pattern in (words.ROOT / ".gitignore").read_text().splitlines():
        for made in copy.glob(pattern.strip("/")) if pattern.startswith("/") else ():
            made.unlink()
    (copy / ".venv").symlink_to(words.ROOT / ".venv")  # esbuild is there

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        env = environment(tmp_path, PYTHONDONTWRITEBYTECODE="1")
        return subprocess.run(
            [sys.executable, *arguments], cwd=copy, env=env, capture_output=True, text=True
        )

    refused = run("manage.py", "check")
    assert "Make it: python -m tools.bundle" in refused.stderr
    assert run("-m", "tools.bundle", "--required").returncode == 0
    checked = run("manage.py", "check")
    assert checked.returncode == 0, checked.stderr
    names = [f"game/results/{words.TABLE_WORDS.name}"]
    for language in words.LANGUAGES:
        names += [
            f"locale/{language}/LC_MESSAGES/django.mo",
            f"static/js/table/names/{language}.js",
        ]
    for name in names:
        assert (copy / name).read_bytes() == (words.ROOT / name).read_bytes()
