"""`docs/architecture.md` against the tree: every module has its line, and nothing else has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FOLDERS = ("game/engine", "game/rooms", "game/wire", "game/bots", "game/afterwards")


def listed(page: str, folder: str) -> list[str]:
    """The files named in the first column of the table under the folder's name."""
    _, _, rest = page.partition(f"\n**`{folder}`**")
    section, _, _ = rest.partition("\n**`")
    rows = re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def present(folder: str) -> list[str]:
    files = (ROOT / folder).iterdir()
    return [file.name for file in files if file.suffix in {".py", ".lua"} and file.stem[0] != "_"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_module_has_one_line_in_the_layout(folder: str) -> None:
    assert sorted(listed(PAGE, folder)) == sorted(present(folder)), (
        f"docs/architecture.md lists other files under {folder} than there are"
    )


def test_what_the_layout_names_in_the_app_exists() -> None:
    for name in listed(PAGE, "game"):
        assert (ROOT / "game" / name).exists(), name


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda page: page.name)
def test_links_between_the_pages_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
