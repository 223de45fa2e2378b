"""Pages are in the language that the browser asks for, or in the one that was chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.core.signals import got_request_exception
from django.http import HttpResponse
from django.test import AsyncClient
from django.utils import translation

from game.models import Game, GameSeat
from game.results import history
from lobby.accounts.visitors import get_or_create_guest
from lobby.models import Person

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

FIRST_PAGE = {"en": "Play now", "fr": "Jouer", "ja": "対局を始める"}
NOT_THERE = {
    "en": "There is no page at this address",
    "fr": "Aucune page à cette adresse",
    "ja": "このURLにページはありません",
}
REFUSED = {"en": "Please try again", "fr": "Veuillez réessayer", "ja": "もう一度お試しください"}
FAILED = {
    "en": "Something went wrong",
    "fr": "Quelque chose s’est mal passé",
    "ja": "問題が発生しました",
}
LANGUAGES = sorted(FIRST_PAGE)


@pytest.fixture(autouse=True)
def no_language() -> Iterator[None]:
    """Begin each test without a language chosen in this thread."""
    with translation.override(None):
        yield


class Browser(AsyncClient):
    """A browser that requests its language."""

    language = ""

    def generic(self, method: str, path: str, *args: Any, **extra: Any) -> Any:
        extra["headers"] = {"accept-language": self.language}
        return super().generic(method, path, *args, **extra)


def browser(language: str, *, checks_forms: bool = False) -> Browser:
    """Return a client whose browser requests that language."""
    made = Browser(enforce_csrf_checks=checks_forms, raise_request_exception=False)
    made.language = language
    return made


def text_of(response: HttpResponse) -> str:
    return response.content.decode()


def language_of(response: HttpResponse) -> str:
    found = re.search(r'<html lang="([\w-]+)"', text_of(response))
    assert found
    assert response.headers["Content-Language"] == found[1]
    return found[1]


def form_of(response: HttpResponse) -> dict[str, str]:
    """Return the hidden fields of the form that chooses a language."""
    form = re.search(r'<form[^>]*action="/language/".*?</form>', text_of(response), re.DOTALL)
    assert form
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[0]))


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [
        ("en-GB,en;q=0.9", "en"),
        ("fr", "fr"),
        ("fr-CA,fr;q=0.8,en;q=0.5", "fr"),
        ("ja", "ja"),
        ("de-DE,de;q=0.9,ja;q=0.3", "ja"),
        ("zh-Hant,ko", "en"),
        ("", "en"),
    ],
)
async def test_language_follows_the_browser(asked: str, spoken: str) -> None:
    page = await browser(asked).get("/")
    assert language_of(page) == spoken
    assert FIRST_PAGE[spoken] in text_of(page)
    assert "Accept-Language" in page.headers["Vary"]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_language_is_chosen_with_a_button_and_kept(language: str) -> None:
    visitor = browser("ja" if language == "en" else "en", checks_forms=True)
    page = await visitor.get("/nothing?at=all")
    fields = form_of(page)
    assert re.search(rf'<button type="submit" name="language" value="{language}"', text_of(page))
    answer = await visitor.post("/language/", {**fields, "language": language})
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/nothing?at=all"
    cookie = answer.cookies["django_language"]
    assert cookie["max-age"] >= 60 * 60 * 24 * 300
    assert cookie["httponly"]
    page = await visitor.get("/")
    assert language_of(page) == language
    assert FIRST_PAGE[language] in text_of(page)
    current = re.findall(r'value="(\w+)"[^>]* aria-current="true"', text_of(page))
    assert current == [language]


async def test_each_language_is_offered_by_its_own_name() -> None:
    for language in LANGUAGES:
        page = text_of(await browser(language).get("/"))
        offered = re.findall(r'<button[^>]* lang="(\w+)"[^>]*>([^<]+)</button>', page)
        assert offered == [("en", "English"), ("fr", "Français"), ("ja", "日本語")]


@pytest.mark.parametrize("wrong", ["tlh", "", "../x"])
async def test_unknown_language_changes_nothing(wrong: str) -> None:
    visitor = browser("fr")
    await visitor.post("/language/", {"language": wrong, "next": "/"})
    assert language_of(await visitor.get("/")) == "fr"


async def test_language_choice_redirects_within_the_site() -> None:
    answer = await browser("fr").post(
        "/language/", {"language": "ja", "next": "https://example.org/"}
    )
    assert answer.headers["Location"] == "/"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_missing_page_is_explained(language: str) -> None:
    page = await browser(language).get("/nothing")
    assert page.status_code == 404
    assert language_of(page) == language
    assert NOT_THERE[language] in text_of(page)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_form_without_a_token_is_refused_with_a_text(language: str) -> None:
    page = await browser(language, checks_forms=True).post("/play/")
    assert page.status_code == 403
    assert language_of(page) == language
    assert REFUSED[language] in text_of(page)
    assert form_of(page)["next"] == "/"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_server_error_is_explained(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(table_id: str) -> None:
        raise RuntimeError(table_id)

    monkeypatch.setattr(history, "find_game", fault)
    noted: list[object] = []
    got_request_exception.connect(
        lambda **details: noted.append(details), weak=False, dispatch_uid="n"
    )
    try:
        page = await browser(language).get("/game/one/")
    finally:
        got_request_exception.disconnect(dispatch_uid="n")
    assert noted
    assert page.status_code == 500
    assert language_of(page) == language
    assert FAILED[language] in text_of(page)


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("language", "name"),
    [("en", r"Guest \d{4}"), ("fr", r"Invité \d{4}"), ("ja", r"ゲスト\d{4}")],
)
async def test_guest_is_named_in_the_readers_language(language: str, name: str) -> None:
    with translation.override(language):
        person = await database_sync_to_async(get_or_create_guest)({})
    assert re.fullmatch(name, person.name)
    assert await Person.objects.filter(name=person.name).acount() == 1


async def played_game() -> None:
    """Store a game of two hands in the database."""
    win = {"type": "hora", "actor": 0, "target": 2, "fan": 3, "fu": 40, "limit": ""}
    hands = [
        {"kyoku": 0, "honba": 0, "results": [{**win, "deltas": [5200, 0, -5200, 0]}]},
        {
            "kyoku": 5,
            "honba": 2,
            "results": [{"type": "ryukyoku", "reason": "sufon_renda", "deltas": [0, 0, 0, 0]}],
        },
        {
            "kyoku": 6,
            "honba": 0,
            "results": [
                {
                    **win,
                    "actor": 1,
                    "target": 1,
                    "limit": "haneman",
                    "deltas": [0, 12000, -6e3, -6e3],
                }
            ],
        },
    ]
    at = datetime(2026, 3, 9, 18, 5, tzinfo=UTC)
    game = await Game.objects.acreate(
        table_id="one", rules={}, started_at=at, ended_at=at, hands=hands
    )
    for seat, points in enumerate(("52.2", "12.0", "-21.2", "-43.0")):
        await GameSeat.objects.acreate(
            game=game,
            seat=seat,
            name="ABCD"[seat],
            score=41_200 if seat == 0 else -1_300,
            place=seat + 1,
            points=Decimal(points),
        )


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            [
                *("9 March 2026", "East 1", "South 2, 2 honba", "A, ron from C, 3 han 40 fu"),
                *("Four winds discarded", "B, tsumo, Haneman", "41,200", "+5,200", "+52.2"),
                "\N{MINUS SIGN}43.0",
            ],
        ),
        (
            "fr",
            [
                *("9 mars 2026", "Est 1", "Sud 2, 2 honba", "A, ron sur C, 3 han 40 fu"),
                *("Quatre vents identiques", "B, tsumo, Haneman", "41\xa0200", "+5\xa0200"),
                *("+52,2", "\N{MINUS SIGN}43,0"),
            ],
        ),
        (
            "ja",
            [
                *("2026年3月9日", "東1局", "南2局", "A ロン（放銃：C） 40符3翻"),
                *("四風連打", "B ツモ 跳満", "41,200", "+5,200", "+52.2", "\N{MINUS SIGN}43.0"),
            ],
        ),
    ],
)
async def test_finished_game_is_localised(language: str, expected: list[str]) -> None:
    await played_game()
    page = await browser(language).get("/game/one/")
    assert language_of(page) == language
    text = text_of(page).replace("\N{NARROW NO-BREAK SPACE}", "\xa0").replace("&minus;", "")
    assert [words for words in expected if words not in text] == []
