"""Every style sheet belongs to a layer, names its colours in one place, and stays short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = Path(__file__).resolve().parent.parent / "static" / "css"
SHEETS = sorted(CSS.rglob("*.css"))
TOKENS = CSS / "tokens.css"
LAYERS = "@layer tokens, base, site, forms, pages, tiles, table, table-layouts, table-motion;"
COLOUR = re.compile(
    r"#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|lab)\((?!var\()|(?<!-)\b(?:white|black|red|gold)\s*[;,)]",
    re.IGNORECASE,
)


def rules(sheet: Path) -> str:
    """Return a sheet without its comments and addresses."""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"url\([^)]*\)", "", text)


def name(sheet: Path) -> str:
    return sheet.relative_to(CSS).as_posix()


@pytest.mark.parametrize("sheet", SHEETS, ids=name)
def test_sheet_states_the_order_of_layers(sheet: Path) -> None:
    """The first sheet that loads decides the order, and any sheet may be first."""
    assert rules(sheet).strip().startswith(LAYERS)


@pytest.mark.parametrize("sheet", SHEETS, ids=name)
def test_sheet_has_no_rule_outside_a_layer(sheet: Path) -> None:
    text, depth = rules(sheet).replace(LAYERS, "", 1), 0
    text = re.sub(r'@import "[^"]*";', "", text)
    for part in re.findall(r"[^{}]+\{|\}", text):
        if part == "}":
            depth -= 1
        else:
            assert depth > 0 or part.strip().startswith("@layer "), part.strip()
            depth += 1


@pytest.mark.parametrize("sheet", [sheet for sheet in SHEETS if sheet != TOKENS], ids=name)
def test_only_tokens_has_colours(sheet: Path) -> None:
    assert COLOUR.findall(rules(sheet)) == []


@pytest.mark.parametrize("sheet", [sheet for sheet in SHEETS if sheet != TOKENS], ids=name)
def test_layer_in_front_is_named(sheet: Path) -> None:
    assert re.findall(r"z-index: *-?\d", rules(sheet)) == []


@pytest.mark.parametrize("sheet", SHEETS, ids=name)
def test_sheet_stays_below_400_lines(sheet: Path) -> None:
    assert sheet.read_text(encoding="utf-8").count("\n") <= 400


def test_every_token_is_used() -> None:
    defined = set(re.findall(r"^ *(--[a-z0-9-]+):", rules(TOKENS), re.MULTILINE))
    used = {found for sheet in SHEETS for found in re.findall(r"var\((--[a-z0-9-]+)", rules(sheet))}
    assert defined <= used
