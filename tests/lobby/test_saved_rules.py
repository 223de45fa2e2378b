"""Saved rules: the pages that save, show, use, rename and delete them."""

from __future__ import annotations

import re

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.contrib.auth.models import User
from django.test import AsyncClient
from django.utils import translation
from django.utils.html import escape
from msgspec.structs import replace

from game.engine.presets import PRESETS, preset
from game.engine.rules import is_switch_used
from lobby.accounts import rate_limits
from lobby.models import Person, SavedRules
from lobby.play import saved_rules
from lobby.play.rule_sheet import has_effect
from lobby.play.rule_texts import GROUPS, SWITCHES
from tests.lobby.pages import (
    create_table,
    invite_link,
    numbers_in,
    press,
    room_at,
    table_form,
    text_of,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

BOTS = {"seat_1": "sensible", "seat_2": "sensible", "seat_3": "sensible"}
SHOWN_UMA = "+30 +10 \N{MINUS SIGN}10 \N{MINUS SIGN}30"
CLUB_RULES = {"rule-kuitan": "", "rule-uma": "30 10 -10 -30", "clock": "15+30"}


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def account(name: str) -> tuple[AsyncClient, Person]:
    user = await User.objects.acreate_user(name)
    person = await Person.objects.acreate(name=name, user=user, name_key=name, look_key=name)
    client = AsyncClient()
    await client.aforce_login(user)
    return client, person


async def save(client: AsyncClient, name: str = "Thursday", **changes: str) -> str:
    """Save rules on the page of a new table; return their key."""
    form = table_form(**{**CLUB_RULES, **changes})
    answer = await client.post("/tables/new/save/", {**form, "rules_name": name, "save": "1"})
    assert answer.status_code == 302, text_of(answer)
    found = re.fullmatch(r"/rules/([\w-]+)/", answer.headers["Location"])
    assert found
    return found[1]


def shown_form(page: str) -> dict[str, str]:
    """Return the chosen values of the selects, and the hidden key of the shown rules."""
    chosen = {
        select[1]: (re.search(r'<option value="([^"]*)" selected', select[2]) or ["", ""])[1]
        for select in re.finditer(r'<select name="([^"]+)"(.*?)</select>', page, re.DOTALL)
    }
    base = re.search(r'name="base" value="([^"]+)"', page)
    assert base
    return {**chosen, "base": base[1]}


async def test_saved_rules_are_played_at_a_later_table() -> None:
    client, _ = await account("saver")
    key = await save(client)
    page = text_of(await client.get(f"/tables/new/?rules={key}"))
    shown = shown_form(page)
    assert (shown["preset"], shown["base"], shown["clock"]) == (key, key, "15+30")
    assert numbers_in(page, "rule-uma") == ["30", "10", "-10", "-30"]
    choice = {"preset": key, "base": key, "clock": "15+30", **BOTS}
    rules = {"rule-uma": "30 10 -10 -30", "rule-kuitan": ""}
    form = {**table_form(**rules), **choice}
    address = (await client.post("/tables/new/", form)).headers["Location"]
    room = await room_at(await press(client, address, "ready"))
    assert room.table.rules.uma == (30, 10, -10, -30)
    assert room.meta.clock.base_ms == 15_000


async def test_saved_rules_are_chosen_without_a_script() -> None:
    """The switches on the page are still those of the preset."""
    client, _ = await account("saver")
    key = await save(client)
    form = {**table_form(**BOTS), "preset": key, "base": "tenhou"}
    address = (await client.post("/tables/new/", form)).headers["Location"]
    room = await room_at(await press(client, address, "ready"))
    assert room.table.rules.uma == (30, 10, -10, -30)
    shown = await client.post("/tables/new/", {**form, "show": "1"})
    assert numbers_in(text_of(shown), "rule-uma") == ["30", "10", "-10", "-30"]
    assert shown_form(text_of(shown))["clock"] == "15+30"
    part = text_of(await client.get(f"/tables/new/rules/{key}/"))
    assert 'data-clock="15+30"' in part
    assert numbers_in(part, "rule-uma") == ["30", "10", "-10", "-30"]


async def test_saved_preset_keeps_its_version() -> None:
    """Rules that were saved under version 1 are played by version 1."""
    client, person = await account("saver")
    old = preset("wrc-2025", 1)
    saved = await database_sync_to_async(saved_rules.save_rules)(person, "Old WRC", old, "5+10")
    named = await database_sync_to_async(saved_rules.find_named)(saved.pk)
    assert named is not None
    assert named.rules == old
    form = {**table_form(**BOTS), "preset": saved.pk, "base": "tenhou", "length": old.length}
    address = (await client.post("/tables/new/", form)).headers["Location"]
    room = await room_at(await press(client, address, "ready"))
    assert room.table.rules == replace(old, length=room.table.rules.length)
    assert room.table.rules.version == 1
    assert PRESETS["wrc-2025"].version > 1


async def test_guest_is_asked_to_sign_in_and_saves_nothing() -> None:
    guest = AsyncClient()
    answer = await guest.post(
        "/tables/new/save/", {**table_form(), "rules_name": "Mine", "save": "1"}
    )
    assert answer.status_code == 422
    assert "You need an account to save rules." in text_of(answer)
    assert await SavedRules.objects.acount() == 0


@pytest.mark.postgresql
async def test_name_is_needed_and_used_once() -> None:
    client, _ = await account("saver")
    await save(client)
    for name, text in (
        ("", "Please give the rules a name."),
        ("Thursday", "saved rules of this name"),
    ):
        answer = await client.post(
            "/tables/new/save/", {**table_form(), "rules_name": name, "save": "1"}
        )
        assert answer.status_code == 422
        assert text in text_of(answer)
    assert await SavedRules.objects.acount() == 1


async def test_guessing_clubs_ends_with_too_many_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "LINKS_OF_ADDRESS", rate_limits.Limit("few-links", 1, 60))
    client, _ = await account("saver")
    form = {**table_form(), "club": "unknown", "rules_name": "Mine", "save": "club"}
    # The limit may begin a new window in between.
    answers = [await client.post("/tables/new/save/", form) for _ in range(4)]
    assert {answer.status_code for answer in answers} == {404, 429}
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert "Too many attempts." in text_of(refused)


async def test_contradictory_rules_are_not_saved() -> None:
    client, _ = await account("saver")
    form = table_form(**{"rule-oka": "100"})
    answer = await client.post("/tables/new/save/", {**form, "rules_name": "Odd", "save": "1"})
    assert answer.status_code == 422
    assert await SavedRules.objects.acount() == 0


async def test_number_of_saved_rules_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_rules, "MAX_SAVED", 1)
    client, _ = await account("saver")
    await save(client)
    answer = await client.post(
        "/tables/new/save/", {**table_form(), "rules_name": "Friday", "save": "1"}
    )
    assert answer.status_code == 422
    assert "Delete one first" in text_of(answer)


@pytest.mark.postgresql
async def test_own_rules_are_listed_renamed_and_deleted() -> None:
    client, _ = await account("saver")
    key = await save(client)
    other = await save(client, "Friday")
    page = text_of(await client.get("/rules/"))
    assert "Thursday" in page
    assert f"/tables/new/?rules={key}" in page
    answer = await client.post(f"/rules/{key}/rename/", {"name": "Monday"})
    assert answer.status_code == 302
    answer = await client.post(f"/rules/{key}/rename/", {"name": "Friday"})
    assert answer.status_code == 422
    assert "saved rules of this name" in text_of(answer)
    assert (await SavedRules.objects.aget(pk=key)).name == "Monday"
    assert (await client.post(f"/rules/{key}/delete/")).status_code == 302
    assert [row.pk async for row in SavedRules.objects.all()] == [other]
    assert (await client.get(f"/rules/{key}/")).status_code == 404


async def test_others_use_saved_rules_but_do_not_change_them() -> None:
    client, _ = await account("saver")
    key = await save(client)
    stranger, _ = await account("stranger")
    for visitor in (AsyncClient(), stranger):
        assert SHOWN_UMA in text_of(await visitor.get(f"/rules/{key}/"))
        assert "Thursday" not in text_of(await visitor.get("/rules/"))
        assert shown_form(text_of(await visitor.get(f"/tables/new/?rules={key}")))["preset"] == key
        for verb in ("rename", "delete"):
            answer = await visitor.post(f"/rules/{key}/{verb}/", {"name": "Theirs"})
            assert answer.status_code == 404
    assert (await SavedRules.objects.aget(pk=key)).name == "Thursday"


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
async def test_page_of_rules_has_every_switch_in_words(language: str) -> None:
    seen = set()
    for key, rules in PRESETS.items():
        answer = await AsyncClient().get(f"/rules/{key}/?language={language}")
        page = text_of(answer)
        assert f'<html lang="{language}"' in page
        assert answer.headers["Content-Language"] == language
        shown = [name for name in SWITCHES if has_effect(rules, name)]
        with translation.override(language):
            for group in GROUPS:
                is_shown = any(name in shown for name in group.switches)
                assert (f">{escape(str(group.name))}<" in page) == is_shown, (key, group.name)
            for name in shown:
                assert f"<dt>{escape(str(SWITCHES[name].label))}</dt>" in page, (key, name)
                meaning = escape(str(SWITCHES[name].meaning(getattr(rules, name))))
                assert f"<span>{meaning}</span></dd>" in page, (key, name)
        assert len(re.findall(r"<dd><strong>[^<]+</strong>", page)) == len(shown), key
        seen.update(shown)
    applying = {name for name in SWITCHES if is_switch_used(name, 4)} - {"players"}
    assert seen == applying, "each plays a part in at least one preset"


async def test_invitation_leads_to_the_rules_of_its_table() -> None:
    host = AsyncClient()
    address = await create_table(host, entry="invited", **{"rule-uma": "30 10 -10 -30"})
    invited = await invite_link(host, address)
    stranger = AsyncClient()
    page = text_of(await stranger.get(invited))
    assert f'href="{invited}rules/"' in page
    assert SHOWN_UMA in text_of(await stranger.get(f"{invited}rules/"))
    assert (await stranger.get(f"{address}rules/")).status_code == 404
    assert SHOWN_UMA in text_of(await host.get(f"{address}rules/"))


async def test_unreadable_rules_are_not_listed() -> None:
    _, person = await account("saver")
    made = await SavedRules.objects.acreate(
        owner=person, name="Newer", rules={"uma": "none"}, clock="5+10"
    )
    assert (await AsyncClient().get(f"/rules/{made.pk}/")).status_code == 404
    assert await database_sync_to_async(saved_rules.saved_by)(person) == []


async def test_saved_rules_are_deleted_with_the_account_and_exported() -> None:
    client, person = await account("saver")
    await save(client)
    data = (await client.get("/privacy/own-data/")).json()
    (row,) = data["account"]["saved_rules"]
    assert (row["name"], row["clock"], row["rules"]["uma"]) == (
        "Thursday",
        "15+30",
        [30, 10, -10, -30],
    )
    user = await User.objects.aget(person=person)
    await sync_to_async(user.set_password)("four winds, one wall")
    await user.asave()
    await client.aforce_login(user)
    await client.post("/profile/delete/", {"old": "four winds, one wall"})
    assert (await Person.objects.aget(pk=person.pk)).deleted_at is not None
    assert await SavedRules.objects.acount() == 0
