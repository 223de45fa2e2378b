"""The site in Chromium in French, with LONG=1 in each language, at the size of a telephone: every
text is in that language and fits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.gallery import resize, show
from tests.e2e.geometry import EVERY_HELP, GROUPS, OUTSIDE, OVERLAPS
from tests.kit.long_form import IS_LONG
from tools import words

WIDTH, HEIGHT = 390, 844

LANGUAGES: Final = ["en", *sorted(words.LANGUAGES)] if IS_LONG else ["fr"]
"""French has the longest texts. `tests/web/test_languages.py` checks that every text has its
translation in each language."""
SCRIPT_OF_NAMES: Final = re.compile(r"/(en|fr|ja)(-\w+)?\.js$")
"""The address of the script with the names in a language, with the hash of its bundle."""

OTHER_WITH_ACCOUNT = {
    *("/", "/lobby/", "/tables/new/", "/clubs/", "/rules/", "/ranking/", "/privacy/own-data/")
}
"""Pages that show more to people with an account and link to further pages."""
SCENES = ("turn", "ways", "ron", "end")

ASKED = {
    "asked": ".call, .prompt-hint",
    "clock": "mj-clock, .furiten",
    "help": "mj-hints",
    "own river": GROUPS["bottom river"],
    "own hand": GROUPS["own hand"],
}

TEXTS = """() => {
  const found = [document.title];
  const read = ["aria-label", "aria-description", "title", "alt", "placeholder", "content"];
  const labels = ".exhibit > h2, .mark > figcaption, .scenes"; // of the gallery
  const unread = `script, noscript, style, code, .fair-bytes, [lang]:not(html), ${labels}`;
  const walker = document.createTreeWalker(document);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.parentElement?.closest(unread) === null) found.push(node.data);
    } else if (node.matches?.(":not(meta), meta[name=description]")) {
      for (const name of read) found.push(node.getAttribute(name) ?? "");
    }
  }
  return found.map((text) => text.trim().replace(/\\s+/g, " ")).filter((text) => text !== "");
}"""
"""Returns all text that can be read or heard, hidden or not, except names of languages and
programs."""

SPILLED = """() => [...document.querySelectorAll("button, .button, nav a, h1, h2")]
  .filter((node) => node.checkVisibility() && !node.matches(".visually-hidden, .tile"))
  .filter((node) => {
    const { left, right } = node.getBoundingClientRect();
    const isTooTall = node.scrollHeight > node.clientHeight + 1 && !/^H/.test(node.tagName);
    return node.scrollWidth > node.clientWidth + 1 || isTooTall
        || left < -1 || right > innerWidth + 1;
  })
  .map((node) => `${node.className || node.tagName}: ${node.textContent.trim()}`)"""

NAMES = re.compile(
    r"\b(?:Guest \d+|Invité \d+|Aki|Fuyu|Haru|Natsu|Anna|Katharina|Bot (?:East|South|West)"
    r"|M\.League)\b",
    re.ASCII,
)
"""Names of people and bots, including those of the gallery, and of a league."""

SAME_IN_JAPANESE = {
    *("EMA", "WRC", "English", "Français"),
    *(
        "JavaScript",
        "Python",
        "SHA",
        "UTF",
        "py",
        "mjs",
        "jsonl",
        "mjai",
        "check",
        "seed",
        "wall",
        "field",
        "file",
    ),
    "Cookie",
    *("csrftoken", "sessionid", "django", "language", "seat", "proof"),  # names of cookies
    "scheme",  # name of a cookie
    *("replay", "delete"),  # name of the cookie of an imported game
    *("mjlog", "XML", "gzip", "tenhou", "net", "JSON", "json", "MB", "URL", "BOT"),
    "OK",
    "Home",
    "End",
    "Enter",
    "Shift",
    "Esc",
    "ms",
}


@cache
def english_of(language: str) -> list[tuple[list[str], re.Pattern[str]]]:
    """Return each English text that has a translation in that language: its fixed parts, which are
    faster to search for, and a pattern of the whole text."""
    patterns = []
    for entry in words.read_catalogue(language):
        for text, said in words.translation_pairs(entry):
            parts = re.split(r"%\(\w+\)\w|\{\w+\}", text)
            is_told_apart = any(re.search(r"[A-Za-z][a-z]{2}", part) for part in parts)
            if is_told_apart and said.casefold() != text.casefold():
                pattern = r"[^{}\n]+".join(map(re.escape, parts))
                patterns.append((parts, re.compile(rf"(?<!\w){pattern}(?!\w)")))
    return patterns


def english_in(texts: list[str], language: str) -> set[str]:
    """Return the parts of these texts that are in English."""
    read = NAMES.sub("", "\n".join(texts))
    if language == "ja":
        return set(re.findall(r"[A-Za-zÀ-ÿ]{2,}", read)) - SAME_IN_JAPANESE
    return {
        found[0]
        for parts, english in english_of(language)
        if all(part in read for part in parts) and (found := english.search(read))
    }


def untranslated_texts(page: Page, language: str) -> set[str]:
    """Return the texts on the page that are in English."""
    texts: list[str] = page.evaluate(TEXTS)
    assert len(texts) > 10
    assert page.evaluate("document.documentElement.lang") == language
    return english_in(texts, language)


@pytest.fixture(params=LANGUAGES)
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    """Yield a page on a telephone whose browser asks for that language."""
    context = chromium.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        locale=request.param,
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    yield context.new_page()
    context.close()


def language_of(page: Page) -> str:
    language: str = page.evaluate("navigator.language")
    return language


def check(page: Page, place: str) -> None:
    language = language_of(page)
    if language != "en":
        assert untranslated_texts(page, language) == set(), place
    assert page.evaluate(SPILLED) == [], place
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH, place


def visit_all(page: Page, address: str, passed: set[str]) -> None:
    """Open every page that a link leads to, one of each kind."""
    waiting = ["/"]
    while waiting:
        path = waiting.pop()
        kind = re.sub(r"(?<=/)[\w-]{8,}(?=/)", "*", path)
        if kind in passed:
            continue
        passed.add(kind)
        page.goto(f"{address}{path}")
        check(page, path)
        waiting += page.eval_on_selector_all(
            "a[href]:not([download])", "links => links.map((link) => link.pathname)"
        )


def test_pages_use_the_browser_language_and_fit(page: Page, address: str) -> None:
    page.goto(f"{address}/nothing/")
    check(page, "not there")
    page.goto(address)
    check(page, "first page, new")
    page.click("form[action='/play/'] button")
    page.wait_for_selector(".own button.tile")
    check(page, "table")
    for name in ("settings", "help"):
        page.locator(f".tool--{name}").dispatch_event("click")
        page.wait_for_selector(".sheet[open]")
        check(page, f"{name} of the table")
        page.click(".sheet[open] .sheet-close")
    seen: set[str] = set()
    visit_all(page, address, seen)
    assert {"/", "/watch/", "/table/*/"} <= seen
    page.goto(f"{address}/sign-up/")
    page.fill("[name=name]", f"Anna {len(page.title())}")
    page.fill("[name=password]", "short")
    with page.expect_navigation():
        page.click("form[action='/sign-up/'] button")
    check(page, "signing up, refused")
    page.fill("[name=password]", "three quiet lanterns")
    page.click("form[action='/sign-up/'] button")
    page.wait_for_selector("a[href='/profile/']")
    visit_all(page, address, seen - OTHER_WITH_ACCOUNT)


def test_tables_use_the_browser_language_and_fit(page: Page, address: str) -> None:
    show(page, address, None)
    if language_of(page) != "en":
        assert untranslated_texts(page, language_of(page)) == set(), "gallery"
    for scene in SCENES:
        show(page, address, scene)
        check(page, scene)


@pytest.mark.parametrize("size", ["tablet", "telephone upright", "telephone on its side"])
def test_calls_and_help_fit_in_every_language(page: Page, address: str, size: str) -> None:
    resize(page, size)
    for scene in ("claims", "kans", "waiting", "crowded"):
        show(page, address, scene, EVERY_HELP)
        page.wait_for_selector(".call")
        assert page.evaluate(OVERLAPS, ASKED) == [], scene
        assert page.evaluate(OUTSIDE, ".call, mj-clock, mj-hints, .auto") == 0, scene


def test_only_one_language_is_loaded(page: Page, address: str) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(f"{address}/gallery/?scene=turn")
    page.wait_for_selector("mj-centre .plate")
    found = [match[1] for url in loaded if (match := SCRIPT_OF_NAMES.search(url))]
    assert found == [language_of(page)]


def test_english_text_is_detected(chromium: Browser, address: str) -> None:
    page = chromium.new_page(locale="en")
    page.goto(address)
    texts: list[str] = page.evaluate(TEXTS)
    page.close()
    for language in words.LANGUAGES:
        assert len(english_in(texts, language)) > 15, language
