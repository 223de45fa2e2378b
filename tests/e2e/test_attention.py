"""A page attracts attention by sounds (rendered and measured), the title of its tab, and
notifications of the system."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.e2e.conftest import BrowserSite, launch_browser
from tests.e2e.gallery import show
from tests.kit.site_scripts import run_script
from tools import system

RENDERED = """async (wanted) => {
  const { sound } = await import("/static/js/sound/synth.js");
  const { loudness } = await import("/static/js/sound/sound.js");
  const { recordings, speak } = await import("/static/js/sound/speech.js");
  const { DEFAULTS } = await import("/static/js/settings.js");
  const { VOICES } = await import("/static/js/sound/voices.js");
  const loud = loudness({ get: (key) => ({ ...DEFAULTS, ...wanted })[key] }, "tiles");
  const rate = 44_100;
  const repeated = () => { // noise whose loudest moment can be compared
    let state = 1;
    return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  };
  const render = async (play) => {
    const context = new OfflineAudioContext(1, 2 * rate, rate);
    const { random } = Math;
    Math.random = repeated();
    if (loud > 0) play(context);
    Math.random = random;
    const samples = (await context.startRendering()).getChannelData(0);
    const loudest = samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    const last = samples.findLastIndex((one) => Math.abs(one) > 0.001);
    return { loudest, lasts: (last + 1) / rate };
  };
  const words = await recordings(new OfflineAudioContext(1, 1, rate));
  const spoken = [...words].map(([call, word]) =>
    [`spoken ${call}`, (context) => speak(context, word, loud)]);
  const tone = ([cue, notes]) => [cue, (context) => sound(context, notes, loud)];
  const tones = Object.entries(VOICES).map(tone);
  const all = [...tones, ...spoken].map(async ([name, play]) => [name, await render(play)]);
  return Object.fromEntries(await Promise.all(all));
}"""

COUNTED = """
  window.notes = 0;
  const make = AudioContext.prototype.createGain;
  AudioContext.prototype.createGain = function (...all) {
    window.notes += 1;
    return make.apply(this, all);
  };
"""

NOTICED = """
  window.notices = [];
  const System = window.Notification;
  window.Notification = class extends System {
    constructor(...all) {
      super(...all);
      window.notices.push([...all, "shown"]);
      this.addEventListener("close", () => window.notices.push("closed"));
    }
    close() {
      super.close();
      window.notices.push("closed");
    }
  };
"""

LOOKS = """(away) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => away });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture(scope="module")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """Yield a browser that shows notifications."""
    browser = launch_browser(playwright, system.find_program(system.CHROMIUM))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def window(chromium: Browser, address: str) -> Iterator[Page]:
    page = chromium.new_page()
    page.add_init_script(COUNTED)
    yield show(page, address, "moving")
    page.close()


def render_sounds(page: Page, *, volume: float, muted: bool = False) -> dict[str, Any]:
    sounds: dict[str, Any] = page.evaluate(RENDERED, {"volume": volume, "muted": muted})
    return sounds


def test_sounds_are_audible_short_and_undistorted(window: Page) -> None:
    sounds = render_sounds(window, volume=1)
    assert len(sounds) == 18 + 7
    for cue, sound in sounds.items():
        assert 0.03 < sound["loudest"] < 0.95, cue
        assert 0.02 < sound["lasts"] < 1.2, cue


def test_volume_and_mute_apply_to_every_sound(window: Page) -> None:
    full, half = render_sounds(window, volume=1), render_sounds(window, volume=0.5)
    silent, muted = render_sounds(window, volume=0), render_sounds(window, volume=1, muted=True)
    for cue, sound in full.items():
        assert half[cue]["loudest"] < sound["loudest"] * 0.3, cue
        assert half[cue]["loudest"] > 0.005, cue
        assert silent[cue]["loudest"] == muted[cue]["loudest"] == 0, cue


def test_events_sound_unless_muted(window: Page, address: str) -> None:
    for muted in (False, True):
        show(window, address, "moving", json.dumps({"muted": muted}))
        window.click(".turn-table")  # browsers allow sounds only on a page that was touched
        window.wait_for_timeout(200)
        before = window.evaluate("window.notes")
        window.click(".turn-table")
        window.click(".turn-table")
        window.evaluate(
            "document.querySelector('mj-clock').dispatchEvent("
            "new CustomEvent('clock-urgent', { bubbles: true, detail: { left: 5 } }))"
        )
        assert (window.evaluate("window.notes") == before) is muted


def test_hidden_page_notifies_its_player(chromium: Browser, address: str) -> None:
    context = chromium.new_context(reduced_motion="reduce")
    context.grant_permissions(["notifications"], origin=address)
    page = context.new_page()
    page.add_init_script(NOTICED)
    page.goto(address)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".own button.tile")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Notify me when it is my turn").check()
    page.keyboard.press("Escape")
    passing = page.locator(".call--none:not([aria-disabled])")
    tile = page.locator(".own button.tile--live:not([aria-disabled])").last
    page.evaluate(LOOKS, True)
    while (
        page.evaluate("window.notices.length") == 0
    ):  # answer everything until the hidden page has notified
        if passing.is_visible():
            passing.click()
        elif tile.is_visible():
            tile.click()
        page.wait_for_timeout(50)
    notice = page.evaluate("window.notices[0]")
    assert notice[0] in {"Your turn", "Your choice"}
    assert notice[1]["silent"] is True
    expect(page).to_have_title(re.compile("^● Your (turn|choice) · Table"))
    page.evaluate(LOOKS, False)
    assert page.evaluate("window.notices.at(-1)") == "closed"
    context.close()


def test_no_notification_without_permission(chromium: Browser, address: str) -> None:
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.add_init_script("Notification.requestPermission = async () => 'denied';")
    page.goto(address)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".own button.tile")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Notify me when it is my turn").click()
    expect(page.get_by_label("Notify me when it is my turn")).not_to_be_checked()
    context.close()


CUP = """
import json, sys
from game.engine.presets import PRESETS
import msgspec
from lobby.models import Club, EventPlayer, Membership, Person, Event
person = json.load(sys.stdin)
club = Club.objects.create(slug="called", name="Called Club", entry="open")
Membership.objects.create(club=club, person_id=person, role="owner")
cup = Event.objects.create(
    club=club, slug="cup", name="Autumn Cup", rules=msgspec.to_builtins(PRESETS["ema-2025"]),
    clock="60+0", format="rounds", rounds=1, method="balanced", fill="refuse",
)
EventPlayer.objects.create(event=cup, person_id=person)
for number in range(3):
    EventPlayer.objects.create(event=cup, person=Person.objects.create(name=f"Other {number}"))
"""

KEPT = """
  const keep = (name, text) => sessionStorage.setItem(
    name, JSON.stringify([...JSON.parse(sessionStorage.getItem(name) ?? "[]"), text]),
  );
  new MutationObserver(() => keep("titles", document.title))
    .observe(document, { subtree: true, childList: true, characterData: true });
  const System = window.Notification;
  window.Notification = class extends System {
    constructor(text, how) {
      super(text, how);
      this.addEventListener("show", () => keep("shown", [text, how.body, document.hidden]));
    }
  };
"""
"""Stores titles and shown notifications in the session of the tab, because the tab leaves this page
for that of the table."""


def test_hidden_page_of_an_event_says_that_the_table_is_ready(
    chromium: Browser, browser_site: BrowserSite
) -> None:
    (player,) = browser_site.running_site.sign_in("Gustave")
    run_script(browser_site.running_site.site.env, CUP, json.dumps(player.person))
    context = chromium.new_context(
        base_url=browser_site.address, locale="en-GB", reduced_motion="reduce"
    )
    try:
        context.set_default_timeout(60_000)
        context.grant_permissions(["notifications"], origin=browser_site.address)
        name, _, value = player.cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": browser_site.address}])
        event = context.new_page()
        event.add_init_script(KEPT)
        event.goto("/clubs/called/events/cup/")
        event.get_by_label("Notify me when my table is ready").check()
        event.evaluate(LOOKS, True)
        director = context.new_page()
        director.goto("/clubs/called/events/cup/officials/")
        director.get_by_role("link", name="Start round 1").click()
        director.get_by_role("button", name="Start round 1").click()
        event.wait_for_url("**/table/**")
        titles = json.loads(event.evaluate("sessionStorage.getItem('titles')"))
        assert "\u25cf Your table is ready. \u00b7 Autumn Cup" in titles
        shown = json.loads(event.evaluate("sessionStorage.getItem('shown')"))
        assert shown == [["Your table is ready.", "Autumn Cup", True]]
    finally:
        context.close()


BEGUN = """async (event) => {
  const { Opening } = await import("/static/js/opening.js");
  const { words } = await import("/static/js/table/names.js");
  const { ASKED } = await import("/static/js/gallery/positions.js");
  const root = document.querySelector(".table");
  root.querySelector(".opening")?.remove();
  const opening = new Opening(root, root.querySelector(".board"), await words());
  const view = { ...ASKED.turn.view, history: [["E", 1, 0, ASKED.turn.view.scores]] };
  opening.apply({ type: "start_kyoku" }, view, 0);
  if (event !== "") opening.apply({ type: event, actor: 1 }, view, 0);
  await import("/static/js/ui/opening_picture.js").then(({ loadStyle }) => loadStyle());
  await new Promise((resolve) => setTimeout(resolve));
  if (event !== "dahai") for (const one of document.getAnimations()) one.pause();
  return root.querySelector(".opening") !== null;
}"""
"""Begins a game with the deal and a second event; returns whether its start is shown. After a
discard the animation runs, otherwise it is paused."""

HIT = """() => {
  const { left, top, width, height } = document.querySelector(".board").getBoundingClientRect();
  const found = document.elementsFromPoint(left + width / 2, top + height / 2);
  return found.some((node) => node.closest(".opening") !== null);
}"""


def test_start_of_a_game_ends_with_a_key_or_a_call(window: Page, address: str) -> None:
    page = show(window, address, "moving")
    scene = page.locator(".opening")
    assert page.evaluate(BEGUN, "tsumo")
    assert not page.evaluate(HIT), "the start of a game takes no presses"
    page.keyboard.press("Shift")
    expect(scene).not_to_be_attached()
    assert not page.evaluate(BEGUN, "pon")


def test_start_of_a_game_ends_by_itself(window: Page, address: str) -> None:
    page = show(window, address, "moving")
    assert page.evaluate(BEGUN, "dahai")
    expect(page.locator(".opening")).not_to_be_attached()


@pytest.mark.parametrize("how", ["reduced motion", "animations off", "switched off"])
def test_start_of_a_game_is_shown_only_on_request(window: Page, address: str, how: str) -> None:
    wanted = {"animations off": {"motion": "off"}, "switched off": {"seat_draw": False}}
    page = show(window, address, "moving", json.dumps(wanted.get(how, {})))
    page.emulate_media(reduced_motion="reduce" if how == "reduced motion" else "no-preference")
    assert not page.evaluate(BEGUN, "tsumo")
    page.emulate_media(reduced_motion="no-preference")
