"""Bot accounts: who may have them, and what a token gives access to."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio
from channels.db import database_sync_to_async
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import AsyncClient
from django.utils import timezone

from game.engine.presets import PRESETS
from game.engine.rules import TENHOU
from game.live.process import close_current
from game.models import Ladder, Player, Rating, Sanction
from game.results.players import list_player
from game.results.recording import ladder_at_start
from game.tables.settings import DEFAULT_CLOCK
from lobby.accounts import names, rate_limits
from lobby.accounts.expiry import GUEST_DAYS, remove_guests
from lobby.accounts.models import digest_of
from lobby.bots import accounts, ladder_queue, waiting
from lobby.bots.accounts import MARK, MAX_TOKENS, find_permit
from lobby.models import BotAccount, BotToken, Person
from lobby.play.backend import current_backend
from tests.kit.processes import RedisServer
from tests.lobby.pages import text_of

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/profile/bots/"


@pytest_asyncio.fixture(autouse=True)
async def _site(redis_server: RedisServer, settings: Any) -> AsyncIterator[None]:
    settings.REDIS_URL = redis_server.url
    cache.clear()
    yield
    await close_current()
    cache.clear()


async def account(name: str = "Anna") -> tuple[AsyncClient, Person]:
    user = await User.objects.acreate_user(name, password="seven words")
    keys = {"name_key": names.name_key(name), "look_key": names.look_key(name)}
    person = await Person.objects.acreate(name=name, user=user, **keys)
    client = AsyncClient()
    await client.aforce_login(user)
    return client, person


async def register_bot(client: AsyncClient, name: str = "Manue", **more: str) -> BotAccount:
    answer = await client.post(PAGE, {"do": "register", "name": name, **more})
    assert answer.status_code == 302, text_of(answer)
    return await BotAccount.objects.select_related("person").aget(person__name=f"{MARK} {name}")


async def token_of(client: AsyncClient, bot: BotAccount, *scopes: str) -> str:
    given = {"do": "token", "bot": str(bot.pk), "label": "desk", "scopes": scopes or ("play",)}
    page = await client.post(PAGE, given)
    found = re.search(r'readonly value="(mjbot_[\w-]{43})"', text_of(page))
    assert found, text_of(page)
    return found[1]


async def test_token_of_a_new_bot_is_shown_once() -> None:
    client, person = await account()
    bot = await register_bot(client)
    assert bot.person.user_id is None
    assert not bot.is_open
    token = await token_of(client, bot, "play", "tables")
    page = text_of(await client.get(PAGE))
    assert "BOT Manue" in page
    assert token not in page
    stored = await BotToken.objects.aget(bot=bot)
    assert token not in str(vars(stored))
    permit = await database_sync_to_async(find_permit)(token)
    assert permit is not None
    assert (permit.bot, permit.owner) == (str(bot.pk), str(person.pk))
    assert permit.scopes == {"play", "tables"}
    assert await database_sync_to_async(find_permit)(token + "x") is None


async def test_revoked_token_opens_nothing() -> None:
    client, _ = await account()
    bot = await register_bot(client)
    token, other = await token_of(client, bot), await token_of(client, bot)
    row = await BotToken.objects.aget(digest=digest_of(token))
    await client.post(PAGE, {"do": f"revoke:{row.pk}", "bot": str(bot.pk)})
    assert await database_sync_to_async(find_permit)(token) is None
    assert await database_sync_to_async(find_permit)(other) is not None


@pytest.mark.parametrize("name", ["Bot", "bot Anna", "Anna-BOT", "B0T Anna"])
async def test_no_person_can_have_the_mark_of_bots(name: str) -> None:
    with pytest.raises(names.NameRefused):
        names.clean_name(name)


@pytest.mark.postgresql
async def test_name_is_checked_like_those_of_people() -> None:
    client, _ = await account()
    await register_bot(client)
    cyrillic = "M\u0430nue"
    for name in ("manue", cyrillic, "x", "admin", "BOT two"):
        page = await client.post(PAGE, {"do": "register", "name": name})
        assert page.status_code == 200, name
        assert 'class="wrong"' in text_of(page), name
        assert ("Leave it out here." in text_of(page)) == (name == "BOT two")
    assert await BotAccount.objects.acount() == 1


@pytest.mark.postgresql
async def test_bots_and_tokens_are_limited(settings: Any) -> None:
    settings.BOTS_PER_ACCOUNT = 1
    client, _ = await account()
    bot = await register_bot(client)
    page = await client.post(PAGE, {"do": "register", "name": "Second"})
    assert "as many bots" in text_of(page)
    for _ in range(MAX_TOKENS):
        await token_of(client, bot)
    page = await client.post(PAGE, {"do": "token", "bot": str(bot.pk), "scopes": "play"})
    assert "as many tokens" in text_of(page)
    assert await BotToken.objects.acount() == MAX_TOKENS


async def test_bots_of_others_are_out_of_reach() -> None:
    client, _ = await account()
    bot = await register_bot(client)
    token = await token_of(client, bot)
    row = await BotToken.objects.aget(bot=bot)
    stranger, person = await account("Berta")
    for verb in ("token", f"revoke:{row.pk}", "open", "retire"):
        answer = await stranger.post(PAGE, {"do": verb, "bot": str(bot.pk), "scopes": "play"})
        assert answer.status_code == 404, verb
    assert await database_sync_to_async(find_permit)(token) is not None
    assert await database_sync_to_async(accounts.addable_bots)(["Manue"], str(person.pk)) == []
    await client.post(PAGE, {"do": "open", "bot": str(bot.pk)})
    assert await database_sync_to_async(accounts.addable_bots)(["bot manue"], str(person.pk)) == [
        bot
    ]


async def test_bots_are_deleted_with_the_account_of_the_owner() -> None:
    client, _ = await account()
    bot = await register_bot(client)
    token = await token_of(client, bot)
    answer = await client.post("/profile/delete/", {"old": "seven words"})
    assert answer.status_code == 302
    assert await database_sync_to_async(find_permit)(token) is None
    person = await Person.objects.aget(pk=bot.pk)
    assert (person.name, person.name_key, person.deleted_at is None) == ("", None, False)


async def test_retired_bot_has_no_name_and_its_name_is_free() -> None:
    client, _ = await account()
    bot = await register_bot(client)
    token = await token_of(client, bot)
    await client.post(PAGE, {"do": "retire", "bot": str(bot.pk)})
    assert await database_sync_to_async(find_permit)(token) is None
    await register_bot(client)


@pytest.mark.postgresql
async def test_closed_account_of_the_owner_closes_the_bot() -> None:
    client, person = await account()
    token = await token_of(client, await register_bot(client))
    await User.objects.filter(person=person).aupdate(is_active=False)
    assert await database_sync_to_async(find_permit)(token) is None


def test_bot_is_not_removed_as_a_guest() -> None:
    owner = Person.objects.create(name="Anna", user=User.objects.create_user("Anna"))
    long_ago = timezone.localdate() - timedelta(days=GUEST_DAYS + 9)
    bot = Person.objects.create(name="BOT x", name_key="botx", look_key="botx", seen_on=long_ago)
    BotAccount.objects.create(person=bot, owner=owner)
    remove_guests(100)
    assert Person.objects.filter(pk=bot.pk).exists()


def test_game_with_a_bot_is_never_rated() -> None:
    people = [Person.objects.create(name=f"n{number}") for number in range(4)]
    for person in people:
        list_player(person.pk, person.name)
    ids = [str(person.pk) for person in people]
    terms: Any = {
        "rules": PRESETS["tenhou"],
        "origin": "queue",
        "has_clock": True,
        "has_help": False,
    }
    assert ladder_at_start(ids, **terms)[0] == "tenhou.east_south"
    some, all_four = (True, False, False, False), (True,) * 4
    assert ladder_at_start(ids, **terms, bot_accounts=some) == ("", (False,) * 4)
    assert ladder_at_start(ids, **terms, bot_accounts=all_four) == ("", (False,) * 4)
    terms["origin"] = "bots"
    assert ladder_at_start(ids, **terms, bot_accounts=some) == ("", (False,) * 4)
    assert ladder_at_start(ids, **terms) == ("", (False,) * 4)
    rated = ("bots.tenhou.east_south", all_four)
    assert ladder_at_start(ids, **terms, bot_accounts=all_four) == rated
    assert ladder_at_start([ids[0]] * 4, **terms, bot_accounts=all_four)[0] == ""


async def test_own_data_lists_the_bots_without_secrets() -> None:
    client, _ = await account()
    token = await token_of(client, await register_bot(client))
    text = text_of(await client.get("/privacy/own-data/"))
    assert "BOT Manue" in text
    assert token not in text
    assert digest_of(token) not in text


async def test_ladder_of_bots_lists_bots_alone() -> None:
    bot = await Person.objects.acreate(name="BOT Manue")
    player = await Player.objects.acreate(person_id=bot.pk, name=bot.name)
    ladder = await Ladder.objects.acreate(name="bots.tenhou.east")
    await Rating.objects.acreate(player=player, ladder=ladder, mu=25, sigma=8, shown=1234, games=10)
    for address, is_listed in (("bots/tenhou/east", True), ("tenhou/east", False)):
        answer = await AsyncClient().get(f"/ranking/{address}/")
        assert answer.status_code == 200
        assert ("1234" in text_of(answer)) is is_listed
        assert "/ranking/bots/tenhou/east/" in answer.content.decode()
    assert (await AsyncClient().get("/ranking/bots/tenhou/west/")).status_code == 404


async def test_ban_of_bot_or_owner_disables_the_token() -> None:
    client, anna = await account()
    bot = await register_bot(client)
    token = await token_of(client, bot)
    assert await database_sync_to_async(find_permit)(token)
    until = timezone.now() + timedelta(days=1)
    for banned in (bot.pk, anna.pk):
        ban = await Sanction.objects.acreate(person_id=banned, kind=Sanction.BAN, until=until)
        assert await database_sync_to_async(find_permit)(token) is None
        await ban.adelete()
    assert await database_sync_to_async(find_permit)(token)


async def test_rated_game_of_bots_needs_four_owners() -> None:
    clients = [(await account(name))[0] for name in ("Anna", "Ben", "Cleo")]
    bots = [await register_bot(client, f"Manue{at}") for at, client in enumerate(clients)]
    bots.append(await register_bot(clients[0], "Second"))
    backend = await current_backend()
    for players in (bots, [*bots[:3], "sensible"]):
        with pytest.raises(ValueError, match="owners"):
            await waiting.open_game(
                backend, players, rules=TENHOU, clock=DEFAULT_CLOCK, public=True, is_rated=True
            )


async def open_table(token: str, bot: BotAccount) -> int:
    body = {"players": [bot.person.name, "sensible", "sensible", "sensible"]}
    headers = {"authorization": f"Bearer {token}"}
    answer = await AsyncClient().post(
        "/bots/tables/", body, content_type="application/json", headers=headers
    )
    return answer.status_code


async def test_ladder_comes_before_tables_of_other_owners() -> None:
    anna, _ = await account()
    ben, _ = await account("Ben")
    bot = await register_bot(anna, is_open="on")
    token = await token_of(ben, await register_bot(ben, "Benbot"), "tables")
    own = await token_of(anna, bot, "tables")
    backend = await current_backend()
    await waiting.record_connection(backend, str(bot.pk))
    await ladder_queue.join_queue(backend, "bots.tenhou.east", str(bot.pk), str(bot.owner_id))
    assert await open_table(token, bot) == 409
    assert not await backend.call("EXISTS", f"location:{bot.pk}")
    await ladder_queue.leave_others(backend, "bots.tenhou.east", str(bot.pk))
    assert await open_table(token, bot) == 409
    await ladder_queue.leave_others(backend, "", str(bot.pk))
    assert await open_table(token, bot) == 201
    await backend.call("DEL", f"location:{bot.pk}")
    await ladder_queue.join_queue(backend, "bots.tenhou.east", str(bot.pk), str(bot.owner_id))
    assert await open_table(own, bot) == 201


async def test_bots_of_one_owner_share_the_limit_of_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "BOT_TABLES_OF_OWNER", rate_limits.Limit("few", 2, 86_400))
    anna, _ = await account()
    bots = [await register_bot(anna, name) for name in ("Manue", "Nora", "Olga")]
    tokens = [await token_of(anna, bot, "tables") for bot in bots]
    pairs = zip(tokens, bots, strict=True)
    assert [await open_table(token, bot) for token, bot in pairs] == [409, 409, 429]
