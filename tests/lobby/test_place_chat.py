"""Chat before a game and in a club: who writes, who reads, and what is refused."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import AsyncClient
from django.utils import timezone

from game.models import Block, Report, Sanction
from lobby.accounts import rate_limits
from lobby.models import Person
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.pages import create_table, invite_link, press, text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def write(client: AsyncClient, address: str, **form: str) -> HttpResponse:
    """Send the form of the chat of that page as the script does."""
    return await client.post(f"{address}chat/", form, headers={"Accept": "text/plain"})


async def lines(client: AsyncClient, address: str) -> list[str]:
    page = text_of(await client.get(address))
    rows = page.partition("chat-lines-list")[2].partition("</ol>")[0].split("<bdi")[1:]
    texts = [row.partition(">")[2].partition("</bdi>")[0] for row in rows]
    return [f"{name}: {text}" for name, text in zip(texts[::2], texts[1::2], strict=True)]


async def seated_pair() -> tuple[AsyncClient, AsyncClient, str, str]:
    """Return a host and a friend at a table before its game, and its address for each."""
    host, friend = AsyncClient(), AsyncClient()
    address = await create_table(host)
    link = await invite_link(host, address)
    await press(friend, link, "sit")
    return host, friend, address, link


async def test_players_chat_before_the_game() -> None:
    host, friend, address, link = await seated_pair()
    assert (await write(host, address, text="  One\n moment ")).status_code == 204
    assert (await write(friend, link, text="<b>Yes</b>")).status_code == 204
    read = await lines(friend, link)
    assert [line.partition(": ")[2] for line in read] == [
        "One moment",
        "&lt;b&gt;Yes&lt;/b&gt;",
    ]
    assert await lines(host, address) == read


async def test_page_for_lines_without_scripts_does_not_load_itself_again() -> None:
    host, friend, address, link = await seated_pair()
    for client, where in ((host, address), (friend, link)):
        table, page = text_of(await client.get(where)), text_of(await client.get(f"{where}chat/"))
        assert f'<a href="{where}chat/">' in table.partition('id="chat-form"')[0]
        assert 'http-equiv="refresh"' in table
        assert "hidden" in table.partition('id="chat-form"')[2].partition(">")[0]
        assert 'http-equiv="refresh"' not in page
        assert "hidden" not in page.partition('id="chat-form"')[2].partition(">")[0]
        assert f'<a href="{where}">' in page
    sent = await friend.post(f"{link}chat/", {"text": "Without scripts"})
    assert sent.headers["Location"] == f"{link}#chat"
    assert "Without scripts" in text_of(await host.get(f"{address}chat/"))
    assert (await AsyncClient().get(f"{link}chat/")).status_code == 404


async def test_somebody_without_a_seat_neither_reads_nor_writes() -> None:
    host, _, address, link = await seated_pair()
    await write(host, address, text="Between us")
    stranger = AsyncClient()
    page = text_of(await stranger.get(link))
    assert "The seats" in page
    assert "Between us" not in page
    for where in (address, link):
        assert (await write(stranger, where, text="Hello")).status_code == 404
    assert len(await lines(host, address)) == 1


async def test_members_alone_chat_in_their_club() -> None:
    owner, person = await account("Owner")
    member, other = await account("Member")
    stranger, _ = await account("Stranger")
    club = await new_club(person)
    await enrol(club, other)
    address = f"/clubs/{club.slug}/"
    assert (await write(owner, address, text="Table at eight?")).status_code == 204
    assert await lines(member, address) == ["Owner: Table at eight?"]
    assert "Table at eight?" not in text_of(await stranger.get(address))
    assert (await write(stranger, address, text="Hello")).status_code == 404


async def test_lines_of_blocked_people_are_not_shown() -> None:
    owner, person = await account("Owner")
    member, other = await account("Member")
    club = await new_club(person)
    await enrol(club, other)
    address = f"/clubs/{club.slug}/"
    await write(owner, address, text="First")
    await write(member, address, text="Second")
    await Block.objects.acreate(person_id=other.pk, blocked_id=person.pk)
    assert await lines(member, address) == ["Member: Second"]
    assert await lines(owner, address) == ["Owner: First", "Member: Second"]


async def test_reason_of_a_refusal_is_said() -> None:
    host, _, address, _ = await seated_pair()
    for text in ("", " \n ", "x" * 201):
        refused = await write(host, address, text=text)
        assert (refused.status_code, text_of(refused)) == (
            422,
            "This message is empty or too long.",
        )
    for at in range(4):
        assert (await write(host, address, text=f"{at}")).status_code == 204
    refused = await write(host, address, text="fifth")
    assert text_of(refused) == "Too many messages in a short time."
    async for known in Person.objects.all():
        until = timezone.now() + timedelta(days=1)
        await Sanction.objects.acreate(person_id=known.pk, kind=Sanction.MUTE, until=until)
    assert text_of(await write(host, address, text="muted")) == "A moderator has muted you for now."
    page = await host.post(f"{address}chat/", {"text": "muted"})  # as without scripts
    assert page.headers["Location"] == f"{address}?no=chat_muted#chat"
    told = text_of(await host.get(f"{address}?no=chat_muted"))
    assert "A moderator has muted you for now." in told


async def test_reported_line_reaches_the_moderators_with_those_around_it() -> None:
    host, friend, address, link = await seated_pair()
    for text in ("One", "Two"):
        await write(host, address, text=text)
    page = text_of(await friend.get(link))
    first = page.partition('name="report"')[2].partition('value="')[2].partition('"')[0]
    assert (await write(friend, link, report=first)).status_code == 204
    stored = await Report.objects.aget()
    assert (stored.text, [line["text"] for line in stored.around]) == ("One", ["One", "Two"])
    assert stored.table_id.startswith("pregame-")
    assert (await write(friend, link, report="t1-0")).status_code == 422
