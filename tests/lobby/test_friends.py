"""Friends: requests, answers, who is online, where friends play, invitations and blocking."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.test import AsyncClient
from django.utils import timezone

from game.engine.presets import PRESETS
from game.live.process import close_current
from game.models import Block, Game, GameSeat, Sanction
from game.moderation import blocks
from game.results.players import list_player
from game.tables.settings import TableSettings
from lobby.accounts import online
from lobby.friends import friendships
from lobby.models import Friendship, Person
from lobby.play import pregame_store
from lobby.play.backend import current_backend
from lobby.play.pregame import PregameTable, Seat
from tests.kit.processes import RedisServer
from tests.lobby.club_people import account
from tests.lobby.pages import create_table, invite_link, press, text_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest_asyncio.fixture(autouse=True)
async def _site(redis_server: RedisServer, settings: Any) -> AsyncIterator[None]:
    settings.REDIS_URL = redis_server.url
    back_end = {"BACKEND": "game.redis.django_cache.Cache", "LOCATION": redis_server.url}
    settings.CACHES = settings.CACHES | {"default": back_end}
    online._recorded_at.clear()
    yield
    await close_current()


async def do(client: AsyncClient, what: str, other: Person) -> str:
    """Press a button; return the address to which it leads."""
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
    assert "Requests sent" in await page(anna)
    assert "Friend requests" in await page(bruno)
    assert (await bruno.get("/friends/news/")).json() == {"requests": 1, "invitations": 0}
    assert (await anna.get("/friends/news/")).json() == {"requests": 0, "invitations": 0}
    assert "no=request_gone" in await do(anna, "accept", bruno_is), (
        "only the receiver of the request can accept"
    )
    await do(bruno, "accept", anna_is)
    for client, name in ((anna, "Bruno"), (bruno, "Anna")):
        shown = await page(client)
        assert name in shown.split("Your friends")[1]
        assert "Friend requests" not in shown
    await do(anna, "end", bruno_is)
    assert not await Friendship.objects.aexists()
    assert "No friends yet." in await page(bruno)


async def test_requests_in_both_directions_make_friends() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    await do(anna, "ask", bruno_is)
    await do(bruno, "ask", anna_is)
    row = await Friendship.objects.aget()
    assert row.accepted_at is not None


@pytest.mark.postgresql
async def test_refusals_do_not_reveal_blocks() -> None:
    anna, anna_is = await account("Anna")
    _, closed = await account("Bruno")
    blocker, blocker_is = await account("Chika")
    closed.takes_requests = False
    await closed.asave()
    await do(blocker, "block", anna_is)
    guest = await Person.objects.acreate(name="Guest 1234")
    nobody = Person(pk=uuid4(), name="")
    answers = [
        await do(anna, "ask", person) for person in (closed, blocker_is, guest, nobody, anna_is)
    ]
    assert answers == ["/friends/?no=closed"] * 5
    assert "takes no requests" in text_of(await anna.get(answers[0]))
    assert not await Friendship.objects.aexists()
    shown = text_of(await anna.get(f"/friends/{blocker_is.pk}/"))
    assert "Ask to be friends" in shown
    assert "Blocked players" not in shown


@pytest.mark.postgresql
async def test_block_ends_friendship_and_can_be_removed() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    await befriend(anna, bruno, (anna_is, bruno_is))
    await do(bruno, "block", anna_is)
    assert not await Friendship.objects.aexists()
    assert "Anna" in (await page(bruno)).split("Blocked players")[1]
    assert "Bruno" not in await page(anna)
    await do(bruno, "unblock", anna_is)
    assert await do(anna, "ask", bruno_is) == "/friends/"


async def test_friend_request_removes_the_own_block() -> None:
    (anna, _), (_, bruno_is) = await account("Anna"), await account("Bruno")
    await do(anna, "block", bruno_is)
    await do(anna, "ask", bruno_is)
    assert not await Block.objects.aexists()
    assert await Friendship.objects.aexists()


@pytest.mark.postgresql
async def test_friends_and_requests_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_requests_of_banned_accounts_count_in_no_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(friendships, "MAX_REQUESTS", 1)
    (_, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    (chika, chika_is), (dora, _) = await account("Chika"), await account("Dora")
    assert await do(bruno, "ask", anna_is) == "/friends/"
    assert await do(chika, "ask", bruno_is) == "/friends/"
    until = timezone.now() + timedelta(days=1)
    await Sanction.objects.acreate(person_id=bruno_is.pk, kind=Sanction.BAN, until=until)
    assert await do(dora, "ask", anna_is) == "/friends/", "nobody can decline the banned one's"
    assert await do(chika, "ask", anna_is) == "/friends/?no=closed", "the list is full now"
    await Friendship.objects.all().adelete()
    with pytest.raises(friendships.FriendRefused):
        await sync_to_async(friendships.ask_for_friendship)(bruno_is, chika_is.pk)


async def test_friends_see_who_is_online_and_others_do_not() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    await befriend(anna, bruno, (anna_is, bruno_is))
    assert "is-online" in await page(anna)
    await bruno.post("/profile/friends/", {"takes_requests": "on"})  # turns off being shown online
    assert "is-online" not in await page(anna)
    online._recorded_at.clear()
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


async def test_friend_who_watches_a_public_table_is_shown_there() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    await befriend(anna, bruno, (anna_is, bruno_is))
    table = (await AsyncClient().post("/play/")).headers["Location"]
    found = re.search(r'data-friend-requests="([^"]+)"', text_of(await bruno.get(table)))
    assert found
    await bruno.get(found[1])
    shown = await page(anna)
    assert "is watching a game" in shown
    assert f'href="{table}"' in shown
    await bruno.post("/profile/friends/", {"takes_requests": "on"})  # turns off being shown online
    assert "is watching" not in await page(anna)


async def test_private_table_of_a_watching_friend_is_not_shown() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    await befriend(anna, bruno, (anna_is, bruno_is))
    guided = (await AsyncClient().post("/learn/guided/pon/")).headers["Location"]
    await bruno.get(f"/friends/news/?watching={guided.split('/')[2]}")
    for name in ("no-such-table", "..%2F..", ""):
        await bruno.get(f"/friends/news/?watching={name}")
    assert "is watching" not in await page(anna)
    await bruno.get(f"/friends/news/?watching={guided.split('/')[2]}")
    assert "is watching" not in await page(anna)


@pytest.mark.postgresql
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


async def test_banned_and_closed_accounts_are_hidden_from_friends() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    (_, chika_is), (dora, dora_is) = await account("Chika"), await account("Dora")
    await befriend(anna, bruno, (anna_is, bruno_is))
    await do(anna, "ask", chika_is)
    await do(dora, "ask", anna_is)
    until = timezone.now() + timedelta(days=1)
    for person in (bruno_is, dora_is):
        await Sanction.objects.acreate(person_id=person.pk, kind=Sanction.BAN, until=until)
    await User.objects.filter(person=chika_is).aupdate(is_active=False)
    shown = await page(anna)
    assert not [name for name in ("Bruno", "Chika", "Dora") if name in shown]
    assert (await anna.get("/friends/news/")).json()["requests"] == 0
    await create_table(anna)
    assert await do(anna, "invite", bruno_is) == "/friends/?no=not_friends"
    await Friendship.objects.all().adelete()
    answers = {await do(anna, "ask", person) for person in (bruno_is, chika_is, dora_is)}
    assert answers == {"/friends/?no=closed"}
    await Sanction.objects.all().adelete()
    assert await do(anna, "ask", bruno_is) == "/friends/", "a ban ends"


async def test_rematch_of_a_blocked_player_is_no_invitation() -> None:
    (anna, anna_is), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    seats = (
        Seat(person=str(anna_is.pk), name="Anna"),
        Seat(name="Bruno", kept_for=str(bruno_is.pk)),
        Seat(),
        Seat(),
    )
    backend = await current_backend()
    rematch = PregameTable(
        id="rematch",
        host=str(anna_is.pk),
        settings=TableSettings(rules=PRESETS["tenhou"], public=False),
        seats=seats,
        token="token-of-the-rematch",
        touched_at=backend.now_ms(),
        keeps_seats=True,
    )
    await pregame_store.add(backend, rematch)
    invitation = "You are invited to a rematch."
    assert invitation in text_of(await bruno.get("/lobby/"))
    assert (await bruno.get("/friends/news/")).json()["invitations"] == 1
    await do(bruno, "block", anna_is)
    assert invitation not in text_of(await bruno.get("/lobby/"))
    assert (await bruno.get("/friends/news/")).json()["invitations"] == 0
    assert "/tables/rematch/" not in await page(bruno)
    assert "invited" in text_of(await anna.get("/tables/rematch/")), "the host is not told"


async def test_menu_counts_requests_without_scripts() -> None:
    (anna, _), (bruno, bruno_is) = await account("Anna"), await account("Bruno")
    badge = 'id="friend-requests">1</span>'
    assert badge not in text_of(await bruno.get("/learn/"))
    await do(anna, "ask", bruno_is)
    assert badge in text_of(await bruno.get("/learn/"))
    assert badge not in text_of(await anna.get("/learn/"))


async def test_result_of_a_game_leads_to_the_other_accounts() -> None:
    (anna, anna_is), (_, bruno_is) = await account("Anna"), await account("Bruno")
    for person in (anna_is, bruno_is):
        await sync_to_async(list_player)(person.pk, person.name)
    now = timezone.now()
    game = await Game.objects.acreate(
        table_id="played", rules={}, is_public=True, started_at=now, ended_at=now
    )
    for seat, person in enumerate((anna_is, bruno_is, None, None)):
        await GameSeat.objects.acreate(
            game=game,
            seat=seat,
            person_id=None if person is None else person.pk,
            name=f"b{seat}" if person is None else person.name,
            bot="tsumogiri" if person is None else "",
            score=25_000,
            place=seat + 1,
            points=0,
        )
    shown = text_of(await anna.get("/game/played/"))
    found = re.findall(r'action="(/friends/[\w-]{36}/do/)"', shown)
    assert found == [f"/friends/{bruno_is.pk}/do/"]
    assert "Add friend" in text_of(await anna.get(f"/player/{bruno_is.pk}/"))
    own = text_of(await anna.get(f"/player/{anna_is.pk}/"))
    assert "Add friend" not in own
    asked = {"do": "ask", "from": "page"}
    answer = await anna.post(f"/friends/{bruno_is.pk}/do/", asked)
    assert answer.headers["Location"] == f"/friends/{bruno_is.pk}/"
    shown = text_of(await anna.get("/game/played/"))
    assert f'href="/player/{bruno_is.pk}/?players=4"' in shown
    page_of_bruno = text_of(await anna.get(f"/player/{bruno_is.pk}/"))
    assert re.findall(r'href="(/friends/[\w-]{36}/)"', page_of_bruno) == [
        f"/friends/{bruno_is.pk}/"
    ]
    for path in ("/game/played/", f"/player/{bruno_is.pk}/"):
        assert "Add friend" not in text_of(await anna.get(path)), "already asked"
    assert "/friends/" not in text_of(await AsyncClient().get("/game/played/"))


async def test_export_lists_friends_and_deletion_removes_them() -> None:
    anna, anna_is = await account("Anna", password="seven words")
    bruno, bruno_is = await account("Bruno")
    (chika, chika_is), (_, dora_is) = await account("Chika"), await account("Dora")
    await befriend(anna, bruno, (anna_is, bruno_is))
    await do(chika, "ask", anna_is)
    await do(anna, "block", dora_is)
    until = timezone.now() + timedelta(days=1)
    await Sanction.objects.acreate(person_id=bruno_is.pk, kind=Sanction.BAN, until=until)
    data = json.loads(text_of(await anna.get("/privacy/own-data/")))
    friend, request = sorted(
        data["account"]["friendships"], key=lambda friendship: friendship["accepted_at"] is None
    )
    assert friend["person"] == str(bruno_is.pk), "also while a friend is banned"
    assert request["person"] == request["asked_by"] == str(chika_is.pk)
    assert request["accepted_at"] is None
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
