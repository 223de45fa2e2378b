"""Friends: requests, answers, who is online, where friends play, invitations and blocking."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.test import AsyncClient

from game.live.process import close_current
from game.models import Block
from game.moderation import blocks
from game.results.players import list_player
from lobby.accounts import online
from lobby.friends import friendships
from lobby.matchmaking.backend import current_backend
from lobby.models import Friendship, Person
from tests.kit.processes import RedisServer
from tests.lobby.club_people import account
from tests.lobby.pages import create_table, invite_link, press, text_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest_asyncio.fixture(autouse=True)
async def _site(redis_server: RedisServer, settings: Any) -> AsyncIterator[None]:
    settings.REDIS_URL = redis_server.url
    cache.clear()
    online._noted.clear()
    yield
    await close_current()
    cache.clear()


async def do(client: AsyncClient, what: str, other: Person) -> str:
    """Press a button; returns where that leads."""
    answer = await client.post(f"/friends/{other.pk}/do/", {"do": what})
    assert answer.status_code == 302, text_of(answer)
    return answer.headers["Location"]


async def befriend(one: AsyncClient, other: AsyncClient, people: tuple[Person, Person]) -> None:
    await do(one, "ask", people[1])
    await do(other, "accept", people[0])


async def page(client: AsyncClient) -> str:
    return text_of(await client.get("/friends/"))


async def test_request_is_accepted_and_ended_by_either_side() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    assert await do(anna, "ask", bruno_is) == "/friends/"
    assert await do(anna, "ask", bruno_is) == "/friends/", "asking twice changes nothing"
    assert "You have asked" in await page(anna)
    assert "They ask to be friends" in await page(bruno)
    assert (await bruno.get("/friends/news/")).json() == {"requests": 1, "invitations": 0}
    assert (await anna.get("/friends/news/")).json() == {"requests": 0, "invitations": 0}
    assert "no=request_gone" in await do(anna, "accept", bruno_is), "only the other one can accept"
    await do(bruno, "accept", anna_is)
    for client, name in ((anna, "Bruno"), (bruno, "Anna")):
        shown = await page(client)
        assert name in shown.split("Your friends")[1]
        assert "They ask" not in shown
    await do(anna, "end", bruno_is)
    assert not await Friendship.objects.aexists()
    assert "No friends yet." in await page(bruno)


async def test_requests_in_both_directions_make_friends() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    await do(anna, "ask", bruno_is)
    await do(bruno, "ask", anna_is)
    row = await Friendship.objects.aget()
    assert row.accepted_at is not None


async def test_refusals_do_not_tell_who_blocks() -> None:
    anna, anna_is = await account("Anna")
    _, closed = await account("Bruno")
    blocker, blocker_is = await account("Chika")
    closed.takes_requests = False
    await closed.asave()
    await do(blocker, "block", anna_is)
    guest = await Person.objects.acreate(name="Guest 1234")
    nobody = Person(pk=uuid4(), name="")
    answers = [await do(anna, "ask", one) for one in (closed, blocker_is, guest, nobody, anna_is)]
    assert answers == ["/friends/?no=closed"] * 5
    assert "takes no requests" in text_of(await anna.get(answers[0]))
    assert not await Friendship.objects.aexists()
    shown = text_of(await anna.get(f"/friends/{blocker_is.pk}/"))
    assert "Ask to be friends" in shown
    assert "You block" not in shown


async def test_block_ends_friendship_and_can_be_taken_back() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    await befriend(anna, bruno, (anna_is, bruno_is))
    await do(bruno, "block", anna_is)
    assert not await Friendship.objects.aexists()
    assert "Anna" in (await page(bruno)).split("You block")[1]
    assert "Bruno" not in await page(anna)
    await do(bruno, "unblock", anna_is)
    assert await do(anna, "ask", bruno_is) == "/friends/"


async def test_who_asks_a_blocked_player_unblocks_them() -> None:
    (anna, _), (_, bruno_is) = await account("Anna"), await account("Bruno")
    await do(anna, "block", bruno_is)
    await do(anna, "ask", bruno_is)
    assert not await Block.objects.aexists()
    assert await Friendship.objects.aexists()


async def test_numbers_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(friendships, "MAX_REQUESTS", 2)
    monkeypatch.setattr(friendships, "MAX_FRIENDS", 1)
    monkeypatch.setattr(blocks, "MAX_BLOCKS", 1)
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    (chika, chika_is), (dora, dora_is) = await account("Chika"), await account("Dora")
    assert await do(anna, "ask", bruno_is) == "/friends/"
    assert await do(anna, "ask", chika_is) == "/friends/"
    assert await do(anna, "ask", dora_is) == "/friends/?no=many"
    assert await do(bruno, "accept", anna_is) == "/friends/"
    assert await do(chika, "accept", anna_is) == "/friends/?no=many"
    assert await do(dora, "block", anna_is) == "/friends/"
    assert await do(dora, "block", bruno_is) == "/friends/?no=many"
    assert await Block.objects.acount() == 1


async def test_friends_see_who_is_online_and_others_do_not() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    await befriend(anna, bruno, (anna_is, bruno_is))
    assert "is-online" in await page(anna)
    await bruno.post("/profile/friends/", {"takes_requests": "on"})  # not shown online
    assert "is-online" not in await page(anna)
    online._noted.clear()
    await bruno.get("/friends/news/")
    assert "is-online" not in await page(anna)
    assert "online" not in text_of(await AsyncClient().get(f"/player/{bruno_is.pk}/"))


async def test_friend_at_a_public_table_can_be_watched() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    await befriend(anna, bruno, (anna_is, bruno_is))
    table = (await bruno.post("/play/")).headers["Location"]
    shown = await page(anna)
    assert "is playing" in shown
    assert f'href="{table}"' in shown
    await bruno.post("/profile/friends/", {"takes_requests": "on"})
    assert "is playing" not in await page(anna)


async def test_invited_friend_finds_the_table_and_sits_down() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    await befriend(anna, bruno, (anna_is, bruno_is))
    assert await do(anna, "invite", bruno_is) == "/friends/?no=no_table"
    address = await create_table(anna, entry="invited")
    assert (await bruno.get(address)).status_code == 404
    assert await do(anna, "invite", bruno_is) == "/friends/?done=invite"
    assert (await bruno.get("/friends/news/")).json()["invitations"] == 1
    assert address in await page(bruno)
    assert "Anna invites you to a table." in text_of(await bruno.get("/lobby/"))
    assert "You are invited to this table." in text_of(await bruno.get(address))
    assert await press(bruno, address, "sit") == address
    (await current_backend()).cache.clear()
    assert (await bruno.get("/friends/news/")).json()["invitations"] == 0
    assert "Bruno" in text_of(await anna.get(address))


async def test_only_friends_are_invited() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    address = await create_table(anna)
    assert await do(anna, "invite", bruno_is) == "/friends/?no=not_friends"
    await befriend(anna, bruno, (anna_is, bruno_is))
    await do(bruno, "block", anna_is)
    assert await do(anna, "invite", bruno_is) == "/friends/?no=not_friends"
    assert await invite_link(anna, address)
    assert (await bruno.get("/friends/news/")).json()["invitations"] == 0


async def test_export_lists_friends_and_deletion_removes_them() -> None:
    anna, anna_is = await account("Anna", password="seven words")
    bruno, bruno_is = await account("Bruno")
    (chika, chika_is), (_, dora_is) = await account("Chika"), await account("Dora")
    await befriend(anna, bruno, (anna_is, bruno_is))
    await do(chika, "ask", anna_is)
    await do(anna, "block", dora_is)
    data = json.loads(text_of(await anna.get("/privacy/own-data/")))
    assert data["account"]["friends"] == [str(bruno_is.pk)]
    assert data["account"]["friend_requests_received"] == [str(chika_is.pk)]
    assert data["blocked_people"] == [str(dora_is.pk)]
    assert data["account"]["takes_friend_requests"] is True
    await anna.post("/profile/delete/", {"old": "seven words"})
    assert not await Friendship.objects.aexists()
    assert not await Block.objects.aexists()
    assert "Anna" not in await page(bruno)


async def test_friends_are_for_accounts_and_pages_need_no_scripts() -> None:
    guest = AsyncClient()
    await guest.post("/play/")
    _, bruno_is = await account("Bruno")
    assert (await guest.get("/friends/")).headers["Location"].startswith("/sign-in/")
    assert (await guest.post(f"/friends/{bruno_is.pk}/do/", {"do": "ask"})).status_code == 302
    assert (await guest.get("/friends/news/")).status_code == 403
    assert not await Friendship.objects.aexists()
    anna, anna_is = await account("Anna")
    for person in (anna_is, bruno_is):
        await sync_to_async(list_player)(person.pk, person.name)
    link = f'href="/friends/{bruno_is.pk}/"'
    assert link in text_of(await anna.get(f"/player/{bruno_is.pk}/"))
    assert link not in text_of(await guest.get(f"/player/{bruno_is.pk}/"))
    assert "/friends/" + str(anna_is.pk) not in text_of(await anna.get(f"/player/{anna_is.pk}/"))
    assert (await anna.get(f"/friends/{anna_is.pk}/")).status_code == 404
    assert (await anna.post(f"/friends/{bruno_is.pk}/do/", {"do": "dance"})).status_code == 404
