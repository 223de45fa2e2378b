"""Shows scenes of the gallery one after another in a page that is loaded once, to save time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from playwright.sync_api import Page

SIZES: Final = {
    "desktop": (1440, 900),
    "tablet": (1024, 768),
    "telephone upright": (390, 844),
    "telephone on its side": (844, 390),
}

_SHOW: Final = """([scene, settings]) => {
  localStorage.setItem("table-settings", settings);
  dispatchEvent(new StorageEvent("storage"));
  document.dispatchEvent(new CustomEvent("show-scene", { detail: scene }));
}"""


_DRAWN: Final = """document.fonts.ready.then(() => new Promise((drawn) => {
  requestAnimationFrame(() => requestAnimationFrame(() => drawn()));
}))"""
"""Whether fonts have loaded and the parts that fit themselves to their size have done so."""


def show(page: Page, address: str, scene: str | None, settings: str = "{}") -> Page:
    """Open that scene, or all scenes, as a first visitor with these settings sees them."""
    if not page.url.startswith(f"{address}/gallery/"):
        page.goto(f"{address}/gallery/?scene=turn")
        page.wait_for_selector("mj-centre .plate")
    page.evaluate(_SHOW, [scene, settings])
    page.wait_for_selector(".exhibit .tile" if scene is None else "mj-centre .plate")
    page.evaluate(_DRAWN)
    return page


def resize(page: Page, size: str, sizes: Mapping[str, tuple[int, int]] = SIZES) -> Page:
    """Set the size of the window."""
    width, height = sizes[size]
    page.set_viewport_size({"width": width, "height": height})
    return page
