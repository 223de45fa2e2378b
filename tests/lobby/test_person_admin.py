"""Moderators can sanction and rename a person on that person's page in the admin site."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from game.models import Sanction
from lobby.models import BotAccount, Person
from tests.kit.moderators import moderator

pytestmark = pytest.mark.django_db(transaction=True)


def fields_of(page: str) -> dict[str, str]:
    """Return the data that the unchanged form on the page would send."""
    sent = dict(re.findall(r'<input[^>]*? name="(\w+)" value="([^"]*)"', page))
    chosen = re.findall(r'<select name="(\w+)".*?<option value="(\w+)" selected', page, re.DOTALL)
    return {name: unescape(value) for name, value in [*sent.items(), *chosen]}


def test_a_ban_takes_three_clicks_and_no_id() -> None:
    browser = moderator("view_person", "view_sanction", "add_sanction")
    person = Person.objects.create(name="Guest 1234")
    page = browser.get(f"/admin/lobby/person/{person.pk}/change/").content.decode()
    link = re.search(r'<a href="([^"]+)">Mute or ban', page)
    assert link
    form = fields_of(browser.get(unescape(link[1])).content.decode())
    assert browser.post("/admin/game/sanction/add/", form).status_code == 302
    ban = Sanction.objects.get()
    assert (ban.person_id, ban.kind) == (person.pk, Sanction.BAN)
    assert timedelta(days=6) < ban.until - timezone.now() <= timedelta(days=7)
    assert f"ban until {ban.until:%Y-%m-%d}" in (
        browser.get(f"/admin/lobby/person/{person.pk}/change/").content.decode()
    )


def test_without_the_permission_no_sanction_is_shown() -> None:
    browser = moderator("view_person")
    person = Person.objects.create(name="Guest 1234")
    Sanction.objects.create(person_id=person.pk, kind=Sanction.BAN, until=timezone.now())
    page = browser.get(f"/admin/lobby/person/{person.pk}/change/").content.decode()
    assert "Mute or ban" not in page
    assert "ban until" not in page


def test_name_of_a_bot_keeps_its_mark() -> None:
    browser = moderator("view_person", "change_person")
    owner = Person.objects.create(name="Anna")
    bot = Person.objects.create(name="BOT Manue", name_key="botmanue", look_key="botmanue")
    BotAccount.objects.create(person=bot, owner=owner)
    browser.post(f"/admin/lobby/person/{bot.pk}/change/", {"name": "Manue", "language": ""})
    bot.refresh_from_db()
    assert bot.name == "BOT Manue"
