"""Runs axe-core in a page and returns the violations of its rules of WCAG 2 level AA."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from playwright.sync_api import Page

AXE: Final = Path(settings.BASE_DIR) / "node_modules/axe-core/axe.min.js"
RULES: Final = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,
}
AXE_VIOLATIONS: Final = """async (rules) => (await axe.run(document, rules)).violations.map(
  ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) =>
    `${html.slice(0, 160)} | ${failureSummary.split("\\n")[1] ?? ""}`).join(" || ")}`)"""


def axe_source() -> str:
    """Return the source of axe-core, which npm has fetched with the packages for type checks."""
    if not AXE.exists():
        pytest.fail("axe-core is missing; `python -m tools.check js-packages` fetches it")
    return AXE.read_text(encoding="utf-8")


def axe_violations(page: Page, axe: str) -> list[str]:
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe)
    found: list[str] = page.evaluate(AXE_VIOLATIONS, RULES)
    return found
