"""Accounts with a permission hold events of the site, without a club of people."""

from __future__ import annotations

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import Permission, User
from django.test import AsyncClient

from lobby.accounts import rate_limits
from lobby.events.results import is_official
from lobby.models import (
    Club,
    ClubGame,
    Event,
    EventPlayer,
    EventTable,
    Membership,
    Person,
    Ruling,
)
from tests.lobby.club_people import account, roles_of
from tests.lobby.pages import text_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages"),
    pytest.mark.postgresql,
]

SITE = "/clubs/site/"
CUP = f"{SITE}events/cup/"
FORM = {
    "name": "Open Championship",
    "slug": "cup",
    "rules": "ema-2025",
    "rounds": "1",
    "method": "random",
    "fill": "bots",
    "is_public": "on",
}
PENALTY = {"do": "penalty", "points": "20", "reason": "late"}


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def permit(person: Person, *, is_given: bool) -> None:
    permission = await Permission.objects.aget(codename="hold_site_events")
    user = await User.objects.aget(pk=person.user_id)
    if is_given:
        await user.user_permissions.aadd(permission)
    else:
        await user.user_permissions.aremove(permission)


async def holder() -> tuple[AsyncClient, Person]:
    browser, person = await account("Anna")
    await permit(person, is_given=True)
    return browser, person


async def test_permission_allows_an_event_of_the_site() -> None:
    anna, _ = await holder()
    assert SITE in text_of(await anna.get("/clubs/"))
    assert (await anna.get(f"{SITE}events/new/?format=rounds")).status_code == 200
    assert (await anna.post(f"{SITE}events/new/?format=rounds", FORM)).status_code == 302
    ben, ben_person = await account("Ben")
    assert (await ben.post(f"{CUP}enter/", {"do": "enter"})).status_code == 404
    await ben.post(f"{SITE}join/")
    assert (await ben.post(f"{CUP}enter/", {"do": "enter"})).status_code == 302
    cup = await Event.objects.aget()
    for number in range(3):
        person = await Person.objects.acreate(name=f"Player {number}")
        await EventPlayer.objects.acreate(event=cup, person=person)
    await anna.post(f"{CUP}round/", {"round": "1"})
    assert await EventTable.objects.filter(is_open=True).acount() == 1
    entrant = await EventPlayer.objects.aget(person=ben_person)
    await anna.post(f"{CUP}officials/do/", {**PENALTY, "person": str(entrant.person_id)})
    assert (await Ruling.objects.aget()).kind == "penalty"
    assert "Open Championship" in text_of(await AsyncClient().get(CUP))
    await anna.post(f"{CUP}delete/", {"name": "Open Championship"})
    assert not await Event.objects.aexists()


async def test_event_of_the_site_needs_the_permission() -> None:
    ben, _ = await account("Ben")
    assert SITE not in text_of(await ben.get("/clubs/"))
    assert (await ben.get(SITE)).status_code == 404
    assert not await Club.objects.aexists()
    anna, _ = await holder()
    await anna.post(f"{SITE}events/new/?format=rounds", FORM)
    await ben.post(f"{SITE}join/")
    for browser in (ben, AsyncClient()):
        for path in ("events/new/", "edit/", "events/cup/officials/"):
            assert (await browser.get(f"{SITE}{path}")).status_code == 404
        assert (await browser.post(f"{SITE}events/new/?format=rounds", FORM)).status_code == 404
        assert (await browser.post(f"{CUP}round/", {"round": "1"})).status_code == 404
        assert (await browser.post(f"{CUP}delete/", {"name": FORM["name"]})).status_code == 404
    assert await roles_of(await Club.objects.aget()) == {"Anna": "organiser", "Ben": "member"}


async def test_loss_of_the_permission_makes_a_plain_member_at_once() -> None:
    anna, person = await holder()
    await anna.post(f"{SITE}events/new/?format=rounds", FORM)
    await permit(person, is_given=False)
    assert (await anna.post(f"{CUP}round/", {"round": "1"})).status_code == 404
    assert (await anna.get(f"{CUP}officials/")).status_code == 404
    assert (await Membership.objects.aget()).role == Membership.MEMBER
    assert (await anna.get(CUP)).status_code == 200
    await permit(person, is_given=True)
    assert (await anna.get(f"{CUP}officials/")).status_code == 200


async def test_loss_of_the_permission_ends_the_role_of_official() -> None:
    anna, person = await holder()
    await anna.post(f"{SITE}events/new/?format=rounds", FORM)
    club, cup = await Club.objects.aget(), await Event.objects.aget()
    await EventTable.objects.acreate(
        event=cup, table_id="t1", round=1, number=1, seats=[1, 2, 3, 4]
    )
    await ClubGame.objects.acreate(club=club, table_id="t1", event=cup)
    assert await database_sync_to_async(is_official)("t1", str(person.pk))
    await permit(person, is_given=False)
    assert not await database_sync_to_async(is_official)("t1", str(person.pk)), (
        "without a visit to the club"
    )


async def test_club_of_the_site_has_no_owner() -> None:
    anna, _ = await holder()
    await anna.get(SITE)
    for path, form in (
        ("edit/settings/", {"name": "Mine", "entry": "open"}),
        ("delete/", {"name": "Official events"}),
    ):
        assert (await anna.post(f"{SITE}{path}", form)).status_code == 404
    assert (await Club.objects.aget()).name == "Official events"
    await anna.post(f"{SITE}leave/")
    assert (await Club.objects.aget()).is_site


async def test_nobody_founds_a_club_at_the_address_of_the_site() -> None:
    ben, _ = await account("Ben")
    form = {"name": "Site", "slug": "site", "entry": "open", "is_public": "on"}
    assert "This address is taken." in text_of(await ben.post("/clubs/new/", form))
    assert not await Club.objects.aexists()
