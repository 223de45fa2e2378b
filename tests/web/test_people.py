"""Accounts, as a browser shows them."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.contrib.auth.hashers import MD5PasswordHasher, get_hasher, make_password
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core import mail
from django.http import HttpResponse
from django.test import AsyncClient, RequestFactory, override_settings

from game.identity.sessions import SESSION_KEY, person_of
from game.models import Player
from game.results.players import list_player
from lobby.accounts import password_reset, rate_limits
from lobby.accounts.visitors import get_or_create_guest
from lobby.models import Person
from mahjong_site import settings as of_site

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh")]

PASSWORD = "four winds, one wall"
NEW = "three dragons and a pair"


LowerLimit = Callable[[str, int], None]


@pytest.fixture
def lower_limit(monkeypatch: pytest.MonkeyPatch) -> LowerLimit:
    """Return a function that lowers a limit to that many tries."""

    def lower(name: str, at_most: int) -> None:
        monkeypatch.setattr(rate_limits, name, replace(getattr(rate_limits, name), at_most=at_most))

    return lower


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Stop the clock of the cache: its one entry is the time, in seconds."""
    now = [time.time()]
    monkeypatch.setattr(time, "time", lambda: now[0])
    return now


class Browser(AsyncClient):
    """A browser at that address."""

    address = ""
    host = ""

    def _base_scope(self, **request: Any) -> dict[str, Any]:
        scope: dict[str, Any] = super()._base_scope(**request)
        if self.host:
            headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
            scope["headers"] = [*headers, (b"host", self.host.encode())]
        return {**scope, "client": [self.address, 40_000]}


def browser(address: str = "127.0.0.1", *, checks_forms: bool = False) -> Browser:
    made = Browser(enforce_csrf_checks=checks_forms)
    made.address = address
    return made


def text_of(page: HttpResponse) -> str:
    """Return the text of the page without its tokens."""
    text = page.content.decode()
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)


async def guest(at: AsyncClient) -> Person:
    """Return the browser's guest, as after its first game."""
    session = await at.asession()
    person = await database_sync_to_async(get_or_create_guest)(session)
    await session.asave()
    return person


async def sign_up(at: AsyncClient, name: str = "Anna", **fields: str) -> Any:
    return await at.post("/sign-up/", {"name": name, "password": PASSWORD, **fields})


async def sign_in(at: AsyncClient, name: str = "Anna", password: str = PASSWORD) -> Any:
    return await at.post("/sign-in/", {"name": name, "password": password})


async def seat_of(at: AsyncClient) -> str:
    """Return the id of the person for whom a socket of that browser would sit down."""
    return await database_sync_to_async(person_of)(await at.asession())


async def is_signed_in(at: AsyncClient) -> bool:
    page = await at.get("/profile/")
    return bool(page.status_code == 200)


# Signing up


@pytest.mark.postgresql
async def test_sign_up_keeps_the_person() -> None:
    anna = browser()
    before = await guest(anna)
    assert before.name in text_of(await anna.get("/sign-up/"))
    page = await sign_up(anna)
    assert (page.status_code, page["Location"]) == (302, "/?welcome")
    person = await Person.objects.select_related("user").aget()
    assert (person.pk, person.name, person.is_account) == (before.pk, "Anna", True)
    assert await seat_of(anna) == str(person.pk)
    assert await Player.objects.filter(pk=person.pk, name="Anna", is_listed=True).aexists()


async def test_page_after_signing_up_greets_the_account() -> None:
    anna = browser()
    assert "Welcome" not in text_of(await anna.get("/lobby/?welcome"))
    page = await sign_up(anna, next="/lobby/?a=b#c")
    assert page["Location"] == "/lobby/?a=b&welcome#c"
    assert "Welcome, Anna." in text_of(await anna.get("/lobby/?a=b&welcome"))
    assert "Welcome" not in text_of(await anna.get("/lobby/"))


async def test_anonymous_visitor_signs_up_and_is_signed_in() -> None:
    anna = browser()
    assert not await is_signed_in(anna)
    await sign_up(anna, name="  Anna   Maria")
    assert await is_signed_in(anna)
    assert "Anna Maria" in text_of(await anna.get("/"))
    assert (await anna.get("/sign-up/"))["Location"] == "/profile/"


@pytest.mark.postgresql
@pytest.mark.parametrize("name", ["anna", "ANNA", "\u0391\u039d\u039d\u0391", "Ánna", "An.na"])
async def test_confusable_name_is_taken(name: str) -> None:
    await sign_up(browser())
    page = await sign_up(browser("127.0.0.2"), name)
    assert "Somebody has this name" in text_of(page)
    assert await Person.objects.acount() == 1


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"password": "short"}, "at least 8 characters"),
        ({"password": "password1"}, "too common"),
        (
            {"name": "Feathertail", "password": "feathertail1"},
            "too similar to the name or the e-mail address",
        ),
        ({"mail": "nowhere"}, "an address such as name@example.org"),
        ({"name": "a\u202eb"}, "Letters, digits"),
        ({"name": "admin"}, "name is reserved"),
    ],
)
async def test_invalid_input_is_reported_at_its_field(fields: dict[str, str], text: str) -> None:
    page = await sign_up(browser(), **fields)
    assert page.status_code == 200
    assert text in text_of(page)
    assert 'aria-invalid="true"' in text_of(page)
    assert not await User.objects.aexists()


def test_passwords_are_stored_as_argon2() -> None:
    with override_settings(PASSWORD_HASHERS=of_site.PASSWORD_HASHERS):
        assert get_hasher().algorithm == "argon2"
        assert make_password(PASSWORD).startswith("argon2$argon2id$")


async def test_forms_of_other_sites_do_nothing() -> None:
    anna = browser(checks_forms=True)
    for path in ("/sign-up/", "/sign-in/", "/sign-out/", "/profile/delete/", "/profile/settings/"):
        assert (await anna.post(path, {"name": "Anna"})).status_code == 403, path


# Signing in


async def test_sign_in_ignores_the_case_of_the_name() -> None:
    await sign_up(browser())
    person = await Person.objects.aget()
    other = browser("127.0.0.2")
    page = await sign_in(other, "ANNA")
    assert (page.status_code, page["Location"]) == (302, "/")
    assert await seat_of(other) == str(person.pk)


async def test_sign_in_renews_the_session_key() -> None:
    await sign_up(browser())
    other = browser()
    await guest(other)
    key = other.cookies["sessionid"].value
    await sign_in(other)
    assert other.cookies["sessionid"].value != key
    assert not await Session.objects.filter(pk=key).aexists()


async def test_sign_in_redirects_within_the_site() -> None:
    await sign_up(browser())
    fields = {"name": "Anna", "password": PASSWORD}
    for wanted, leads_to in [
        ("/games/", "/games/"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("\\\\evil.example/", "/"),
        ("https:evil.example", "/"),
        ("javascript:alert(1)", "/"),
    ]:
        page = await browser().post("/sign-in/", {**fields, "next": wanted})
        assert page["Location"] == leads_to


class CountingHasher(MD5PasswordHasher):
    """A password hasher that counts its hashes, which take most of the time."""

    times = 0

    def encode(self, password: str, salt: str) -> str:
        CountingHasher.times += 1
        return super().encode(password, salt)


@override_settings(PASSWORD_HASHERS=["tests.web.test_people.CountingHasher"])
async def test_failed_sign_ins_look_alike() -> None:
    await sign_up(browser())
    await sign_up(browser(), "Bruno")
    await User.objects.filter(username="Bruno").aupdate(is_active=False)
    answers, times = [], []
    for name, password in (("Nobody", PASSWORD), ("Anna", NEW), ("Bruno", PASSWORD)):
        CountingHasher.times = 0
        page = await sign_in(browser(), name, password)
        times.append(CountingHasher.times)
        answers.append((page.status_code, text_of(page).replace(name, "")))
    assert answers[0] == answers[1] == answers[2]
    assert "There is no account with this name and password" in answers[0][1]
    assert times == [1, 1, 1]


async def guess(address: str, times: int, name: str = "anna") -> list[int]:
    """Sign in that many times with wrong passwords from that address; return the statuses."""
    pages = [await sign_in(browser(address), name, f"guess number {at}") for at in range(times)]
    return [page.status_code for page in pages]


async def test_wrong_sign_ins_elsewhere_do_not_lock_the_owner_out(clock: list[float]) -> None:
    await sign_up(browser())
    assert 429 in await guess("10.0.0.1", 12)
    assert (await sign_in(browser("10.1.0.1"))).status_code == 302


async def test_wrong_sign_ins_are_limited_per_address_and_name(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    monkeypatch.setattr(
        rate_limits, "SIGN_IN_OF_ADDRESS_AND_NAME", rate_limits.Pace("pair-test", 3, longest_s=1)
    )
    await sign_up(browser())
    assert await guess("10.0.0.1", 6) == [200] * 4 + [429] * 2
    page = await sign_in(browser("10.0.0.1"))
    assert page.status_code == 429, "the right password has to wait as well"
    assert "Please wait" in text_of(page)
    assert await guess("10.0.0.1", 1, "bruno") == [200], "another name is not limited"
    clock[0] += 1.5
    assert (await sign_in(browser("10.0.0.1"))).status_code == 302
    assert await guess("10.0.0.1", 4) == [200] * 4, "a sign-in restores all tries"


async def test_name_tried_from_many_addresses_is_limited(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    monkeypatch.setattr(
        rate_limits, "SIGN_IN_OF_NAME", rate_limits.Pace("name-test", 5, longest_s=60)
    )
    await sign_up(browser("10.1.0.1"))
    assert (await sign_in(browser("10.1.0.2"))).status_code == 302
    statuses = [(await guess(f"10.0.0.{at}", 1))[0] for at in range(8)]
    assert statuses == [200] * 5 + [429] * 3
    for address, status in (("10.1.0.1", 302), ("10.1.0.2", 302), ("10.1.0.3", 429)):
        assert (await sign_in(browser(address))).status_code == status, address


async def test_parallel_tries_are_counted(clock: list[float]) -> None:
    pace = rate_limits.Pace("parallel-test", 3, longest_s=60)
    count = sync_to_async(pace.count, thread_sensitive=False)
    tries = await asyncio.gather(*(count("anna") for _ in range(20)), return_exceptions=True)
    assert sum(isinstance(outcome, rate_limits.TooOften) for outcome in tries) == 16


async def test_admin_sign_in_is_limited(clock: list[float]) -> None:
    await User.objects.acreate_superuser("root", password=PASSWORD)

    async def enter(address: str, password: str) -> int:
        fields = {"username": "root", "password": password}
        return int((await browser(address).post("/admin/login/", fields)).status_code)

    statuses = [await enter("10.0.0.1", f"guess {at}") for at in range(12)]
    assert statuses[:5] == [200] * 5
    assert statuses[-1] == 429
    assert await enter("10.1.0.1", PASSWORD) == 302


async def test_sign_ins_of_an_address_are_limited(lower_limit: LowerLimit) -> None:
    await sign_up(browser())
    lower_limit("SIGN_IN_OF_ADDRESS", 3)
    for at in range(3):
        assert (await sign_in(browser("2001:db8::1"), f"Name {at}x")).status_code == 200
    assert (await sign_in(browser("2001:db8::ffff"))).status_code == 429
    assert (await sign_in(browser("2001:db8:0:1::1"))).status_code == 302


async def test_sign_ups_of_an_address_are_limited(lower_limit: LowerLimit) -> None:
    lower_limit("SIGN_UP_OF_ADDRESS", 2)
    pages = [await sign_up(browser("10.0.0.9"), f"Anna {at}x") for at in range(3)]
    assert [page.status_code for page in pages] == [302, 302, 429]


async def test_sign_ups_with_a_taken_name_are_limited(lower_limit: LowerLimit) -> None:
    lower_limit("SIGN_UP_OF_NAME", 3)
    pages = [await sign_up(browser(f"10.0.0.{at}")) for at in range(4)]
    assert [page.status_code for page in pages] == [302, 200, 200, 429]


# Signing out and deleting the account


async def test_signing_out_ends_the_session() -> None:
    anna = browser()
    await sign_up(anna)
    page = await anna.post("/sign-out/")
    assert page["Location"] == "/"
    assert not await is_signed_in(anna)
    assert await seat_of(anna) == ""
    assert (await anna.get("/sign-out/")).status_code == 405


async def test_a_new_password_ends_every_other_session() -> None:
    first, second = browser(), browser("127.0.0.2")
    await sign_up(first)
    await sign_in(second)
    wrong = await first.post("/profile/password/", {"old": NEW, "password": NEW})
    assert "not your password" in text_of(wrong)
    page = await first.post("/profile/password/", {"old": PASSWORD, "password": NEW})
    assert page["Location"] == "/profile/?saved=password#password"
    assert await seat_of(second) == ""
    assert not await is_signed_in(second)
    assert await is_signed_in(first)
    assert (await sign_in(browser(), password=PASSWORD)).status_code == 200
    assert (await sign_in(browser(), password=NEW)).status_code == 302


async def test_closed_account_has_no_session() -> None:
    anna = browser()
    await sign_up(anna)
    await User.objects.aupdate(is_active=False)
    assert await seat_of(anna) == ""
    assert not await is_signed_in(anna)


async def test_deleted_account_leaves_an_unnamed_person() -> None:
    first, second = browser(), browser("127.0.0.2")
    await sign_up(first, mail="anna@example.org")
    await sign_in(second)
    person = await Person.objects.aget()
    assert "not your password" in text_of(await first.post("/profile/delete/", {"old": NEW}))
    page = await first.post("/profile/delete/", {"old": PASSWORD})
    assert page["Location"] == "/"
    for client in (first, second):
        assert await seat_of(client) == ""
        assert not await is_signed_in(client)
    left = await Person.objects.aget()
    assert (left.pk, left.name, left.name_key, left.user_id) == (person.pk, "", None, None)
    assert left.deleted_at is not None
    assert not await User.objects.aexists()
    assert (await first.get(f"/player/{person.pk}/")).status_code == 404
    assert (await sign_up(browser("127.0.0.3"))).status_code == 302, "the name is free again"


async def test_a_deleted_person_is_no_guest_either() -> None:
    left = await Person.objects.acreate(name="", deleted_at="2026-01-01T00:00Z")
    anna = browser()
    session = await anna.asession()
    session[SESSION_KEY] = str(left.pk)
    await session.asave()
    assert (await guest(anna)).pk != left.pk


# A forgotten password


async def letters() -> list[Any]:
    """Wait for the mails that are being sent; return all that were sent."""
    # One thread sends them in order.
    await asyncio.wrap_future(password_reset._senders.submit(lambda: None))
    return mail.outbox


async def ask(address: str, at: str = "127.0.0.1", host: str = "", **headers: str) -> Any:
    asking = browser(at)
    asking.host = host
    return await asking.post("/sign-in/forgotten/", {"mail": address}, headers=headers)


def link_in(letter: Any) -> str:
    found = re.search(r"http://testserver(/\S+)", letter.body)
    assert found, letter.body
    return found[1]


async def test_password_reset_does_not_reveal_accounts() -> None:
    await sign_up(browser(), mail="anna@example.org")
    known, unknown = await ask("anna@example.org"), await ask("nobody@example.org")
    assert text_of(known) == text_of(unknown)
    assert [letter.to for letter in await letters()] == [["anna@example.org"]]


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("testserver", "http://testserver"),
        ("testserver:80", "http://testserver"),
        ("testserver:8443", "http://testserver"),
        ("TESTSERVER:22", "http://testserver"),
    ],
)
async def test_reset_link_ignores_a_forged_port(host: str, site: str) -> None:
    await sign_up(browser(), mail="anna@example.org")
    await ask("anna@example.org", host=host)
    (letter,) = await letters()
    assert f"{site}/sign-in/link/" in letter.body


def test_reset_link_keeps_the_servers_port() -> None:
    request = RequestFactory().get("/", headers={"host": "localhost:8000"}, SERVER_PORT="8000")
    assert password_reset.site_address(request) == "http://localhost:8000"
    request = RequestFactory().get("/", headers={"host": "localhost:8001"}, SERVER_PORT="8000")
    assert password_reset.site_address(request) == "http://localhost"


@override_settings(SITE_URL="https://mahjong.example.org:8443")
async def test_reset_link_uses_the_configured_address() -> None:
    await sign_up(browser(), mail="anna@example.org")
    await ask("anna@example.org", host="testserver:22")
    (letter,) = await letters()
    assert "\nhttps://mahjong.example.org:8443/sign-in/link/" in letter.body


async def test_reset_link_is_sent_after_the_request_has_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_answered = threading.Event()
    count = rate_limits.Limit.count

    def count_late(limit: rate_limits.Limit, who: str) -> None:
        if limit is rate_limits.RESET_OF_MAIL:
            is_answered.wait()
        count(limit, who)

    monkeypatch.setattr(rate_limits.Limit, "count", count_late)
    await sign_up(browser(), mail="anna@example.org")
    await ask("anna@example.org")
    is_answered.set()
    assert len(await letters()) == 1


@pytest.mark.postgresql
async def test_reset_link_works_once() -> None:
    first = browser()
    await sign_up(first, mail="Anna@Example.org")
    await ask("anna@example.ORG")
    (letter,) = await letters()
    link = link_in(letter)
    assert "Hello Anna" in letter.body
    visitor = browser("127.0.0.2")
    assert (await visitor.get(link)).status_code == 200
    assert "too common" in text_of(await visitor.post(link, {"password": "password1"}))
    page = await visitor.post(link, {"password": NEW})
    assert page["Location"] == "/sign-in/?reset"
    assert not await is_signed_in(first), "sessions under the old password are over"
    assert (await visitor.get(link)).status_code == 410
    assert (await visitor.post(link, {"password": PASSWORD})).status_code == 410
    assert (await sign_in(visitor, password=NEW)).status_code == 302


async def test_changed_or_old_reset_link_is_refused() -> None:
    await sign_up(browser(), "Bruno")
    await sign_up(browser(), mail="anna@example.org")
    await ask("anna@example.org")
    link = link_in((await letters())[0])
    *_, uid, token, _ = link.split("/")
    bruno = await User.objects.aget(username="Bruno")
    other = password_reset.urlsafe_base64_encode(str(bruno.pk).encode())
    for path in (f"{other}/{token}", f"{uid}/{token}x", f"@@/{token}", f"{uid}/x"):
        assert (await browser().get(f"/sign-in/link/{path}/")).status_code == 410, path
    with override_settings(PASSWORD_RESET_TIMEOUT=-1):
        assert (await browser().get(link)).status_code == 410


async def test_mail_has_the_receivers_language() -> None:
    await sign_up(browser(), mail="anna@example.org")
    await Person.objects.aupdate(language="fr")
    await ask("anna@example.org", **{"accept-language": "ja"})
    (letter,) = await letters()
    assert "Bonjour" in letter.body


async def test_reset_mails_to_an_address_are_limited(lower_limit: LowerLimit) -> None:
    await sign_up(browser(), mail="anna@example.org")
    lower_limit("RESET_OF_MAIL", 2)
    lower_limit("RESET_OF_ADDRESS", 2)
    pages = [await ask("anna@example.org", f"10.0.0.{at}") for at in range(4)]
    assert {text_of(page) for page in pages} == {text_of(pages[0])}
    assert len(await letters()) == 2
    asked = [(await ask(f"{at}@example.org", "10.1.1.1")).status_code for at in range(3)]
    assert asked == [200, 200, 429]


# The profile


@pytest.mark.postgresql
async def test_new_name_takes_effect(lower_limit: LowerLimit) -> None:
    lower_limit("RENAMES_OF_PERSON", 2)
    anna = browser()
    await sign_up(anna)
    page = await anna.post("/profile/name/", {"name": "Annika"})
    assert page["Location"] == "/profile/?saved=name#name"
    assert "Saved." in text_of(await anna.get("/profile/?saved=name"))
    assert (await sign_in(browser(), "Annika")).status_code == 302
    assert (await sign_in(browser(), "Anna")).status_code == 200
    assert await Player.objects.filter(name="Annika").aexists()
    await sign_up(browser("127.0.0.2"), "Bruno")
    taken = await anna.post("/profile/name/", {"name": "bruno"})
    assert "Somebody has this name" in text_of(taken)
    assert (await Person.objects.aget(user__username="Annika")).name == "Annika"
    page = await anna.post("/profile/name/", {"name": "Annina"})
    assert page.status_code == 429


async def test_language_is_stored_with_the_account() -> None:
    first, second = browser(), browser("127.0.0.2")
    await sign_up(first)
    await first.post("/profile/language/", {"language": "fr"})
    assert 'lang="fr"' in text_of(await first.get("/"))
    await sign_in(second)
    assert 'lang="fr"' in text_of(await second.get("/"))
    await second.post("/language/", {"language": "ja", "next": "/"})
    assert (await Person.objects.aget()).language == "ja"
    await first.post("/profile/language/", {"language": ""})
    assert 'lang="en"' in text_of(await first.get("/"))
    page = await first.post("/profile/language/", {"language": "xx"})
    assert page.status_code == 200
    assert (await Person.objects.aget()).language == ""


async def test_the_address_changes_with_the_password_only(lower_limit: LowerLimit) -> None:
    lower_limit("PASSWORD_OF_PERSON", 2)
    anna = browser()
    await sign_up(anna)
    await anna.post("/profile/mail/", {"mail": "anna@example.org", "old": NEW})
    assert (await User.objects.aget()).email == ""
    await anna.post("/profile/mail/", {"mail": "anna@example.org", "old": PASSWORD})
    assert (await User.objects.aget()).email == "anna@example.org"
    pages = [await anna.post("/profile/delete/", {"old": NEW}) for _ in range(3)]
    assert [page.status_code for page in pages] == [200, 200, 429]


async def test_the_settings_of_the_table_are_kept_with_the_account() -> None:
    anna = browser()
    await sign_up(anna)
    assert (await Person.objects.aget()).table_settings_json == "null"

    async def sent(values: Any) -> int:
        page = await anna.post("/profile/settings/", json.dumps(values), "application/json")
        return int(page.status_code)

    assert await sent({"volume": 0.25, "tiles": "contrast", "letter_keys": False}) == 204
    page = text_of(await anna.get("/profile/"))
    assert re.search(r'value="0.25"', page)
    assert re.search(r'<option value="contrast" selected>', page)
    form = {"tiles": "plain", "discard_by": "auto", "motion": "on", "volume": "0.5", "muted": "on"}
    assert (await anna.post("/profile/table/", form)).status_code == 302
    kept = json.loads((await Person.objects.aget()).table_settings_json)
    hints = {key: False for key in kept if key.startswith("hint_")}
    assert kept == {"volume": 0.5, "muted": True, "letter_keys": False, **hints}
    for wrong in (
        [],
        {"a": [1]},
        {"A": 1},
        {"a": "x" * 41},
        {f"k_{'x' * n}": 1 for n in range(65)},
    ):
        assert await sent(wrong) == 400
    assert (await browser().post("/profile/settings/", "{}", "application/json")).status_code == 403
    too_long = await anna.post("/profile/settings/", "{" + " " * 5000 + "}", "application/json")
    assert too_long.status_code == 400


@pytest.mark.parametrize(
    "part", ["", "name/", "language/", "table/", "password/", "mail/", "delete/"]
)
async def test_profile_needs_a_sign_in(part: str) -> None:
    is_page = part in {"", "delete/"}
    page_after = f"/profile/{part}" if is_page else "/profile/"
    for who in (browser(), browser()):
        page = await (who.get if is_page else who.post)(f"/profile/{part}")
        assert (page.status_code, page["Location"]) == (302, f"/sign-in/?next={page_after}")
        await guest(who)


async def test_sign_in_leads_to_the_page_asked_for() -> None:
    await sign_up(browser())
    anna = browser()
    asked = await anna.get("/friends/?done=invite")
    assert asked["Location"] == "/sign-in/?next=/friends/%3Fdone%3Dinvite"
    entered = await anna.post(asked["Location"], {"name": "Anna", "password": PASSWORD})
    assert entered["Location"] == "/friends/?done=invite"


async def test_operator_becomes_a_player_by_playing() -> None:
    admin = browser()
    user = await User.objects.acreate_superuser("root", password=PASSWORD)
    await admin.aforce_login(user)
    assert not await is_signed_in(admin)
    assert (await admin.get("/")).status_code == 200
    person = await guest(admin)
    assert await seat_of(admin) == str(person.pk)
    assert not person.is_account


async def test_admin_sign_in_keeps_the_person() -> None:
    await sign_up(browser())
    user = await User.objects.aget()
    await User.objects.aupdate(is_staff=True)
    other = browser()
    await other.aforce_login(user)
    assert await is_signed_in(other)
    assert await seat_of(other) == str((await Person.objects.aget()).pk)


async def test_admin_sign_in_shares_the_limits(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    monkeypatch.setattr(
        rate_limits, "SIGN_IN_OF_NAME", rate_limits.Pace("admin-test", 1, longest_s=60)
    )
    await User.objects.acreate_superuser("root", password=PASSWORD)

    async def tried(address: str, password: str) -> int:
        fields = {"username": "root", "password": password}
        return int((await browser(address).post("/admin/login/?next=/admin/", fields)).status_code)

    assert await tried("10.0.0.1", PASSWORD) == 302
    assert await tried("10.0.0.2", NEW) == 200
    assert await tried("10.0.0.3", PASSWORD) == 429


@pytest.mark.postgresql
async def test_operators_name_is_taken() -> None:
    await User.objects.acreate_superuser("Anna", password=PASSWORD)
    assert "Somebody has this name" in text_of(await sign_up(browser()))
    assert not await Person.objects.filter(name="Anna").aexists()
    assert not await sync_to_async(Player.objects.exists)()


def test_renamed_player_stays_listed() -> None:
    person = Person.objects.create(name="Anna")
    for name in ("Anna", "Annika"):
        list_player(person.pk, name)
    assert [(row.name, row.is_listed) for row in Player.objects.all()] == [("Annika", True)]
