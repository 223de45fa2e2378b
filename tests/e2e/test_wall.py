"""Real pages draw the wall: four pages, fewer pages, a page that reloads during the draw, one that
sends nothing, and one that does not reveal. Pages check the wall after the game."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, Page, Route, WebSocketRoute, expect

from game.engine.clock import ClockSettings
from game.engine.rules import TENHOU
from tests.e2e.axe import axe_source, axe_violations
from tests.e2e.conftest import BrowserSite
from tests.e2e.visitor import wait_until
from tests.kit.long_form import IS_LONG
from tests.web.players import Client, choose_to_win
from tests.web.site import SignedPerson
from tests.web.tables import AT_ONCE, open_table

SHORT: Final = replace(TENHOU, length="east", start_points=1_000, return_points=1_000, oka=0)
"""Rules under which the first payment makes a score negative and ends the game."""
DESK: Final[dict[str, Any]] = {"viewport": {"width": 1440, "height": 900}}
TABLET: Final[dict[str, Any]] = {"viewport": {"width": 768, "height": 1024}}
TELEPHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
WALL_SCRIPT: Final = re.compile(r"/(wall|bundle)/table[^/]*\.js")
RESULTS_SCRIPT: Final = re.compile(r"/outcome_panel[^/]*\.js")
WINDOWS: Final = (DESK, TABLET, TELEPHONE, DESK)
PATIENT: Final = replace(AT_ONCE, wall_commit_ms=30_000, wall_reveal_ms=30_000)
"""Time limits with which the draw waits for each page on a busy machine; it continues once all have
answered."""
ONE_IS_SILENT: Final = replace(AT_ONCE, wall_commit_ms=15_000, wall_reveal_ms=8_000, wall_draw_ms=0)
DRAWN_MS: Final = 60_000
CHECKED_MS: Final = 60_000

NO_REVEAL: Final = """() => {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    if (!text.includes('"wall_reveal"')) send.call(this, text);
  };
}"""
NO_REVEAL_AT_FIRST: Final = f"if (!sessionStorage.again) ({NO_REVEAL})(); sessionStorage.again = 1"
HAS_REVEALED: Final = """Object.values(JSON.parse(localStorage["wall-receipts"] ?? "{}"))
  .some(({ draws }) => draws[1]?.binding)"""
KEPT_BYTES: Final = """() =>
  Object.values(JSON.parse(localStorage["wall-receipts"]))[0].draws[1].contribution"""
NO_WEB_CRYPTO: Final = "Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })"


@dataclass
class Window:
    """A page at the table, with the messages about the wall that it has sent."""

    page: Page
    sent: list[dict[str, Any]] = field(default_factory=list)
    console_errors: list[str] = field(default_factory=list)

    @property
    def chip(self) -> Any:
        return self.page.locator(".wall-chip")

    def sent_of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.sent if message["t"] == kind]


@dataclass
class Tables:
    """Opens tables whose wall is drawn, and windows at them."""

    site: BrowserSite
    browser: Browser
    contexts: list[BrowserContext] = field(default_factory=list)

    def open(
        self, people: Sequence[SignedPerson], clock: ClockSettings = PATIENT, **options: Any
    ) -> str:
        """Open a table at which these people and bots are about to play; return its path."""
        opening = open_table(self.site.redis_url, people, clock, draws_wall=True, **options)
        with ThreadPoolExecutor(1) as elsewhere:
            return f"/table/{elsewhere.submit(asyncio.run, opening).result()}/"

    def window(
        self, person: SignedPerson | None, shape: dict[str, Any] = DESK, *, script: str = ""
    ) -> Window:
        context = self.browser.new_context(
            **shape, reduced_motion="reduce", base_url=self.site.address, accept_downloads=True
        )
        self.contexts.append(context)
        context.add_init_script(script)
        if person is not None:
            name, _, value = person.cookie.partition("=")
            cookie = {"name": name, "value": value, "url": self.site.address}
            context.add_cookies([cookie])  # type: ignore[list-item]
        window = Window(context.new_page())
        window.page.on("pageerror", lambda error: window.console_errors.append(str(error)))

        def listen(socket: Any) -> None:
            socket.on("framesent", lambda text: note(json.loads(text)))

        def note(message: dict[str, Any]) -> None:
            if message["t"].startswith("wall_"):
                window.sent.append(message)

        window.page.on("websocket", listen)
        return window

    def windows(self, people: Sequence[SignedPerson]) -> list[Window]:
        """Return a window for each of these people, of different sizes."""
        shapes = zip(people, WINDOWS, strict=False)
        return [self.window(person, shape) for person, shape in shapes]


def enter(windows: Sequence[Window], path: str) -> None:
    """Open that path in all windows at once."""
    for window in windows:
        window.page.goto(path, wait_until="commit")


@pytest.fixture(scope="module")
def people(browser_site: BrowserSite) -> list[SignedPerson]:
    return browser_site.running_site.sign_in("Anna", "Bruno", "Chika", "Dora")


@pytest.fixture
def tables(browser_site: BrowserSite, chromium: Browser) -> Iterator[Tables]:
    made = Tables(browser_site, chromium)
    yield made
    for context in made.contexts:
        context.close()


def expect_fixed(window: Window, pages: int, draw: int = 1) -> None:
    words = f"{pages} page{'' if pages == 1 else 's'} took part, draw {draw}"
    sentence = f"The wall is fixed: {words}."
    expect(window.chip).to_have_attribute("title", sentence, timeout=DRAWN_MS)
    expect(window.chip).to_have_accessible_name("Wall: drawn by the pages")
    expect(window.chip).to_have_text("")


def open_panel(window: Window) -> Any:
    window.chip.click()
    panel = window.page.get_by_role("dialog", name="The wall")
    panel.wait_for()
    return panel


def save_receipt(window: Window, panel: Any) -> dict[str, Any]:
    with window.page.expect_download() as download:
        panel.get_by_role("button", name="Save receipt").click()
    receipt: dict[str, Any] = json.loads(Path(download.value.path()).read_text())
    return receipt


def test_four_pages_and_a_spectator_until_the_record_is_checked(
    tables: Tables, people: list[SignedPerson], tmp_path: Path
) -> None:
    spectator, windows = tables.window(None), tables.windows(people)
    path = tables.open(people, rules=SHORT)
    # In one window the panel of results comes after the record has been checked.
    held: list[Route] = []
    windows[3].page.route(RESULTS_SCRIPT, lambda route: held.append(route))
    enter([*windows, spectator], path)
    for window in (*windows, spectator):
        expect_fixed(window, 4)
    panel = open_panel(windows[2])
    expect(panel).to_contain_text("The wall is fixed: 4 pages took part, draw 1.")
    expect(panel).to_contain_text("Your page took part.")
    receipt = save_receipt(windows[2], panel)
    (commit,) = windows[2].sent_of("wall_commit")
    (reveal,) = windows[2].sent_of("wall_reveal")
    assert receipt["commitments"][2] == commit["commitment"]
    assert receipt["contribution"] == reveal["contribution"]
    assert receipt["table"] == path.split("/")[2]
    panel_of_spectator = open_panel(spectator)
    expect(panel_of_spectator).to_contain_text(receipt["binding"])
    seen = save_receipt(spectator, panel_of_spectator)
    assert seen | {"seat": 2, "contribution": receipt["contribution"]} == receipt
    assert spectator.sent == []
    play_to_the_end(tables.site, people, receipt["table"])
    expect(windows[3].page.get_by_role("log")).to_contain_text(
        "This wall was fixed", timeout=CHECKED_MS
    )
    assert held
    for route in held:
        route.continue_()
    for window in windows:
        verdict = window.page.locator(".outcome .wall-verdict")
        expect(verdict).to_contain_text(
            "This wall was fixed before the game, and your page took part.", timeout=CHECKED_MS
        )
    record = windows[0].page.request.get(f"/game/{receipt['table']}/mjai/").text()
    file, kept = tmp_path / "record.jsonl", tmp_path / "receipt.json"
    file.write_text(record)
    kept.write_text(json.dumps(receipt))
    program = Path(settings.BASE_DIR) / "static" / "fair" / "check_wall.py"
    done = subprocess.run([sys.executable, "-I", str(program), str(file)], capture_output=True)
    assert done.stdout.startswith(b"FITS: 4 pages took part, draw 1, ")
    command = [sys.executable, "manage.py", "verify_wall", str(file), "--receipt", str(kept)]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True)
    assert done.stdout.startswith(b"FITS "), done
    check_page_of_game(windows, spectator, f"/game/{receipt['table']}/", record)
    assert [window.console_errors for window in (*windows, spectator)] == [[]] * 5


def play_to_the_end(site: BrowserSite, people: Sequence[SignedPerson], table_id: str) -> None:
    """Play for all four people with clients, which are quicker than windows."""
    url = site.running_site.socket_url(table_id)

    async def play() -> None:
        clients = [
            Client(url, person.cookie, seed=seat, choose=choose_to_win)
            for seat, person in enumerate(people)
        ]
        await asyncio.gather(*(client.play() for client in clients))
        for client in clients:
            await client.close()

    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(asyncio.run, play()).result()


def answer_with(text: str, route: Route) -> None:
    route.fulfill(body=text)


def check_page_of_game(
    windows: Sequence[Window], spectator: Window, path: str, record: str
) -> None:
    """Check that the page of the game reports its findings, shows the figures and programs, and
    detects a changed record."""
    page = windows[2].page
    page.goto(path)
    expect(page.locator("#wall-check")).to_contain_text("and your page took part.")
    page.locator("summary", has_text="Check it yourself").focus()
    page.keyboard.press("Enter")
    secret = json.loads(record.splitlines()[0])["house"]["proof"]["draws"][0]["secret"]
    expect(page.locator(".wall-figures")).to_contain_text(secret)
    expect(page.get_by_role("region", name="check_wall.py")).to_contain_text("riichi wall seed 1")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe_violations(page, axe_source()) == []
    spectator.page.goto(path)
    expect(spectator.page.locator("#wall-check")).to_contain_text("4 pages took part.")
    for changed, said in (
        (record.replace(secret, "00" * 32), "Draw 1: the hash of the server does not fit"),
        (record.replace('"tsumogiri":true', '"tsumogiri":false'), "your page took part."),
        (
            record.replace('"type":"tsumo","actor":0,"pai":"', '"type":"tsumo","actor":0,"pai":"x'),
            "the tile drawn does not lie there",
        ),
        (record.replace(',"proof":', ',"other":'), "have no proof"),
    ):
        page.route("**/mjai/", partial(answer_with, changed))
        page.reload()
        expect(page.locator("#wall-check")).to_contain_text(said)
        page.unroute("**/mjai/")


def test_two_pages_and_one_that_sends_nothing(tables: Tables, people: list[SignedPerson]) -> None:
    silent = tables.window(people[2])
    silent.page.route(WALL_SCRIPT, lambda route: route.abort())
    windows = tables.windows(people[:2])
    enter([*windows, silent], tables.open(people[:3], ONE_IS_SILENT))
    for window in windows:
        expect_fixed(window, 2)
    silent.page.locator(".own button.tile").first.wait_for()
    assert silent.sent == []


def test_one_page_and_bots_in_a_browser_without_web_crypto(
    tables: Tables, people: list[SignedPerson]
) -> None:
    window = tables.window(people[0], script=NO_WEB_CRYPTO)
    window.page.goto(tables.open(people[:1]))
    expect_fixed(window, 1)
    assert window.page.evaluate("crypto.subtle === undefined")
    assert len(window.sent_of("wall_reveal")) == 1


def test_page_reloaded_within_a_second_still_reveals(
    tables: Tables, people: list[SignedPerson]
) -> None:
    reloaded = tables.window(people[0], script=NO_REVEAL_AT_FIRST)
    (other,) = tables.windows(people[1:2])
    enter([reloaded, other], tables.open(people[:2]))
    assert wait_until(lambda: reloaded.page.evaluate(HAS_REVEALED), 20, reloaded.page)
    reloaded.page.reload()
    for window in (reloaded, other):
        expect_fixed(window, 2)
    assert len({message["commitment"] for message in reloaded.sent_of("wall_commit")}) == 1


def test_page_whose_reveal_is_lost_says_so_and_keeps_its_bytes(
    tables: Tables, people: list[SignedPerson]
) -> None:
    windows = tables.windows(people[:2])
    cheat = tables.window(people[2], TELEPHONE, script=f"({NO_REVEAL})()")
    enter([*windows, cheat], tables.open(people[:3], ONE_IS_SILENT))
    for window in windows:
        expect_fixed(window, 2, draw=2)
        assert [message["draw"] for message in window.sent_of("wall_reveal")] == [1, 2]
    expect(windows[0].page.locator(".own button.tile").first).to_be_visible()
    panel = open_panel(windows[0])
    expect(panel).to_contain_text("1 draw before this one is void")
    expect(cheat.chip).to_have_attribute("data-state", "wrong")
    said = "The server says that your page did not reveal its bytes, but your page has sent them."
    expect(cheat.page.locator(".status-notices")).to_contain_text(said)
    panel = open_panel(cheat)
    expect(panel).to_contain_text(said)
    receipt = save_receipt(cheat, panel)
    assert (receipt["version"], receipt["draw"], receipt["seat"]) == (2, 1, 2)
    own = sha256(bytes.fromhex(receipt["contribution"])).hexdigest()
    assert receipt["commitments"][2] == own, "it keeps what its page revealed, as it believes"


def test_page_reveals_nothing_if_its_commitment_was_changed(
    tables: Tables, people: list[SignedPerson]
) -> None:
    """The test changes the frames on their way to the page, as a dishonest server would."""
    window = tables.window(people[0])

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(lambda text: route.send(changed(str(text))))

    def changed(text: str) -> str:
        frame = json.loads(text)
        for event in frame.get("e", []):
            if isinstance(event, dict) and event["type"] == "wall_bind":
                event["commitments"][0] = "00" * 32
        return json.dumps(frame)

    window.page.route_web_socket("**/ws/table/**", between)
    window.page.goto(tables.open(people[:1]))
    expect(window.chip).to_have_attribute("data-state", "wrong", timeout=DRAWN_MS)
    expect(window.page.locator(".status-notices")).to_contain_text("do not trust this wall")
    assert window.sent_of("wall_reveal") == []


def test_two_windows_of_a_browser_commit_to_the_same_bytes(
    tables: Tables, people: list[SignedPerson]
) -> None:
    first, other = tables.windows(people[:2])
    second = first.page.context.new_page()
    path = tables.open(people[:2])
    second.goto(path, wait_until="commit")
    enter([first, other], path)
    expect_fixed(first, 2)
    for page in (first.page, second):
        expect(page.locator(".wall-chip")).to_have_attribute("data-state", "fixed")


def test_page_keeps_its_bytes_although_another_window_overwrites_them_late(
    tables: Tables, people: list[SignedPerson]
) -> None:
    """Two windows may write at once, and each sees what the other wrote some time later, when the
    table sends nothing more."""
    window = tables.window(people[0])
    page = window.page
    page.goto(tables.open(people[:1]))
    expect_fixed(window, 1)
    kept = page.evaluate(KEPT_BYTES)
    other = page.context.new_page()
    other.goto("/about/")
    other.evaluate("""() => {
      const other = localStorage["wall-receipts"].replace(/[0-9a-f]{64}/g, "ab".repeat(32));
      localStorage["wall-receipts"] = other;
    }""")
    page.wait_for_function(f"kept => ({KEPT_BYTES})() === kept", arg=kept)
    expect(window.chip).to_have_attribute("data-state", "fixed")


@pytest.mark.parametrize("shape", [DESK, TABLET, TELEPHONE] if IS_LONG else [TELEPHONE])
def test_panel_works_by_keyboard_and_for_screen_readers(
    tables: Tables, people: list[SignedPerson], shape: dict[str, Any]
) -> None:
    window = tables.window(people[0], shape)
    page = window.page
    page.goto(tables.open(people[:1]))
    expect_fixed(window, 1)
    expect(page.get_by_role("log")).to_contain_text("The wall is fixed: 1 page took part, draw 1.")
    window.chip.focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name="The wall")
    panel.wait_for()
    assert axe_violations(page, axe_source()) == []
    assert panel.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    always = panel.get_by_role("checkbox")
    always.focus()
    page.keyboard.press("Space")
    expect(always).to_be_checked()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_receipt_can_be_saved_automatically_before_the_first_tile(
    tables: Tables, people: list[SignedPerson]
) -> None:
    stored = json.dumps(json.dumps({"wall_receipt": True}))
    window = tables.window(people[0], script=f"localStorage['table-settings'] = {stored}")
    path = tables.open(people[:1])
    with window.page.expect_download() as download:
        window.page.goto(path)
    receipt = json.loads(Path(download.value.path()).read_text())
    assert receipt["binding"]
    assert receipt["commitments"][0] == window.sent_of("wall_commit")[0]["commitment"]


def test_wall_of_play_now_is_fixed_with_the_own_page(tables: Tables) -> None:
    """A guest comes through the lobby."""
    window = tables.window(None)
    window.page.goto("/gallery/?scene=turn")
    window.page.wait_for_selector("mj-centre .plate")
    window.page.goto("/")
    window.page.get_by_role("button", name="Play now").click()
    expect_fixed(window, 1)
    window.page.locator(".own button.tile").first.wait_for()
    assert len(window.sent_of("wall_reveal")) == 1
