"""The table in the colours that a system forces, and with more contrast: what carries meaning keeps
its own colours, and buttons have those of the system. `test_playing_by_ear.py` plays a game so."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Browser

from tests.e2e.gallery import resize, show

INVISIBLE: Final = """() => {
  const isDrawn = (node) => {
    const { forcedColorAdjust, borderStyle } = getComputedStyle(node);
    return forcedColorAdjust === "none" || borderStyle !== "none";
  };
  const parts = ".tile:not(.tile--taken), .stick, .counter-sign, mj-centre, mj-info, mj-clock," +
    ".call, .button, .auto, .tool, .leave, .outcome-body";
  return [...document.querySelectorAll(parts)]
    .filter((node) => node.checkVisibility() && !isDrawn(node)).map((node) => node.className);
}"""
"""Parts that have neither their own colours nor a border."""

SYSTEM_COLOURS: Final = """(selector) => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.cssText = "forced-color-adjust: none; background: Highlight; color: HighlightText";
  const [system, button] = [probe, document.querySelector(selector)].map(getComputedStyle);
  const isSame = ["backgroundColor", "color"].every((name) => system[name] === button[name]);
  probe.remove();
  return isSame;
}"""


@pytest.mark.parametrize("size", ["desktop", "telephone upright"])
def test_no_part_of_the_table_vanishes_in_forced_colours(
    chromium: Browser, address: str, size: str
) -> None:
    context = chromium.new_context(forced_colors="active", reduced_motion="reduce")
    page = resize(context.new_page(), size)
    for scene, main_button in {"turn": ".call--tsumo", "ron": ".outcome .button--main"}.items():
        show(page, address, scene)
        page.wait_for_function("document.querySelector('link[href*=forced_colours]')?.sheet")
        assert page.evaluate(INVISIBLE) == [], scene
        assert page.evaluate(SYSTEM_COLOURS, main_button), scene
    context.close()


def test_more_contrast_chooses_the_tiles_with_contrast(chromium: Browser, address: str) -> None:
    context = chromium.new_context(contrast="more", reduced_motion="reduce")
    page = show(context.new_page(), address, "turn")
    assert page.get_attribute(".table", "data-tiles") == "contrast"
    show(page, address, "turn", '{"tiles": "plain"}')
    assert page.get_attribute(".table", "data-tiles") == "plain"
    context.close()
