"""`docs/modules.md` lists all modules; links between pages exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools import architecture

ROOT = Path(__file__).resolve().parent.parent


def test_list_of_modules_is_up_to_date() -> None:
    page = architecture.PAGE.read_text(encoding="utf-8")
    assert page == architecture.generated(page), "run `make docs`"


def test_a_new_module_makes_the_page_out_of_date() -> None:
    page = architecture.PAGE.read_text(encoding="utf-8")
    assert architecture.generated(page.replace("| `decide.py` |", "| `gone.py` |")) == page


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


def test_page_on_performance_has_at_most_120_lines() -> None:
    """The page has the measurements and current figures; their history belongs to the decisions."""
    page = ROOT / "docs" / "performance.md"
    assert len(page.read_text(encoding="utf-8").splitlines()) <= 120


def test_each_decision_has_the_usual_sections() -> None:
    for page in (ROOT / "docs" / "adr").glob("*.md"):
        sections = re.findall("^## (.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert sections == ["Context", "Decision", "Consequences"], page.name


@pytest.mark.parametrize(
    ("docstring", "sentence"),
    [
        ("Count tiles.\n\nMore.", "Count tiles"),
        ("Read `a.b` and\nwrite it. Then stop.", "Read `a.b` and write it"),
        ("", ""),
    ],
)
def test_first_sentence(docstring: str, sentence: str) -> None:
    assert architecture.first_sentence(docstring) == sentence


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
