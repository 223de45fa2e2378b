"""Players with one address or browser do not meet in rated queues, and moderators see them."""

from __future__ import annotations

import logging
from datetime import timedelta
from decimal import Decimal
from ipaddress import ip_network
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import AsyncClient
from django.urls import reverse
from django.utils import timezone

from game.models import Game, GameSeat
from lobby.accounts import rate_limits
from lobby.accounts.expiry import remove_expired
from lobby.bots.ladder_queue import (
    WaitingBot,
    find_reason_to_wait,
    join_queue,
    leave_queue,
    pair_bots,
)
from lobby.models import BotAccount, Person, SharedOrigin
from lobby.play import queues
from lobby.play.backend import Backend, current_backend
from lobby.play.origins import (
    Origin,
    count_visitor,
    often_met,
    origin_of,
    record_meetings,
    record_origin,
    warn_of_one_address,
)
from lobby.play.queues import QUEUES
from lobby.play.views import BROWSER_COOKIE
from tests.lobby.club_people import account
from tests.lobby.pages import text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]
TENHOU = QUEUES["tenhou.east_south"]
SEEK = {"preset": "tenhou", "length": "east_south", "bots": "never"}
HELD_BACK = "Somebody who waits has your network address or your browser."


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def tables(backend: Backend) -> list[set[str]]:
    """Pair those who wait. Return the people of each running table."""
    await queues.process_queue(backend, TENHOU)
    rows = await backend.process.service.list_tables()
    rooms = [await backend.process.service.read_room(row.table_id) for row in rows]
    return [{seat.name for seat in room.meta.seats} for room in rooms]


async def seek(name: str, address: str, **cookies: str) -> AsyncClient:
    """Let a new account look for a rated game from that address."""
    client, _ = await account(name)
    client.cookies.load(cookies)
    scope = client._base_scope
    client._base_scope = lambda **named: {**scope(**named), "client": [address, 0]}  # type: ignore
    answer = await client.post("/lobby/seek/", SEEK)
    assert "looking" in answer.headers["Location"]
    return client


def test_origin_is_a_digest_of_the_address_or_its_network(settings: Any) -> None:
    assert origin_of("2001:db8:1:2:3::4") == origin_of("2001:db8:1:2:ffff::1")
    assert origin_of("2001:db8:1:2::1") != origin_of("2001:db8:1:3::1")
    assert origin_of("203.0.113.5") == origin_of("::ffff:203.0.113.5") != origin_of("203.0.113.6")
    assert "203" not in origin_of("203.0.113.5", "cookie").address
    settings.SAME_ADDRESS_ALLOWED = [ip_network("203.0.113.0/24")]
    for exempt in ("127.0.0.1", "::1", "203.0.113.5", ""):
        assert origin_of(exempt, "cookie") == Origin()


async def test_four_accounts_of_one_address_are_not_paired() -> None:
    backend = await current_backend()
    clients = [await seek(f"n{number}", "203.0.113.5") for number in range(4)]
    assert await tables(backend) == []
    assert HELD_BACK in text_of(await clients[0].get("/lobby/"))
    for number in range(3):
        await seek(f"other{number}", f"198.51.100.{number}")
    (table,) = await tables(backend)
    assert table == {"n0", "other0", "other1", "other2"}


async def test_four_accounts_of_one_browser_are_not_paired() -> None:
    backend = await current_backend()
    first = await seek("n0", "203.0.113.1")
    cookie = first.cookies[BROWSER_COOKIE]
    assert cookie["httponly"]
    for number in range(2, 5):
        await seek(f"n{number}", f"203.0.113.{number}", **{BROWSER_COOKIE: cookie.value})
    assert await tables(backend) == []


async def test_people_of_a_venue_or_of_the_same_machine_are_paired(settings: Any) -> None:
    settings.SAME_ADDRESS_ALLOWED = [ip_network("203.0.113.0/24")]
    backend = await current_backend()
    for number in range(4):
        await seek(f"n{number}", "203.0.113.5")
    for number in range(4, 8):
        await seek(f"n{number}", "127.0.0.1")
    assert len(await tables(backend)) == 2
    assert not await SharedOrigin.objects.aexists()


async def test_pair_that_met_six_times_today_is_counted_once_a_game() -> None:
    backend = await current_backend()
    for number in range(4):
        await seek(f"n{number}", f"203.0.113.{number}")
    await tables(backend)
    people = [str(pk) async for pk in Person.objects.values_list("pk", flat=True)]
    for games in range(1, 6):
        assert await often_met(backend, people) == frozenset()
        if games == 1:
            await tables(backend)  # the match is not opened again
        await record_meetings(backend, people[:2])
    assert await often_met(backend, people) == {frozenset(people[:2])}


def test_bots_of_one_address_or_many_meetings_are_not_paired() -> None:
    def bot(number: int, address: str, waited_s: int = 0) -> WaitingBot:
        return WaitingBot(f"bot {number}", f"owner {number}", -1000 * waited_s, Origin(address))

    same = [bot(number, "one") for number in range(4)]
    assert pair_bots(same, 4) == []
    assert (
        len(pair_bots([bot(9, "one"), *(bot(number, str(number)) for number in range(3))], 4)) == 4
    )
    often = {frozenset(("bot 0", "bot 1"))}
    assert pair_bots([bot(number, str(number), 89) for number in range(4)], 4, 0, often) == []
    assert len(pair_bots([bot(number, str(number), 90) for number in range(4)], 4, 0, often)) == 4
    five = [bot(number, str(number), 90 - number) for number in range(5)]
    assert [waiting.bot for waiting in pair_bots(five, 4, 0, often)] == [
        "bot 0",
        "bot 2",
        "bot 3",
        "bot 4",
    ]


@pytest.mark.postgresql
async def test_moderators_see_for_a_month_that_a_pair_shared_an_address() -> None:
    clients = [await seek(name, "203.0.113.5") for name in ("Anna", "Ben")]
    anna, ben = [person async for person in Person.objects.order_by("name")]
    row = await SharedOrigin.objects.aget()
    assert (row.has_address, row.has_browser) == (True, False)
    now = timezone.now()
    game = await Game.objects.acreate(
        table_id="together", rules={}, started_at=now, ended_at=now, ladder="tenhou.east_south"
    )
    for seat, person in enumerate((anna, ben)):
        await GameSeat.objects.acreate(
            game=game,
            seat=seat,
            person_id=person.pk,
            name=person.name,
            score=30_000,
            place=seat + 1,
            points=Decimal(45 - 40 * seat),
        )
    moderator, _ = await account("Mona", is_staff=True)
    assert "Anna" in text_of(await moderator.get("/admin/lobby/sharedorigin/"))
    page = text_of(await moderator.get(f"/admin/lobby/sharedorigin/{row.pk}/change/"))
    assert "Anna: 1 (45.0) · Ben: 2 (5.0)" in page
    assert f'href="{reverse("game:game", args=["together"])}"' in page
    own = (await clients[0].get("/privacy/own-data/")).json()
    assert own["account"]["same_address_or_browser"][0]["has_address"] is True
    assert str(ben.pk) not in str(own["account"]["same_address_or_browser"])
    await SharedOrigin.objects.aupdate(last_at=now - timedelta(days=29))
    await remove_expired()
    assert await SharedOrigin.objects.acount() == 1
    await SharedOrigin.objects.aupdate(last_at=now - timedelta(days=31))
    await remove_expired()
    assert await SharedOrigin.objects.acount() == 0


@pytest.mark.postgresql
async def test_bots_of_two_owners_make_a_pair_and_those_of_one_do_not() -> None:
    backend, origin = await current_backend(), origin_of("203.0.113.5")
    owners = [(await account(name))[1] for name in ("Anna", "Ben")]
    for number, owner in enumerate((owners[0], owners[0], owners[1])):
        person = await Person.objects.acreate(name=f"BOT {number}")
        await BotAccount.objects.acreate(person=person, owner=owner)
        await record_origin(backend, str(person.pk), origin)
    pairs = [row async for row in SharedOrigin.objects.select_related("first", "second")]
    names = sorted(tuple(sorted((row.first.name, row.second.name))) for row in pairs)
    assert names == [("BOT 0", "BOT 2"), ("BOT 1", "BOT 2")]


async def test_digests_are_kept_for_a_day() -> None:
    backend = await current_backend()
    await seek("Anna", "203.0.113.5")
    await count_visitor(backend, "anna", "203.0.113.5")
    keys = [f"origin:{origin_of('203.0.113.5').address}", "visitors"]
    for key in keys:
        assert 0 < await backend.call("TTL", key) <= 86_400
    assert not await backend.call("KEYS", "*203.0.113*")


@pytest.mark.parametrize(("address", "is_told"), [("127.0.0.1", True), ("203.0.113.{}", False)])
async def test_operator_is_warned_if_most_visitors_have_one_address(
    address: str, is_told: bool, caplog: pytest.LogCaptureFixture
) -> None:
    backend = await current_backend()
    for number in range(20):
        await count_visitor(backend, str(uuid4()), address.format(number))
    with caplog.at_level(logging.WARNING):
        await warn_of_one_address()
    assert ("20 of 20 visitors" in caplog.text) is is_told


async def test_bot_of_a_ladder_can_be_told_why_it_waits() -> None:
    backend, ladder = await current_backend(), "bots.tenhou.east"

    async def reasons() -> list[str]:
        return [await find_reason_to_wait(backend, ladder, bot) for bot in "abcdef"]

    for bot, owner, origin in (
        ("a", "1", Origin("x")),
        ("b", "1", Origin("y")),
        ("c", "2", Origin("x")),
        ("d", "3", Origin()),
    ):
        await join_queue(backend, ladder, bot, owner, origin)
    assert await reasons() == ["players", "owner", "players", "players", "", ""]
    await join_queue(backend, ladder, "e", "4", Origin("z"))
    for _ in range(settings.QUEUE_MEETINGS_A_DAY):
        await record_meetings(backend, ["d", "e"])
    assert await reasons() == ["origin", "owner", "origin", "often", "often", ""]
    await leave_queue(backend, ladder, "a")
    assert await reasons() == ["", "", "", "often", "often", ""]
