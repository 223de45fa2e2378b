"""A game of another site is imported in Chromium by keyboard, shown as a replay, and deleted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from game.imports.imported_game import MAX_BYTES
from tests.e2e.axe import axe_source, axe_violations
from tests.kit.long_form import IS_LONG

MJAI: Final = Path(__file__).parent.parent / "records" / "fixtures" / "own.mjson"
SIZES: Final = {"desktop": (1440, 900), "telephone": (390, 844)}


@pytest.fixture(params=SIZES if IS_LONG else ["telephone"])
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    """Yield a window of that size, without motion."""
    width, height = SIZES[request.param]
    context = chromium.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    yield context.new_page()
    context.close()


def changed_record() -> str:
    """Return the record with other payments for its first win."""
    lines = [json.loads(line) for line in MJAI.read_text().splitlines()]
    lines[0]["names"] = ["Anna", "Bruno", "Chika", "Dora"]
    win = next(line for line in lines if line["type"] == "hora")
    win["deltas"] = [value + 100 for value in win["deltas"]]
    return "\n".join(map(json.dumps, lines))


def test_game_is_imported_by_keyboard_and_shown_with_its_difference(
    page: Page, address: str
) -> None:
    page.goto(f"{address}/replay/")
    assert axe_violations(page, axe_source()) == []
    page.get_by_label("or its text").focus()
    page.keyboard.insert_text("hello")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("damaged")
    page.get_by_label("or its text").focus()
    page.keyboard.press("ControlOrMeta+a")  # the refused text is kept
    page.keyboard.insert_text(changed_record())
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#replay[data-ready]")
    page.get_by_role("link", name="Leave the replay").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Anna · Bruno · Chika · Dora")
    assert axe_violations(page, axe_source()) == []
    page.get_by_role("link", name="Payments").first.click()
    page.wait_for_selector("#replay[data-ready]")
    expect(page.get_by_text("Payments: by the rules")).to_be_visible()
    page.get_by_role("link", name="Leave the replay").click()
    page.get_by_role("button", name="Delete the game").click()
    expect(page.get_by_role("status")).to_have_text("The game is deleted.")


def test_file_is_imported_unless_it_is_too_large(page: Page, address: str, tmp_path: Path) -> None:
    large = tmp_path / "large.mjlog"
    large.write_bytes(b"x" * (2 * MAX_BYTES))
    page.goto(f"{address}/replay/")
    page.get_by_label("A file").set_input_files(large)
    page.get_by_role("button", name="Show the game").click()
    expect(page.get_by_role("alert")).to_contain_text("too large")
    page.get_by_label("A file").set_input_files(MJAI)
    page.get_by_role("button", name="Show the game").click()
    page.wait_for_selector("#replay[data-ready]")
