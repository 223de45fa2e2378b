"""NUL characters, which PostgreSQL cannot store, are refused and cause no server error."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from game.live import authentication
from lobby.accounts.models import digest_of
from lobby.accounts.names import name_key
from lobby.models import BotAccount, BotToken, Person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh")]

COOKIE = 'sessionid="abcdefgh\\000ij"'
"""A cookie with a NUL character, which cookies write in octal."""


@pytest.mark.parametrize("query", [{"rules": "a\0"}, {"no\0": "a"}])
def test_query_with_nul_is_a_bad_request(query: dict[str, str]) -> None:
    assert Client().get("/tables/new/", query).status_code == 400


def test_form_with_nul_is_a_bad_request() -> None:
    answer = Client().post("/scheme/", {"scheme": "dark", "next": "/learn/", "more": "\0"})
    assert answer.status_code == 400
    assert "Go back, reload the page" in str(answer.content, "utf-8")


def test_cookie_with_nul_is_a_bad_request() -> None:
    assert Client().get("/learn/", HTTP_COOKIE=COOKIE).status_code == 400
    assert Client().get("/learn/", HTTP_COOKIE="sessionid=abcdefghij").status_code == 200


async def test_socket_ignores_a_cookie_with_nul(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()

    def person_of_key(key: str) -> str:
        asked.append(key)
        return ""

    monkeypatch.setattr(authentication, "person_of_key", person_of_key)
    assert (
        await authentication.find_person_of_socket({"headers": [(b"cookie", COOKIE.encode())]})
        == ""
    )
    assert not asked, "no session has such a key, and PostgreSQL cannot look it up"


def test_json_with_nul_is_refused() -> None:
    client, user = Client(), User.objects.create_user("anna")
    owner = Person.objects.create(name="Anna", user=user)
    client.force_login(user)
    settings = b'{"tiles": "\\u0000"}'
    answer = client.post("/profile/settings/", settings, content_type="application/json")
    assert answer.status_code == 400
    person = Person.objects.create(name="BOT Manue", name_key=name_key("BOT Manue"))
    bot = BotAccount.objects.create(person=person, owner=owner)
    BotToken.objects.create(bot=bot, digest=digest_of("token"), scopes=["tables"])
    players = b'{"players": ["Manue\\u0000", "novice", "novice", "novice"]}'
    answer = client.post(
        "/bots/tables/",
        players,
        content_type="application/json",
        headers={"Authorization": "Bearer token"},
    )
    assert answer.status_code == 422
