"""Runs axe-core in a page and returns the violations of its rules of WCAG 2 level AA."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from playwright.sync_api import Page

AXE: Final = Path(settings.BASE_DIR) / "node_modules/axe-core/axe.min.js"
RULES: Final = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,
}
RULES_OF_COLOURS: Final = RULES | {"runOnly": ["color-contrast", "link-in-text-block"]}
AXE_VIOLATIONS: Final = """async (rules) => (await axe.run(document, rules)).violations.map(
  ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) =>
    `${html.slice(0, 160)} | ${failureSummary.split("\\n")[1] ?? ""}`).join(" || ")}`)"""


def axe_source() -> str:
    """Return the source of axe-core, which npm has fetched with the packages for type checks."""
    if not AXE.exists():
        pytest.fail("axe-core is missing; `python -m tools.check js-packages` fetches it")
    return AXE.read_text(encoding="utf-8")


def axe_violations(page: Page, axe: str, rules: dict[str, Any] = RULES) -> list[str]:
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe)
    found: list[str] = page.evaluate(AXE_VIOLATIONS, rules)
    return found


def axe_violations_in_both_schemes(page: Page, axe: str) -> list[str]:
    """Return the violations in the dark scheme, and those of colours in the light one, which
    changes nothing else. The page stays in the light one."""
    page.emulate_media(color_scheme="dark")
    found = axe_violations(page, axe)
    page.emulate_media(color_scheme="light")
    of_colours = axe_violations(page, axe, RULES_OF_COLOURS)
    return found + [f"light: {violation}" for violation in of_colours]
