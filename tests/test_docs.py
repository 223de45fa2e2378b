"""Modules that the pages of docs/ name exist, and so do the targets of their links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_modules_that_the_pages_name_exist() -> None:
    named = 0
    for page in (ROOT / "docs").glob("*.md"):
        for path in re.findall(
            r"`((?:\w+/)+\w+\.(?:py|js|lua))`", page.read_text(encoding="utf-8")
        ):
            roots = ("", "game", "lobby", "static/js", "tests")
            assert any((ROOT / root / path).is_file() for root in roots), f"{page.name}: {path}"
            named += 1
    assert named > 50


def test_the_layout_names_every_package() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    layout = text.partition("\n## Layout\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"^\| `(\S+)/` \|", layout, re.MULTILINE))
    found = set()
    for top in ("game", "lobby", "mahjong_site"):
        for path in (ROOT / top).iterdir():
            if path.name not in ("__pycache__", "migrations") and any(path.rglob("*.py")):
                found.add(path.relative_to(ROOT).as_posix().removeprefix("game/"))
    assert found <= named


PAGES = [
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "game/engine/README.md")),
]


def anchors(page: Path) -> set[str]:
    """Return the anchors of the page: those that GitHub makes of headings, and written ones."""
    text = page.read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    return made | set(re.findall(r'<a id="([^"]+)"', text))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^):]*))?\)", text):
        linked = page.parent / target if target else page
        assert linked.exists(), f"{page.name} links to {target}"
        if anchor:
            assert anchor in anchors(linked), f"{page.name} links to {target}#{anchor}"
