"""The learning pages answer in every language, and link to each other."""

from __future__ import annotations

import re

import pytest
from django.test import AsyncClient

from game.engine.presets import PRESETS
from game.engine.rules import RuleSet
from lobby.learn import views
from lobby.learn.lessons import LESSONS
from lobby.learn.yaku_sheet import YakuGroup, yaku_sheet
from tests.lobby.pages import text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

PAGES = ("", "yaku/", "points/", "glossary/", "rules/")


async def page(path: str, language: str = "en") -> str:
    answer = await AsyncClient().get(f"/learn/{path}", headers={"accept-language": language})
    assert answer.status_code == 200
    return text_of(answer)


async def test_every_page_is_in_the_language_of_the_reader() -> None:
    for path in (*PAGES, *(f"{lesson.slug}/" for lesson in LESSONS)):
        japanese = await page(path, "ja")
        heading = (re.search(r"<h1>(.*?)</h1>", japanese) or ["", ""])[1]
        assert re.search(r"[\u3041-\u9fff]", heading), path
        assert 'lang="ja"' in japanese
    assert "Apprendre" in await page("", "fr")


async def test_lessons_lead_from_the_first_to_the_last() -> None:
    path, seen = f"{LESSONS[0].slug}/", []
    while path and path not in seen:
        seen.append(path)
        found = re.search(r'rel="next" href="/learn/([^"]+)"', await page(path))
        path = found[1] if found else ""
    assert seen == [f"{lesson.slug}/" for lesson in LESSONS]


async def test_first_page_and_navigation_lead_to_the_lessons() -> None:
    home = text_of(await AsyncClient().get("/", headers={"accept-language": "en"}))
    assert home.count('href="/learn/"') == 2
    listed = await page("")
    assert all(f'href="/learn/{lesson.slug}/"' in listed for lesson in LESSONS)


async def test_yaku_and_points_follow_the_chosen_rules() -> None:
    assert "Not with JPML A (until 2021) rules" in await page("yaku/?rules=jpml-a")
    assert "Not with JPML A (until 2021) rules" not in await page("yaku/?rules=nonsense")
    assert "2,000 / 3,900" in await page("points/?rules=tenhou")
    assert "2,000 / 3,900" not in await page("points/?rules=wrc-2025")


async def test_preset_of_the_address_is_shown() -> None:
    assert "Not with JPML A (until 2021) rules" in await page("yaku/?preset=jpml-a")


async def test_comparison_shows_the_chosen_presets() -> None:
    compared = await page("rules/?rules=tenhou&rules=wrc-2025&rules=unknown")
    assert set(re.findall(r'<a href="/rules/([\w-]+)/', compared)) == {"tenhou", "wrc-2025"}
    alone = await page("rules/?rules=tenhou")
    assert set(re.findall(r'<a href="/rules/([\w-]+)/', alone)) == set(PRESETS)


async def test_unknown_lesson_is_not_found() -> None:
    assert (await AsyncClient().get("/learn/nonsense/")).status_code == 404


async def test_browser_that_has_the_page_is_told_so() -> None:
    client = AsyncClient(headers={"accept-language": "en"})
    await client.get("/learn/yaku/")  # brings the key of the forms
    tag = (await client.get("/learn/yaku/")).headers["ETag"]
    again = await client.get("/learn/yaku/", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    for path, language in (("/learn/yaku/", "fr"), ("/learn/yaku/?rules=ema-2025", "en")):
        headers = {"if-none-match": tag, "accept-language": language}
        assert (await client.get(path, headers=headers)).status_code == 200


async def test_what_all_readers_share_is_made_once_for_each_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = list[str]()

    def sheet(rules: RuleSet) -> list[YakuGroup]:
        made.append(rules.name)
        return yaku_sheet(rules)

    monkeypatch.setattr(views, "yaku_sheet", sheet)
    for language in ("en", "en", "fr", "en", "fr"):
        await page("yaku/", language)
    await page("yaku/?rules=ema-2025")
    assert made == ["tenhou", "tenhou", "ema-2025"]
